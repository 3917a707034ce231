//go:build linux || darwin

package machine_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/rollback"
	"overturn/rollback/plan"
)

// texts makes some files of the user's that are long enough to be edited in several
// places.
func (w *world) texts() []string {
	var list []string
	for n := range 2 + w.Pick(3) {
		name := fmt.Sprintf("text%d.txt", n)
		var b strings.Builder
		for line := range 12 + w.Pick(20) + 60*w.Pick(2) {
			fmt.Fprintf(&b, "%d\n", line)
		}
		w.Write(name, b.String())
		list = append(list, name)
	}
	return list
}

// change edits a line or a few of each text that is still one.
func (w *world) change(texts []string, who string) {
	for _, name := range texts {
		info, err := os.Lstat(w.Path(name))
		if err != nil || !info.Mode().IsRegular() || info.Mode()&0o400 == 0 {
			continue
		}
		lines := strings.SplitAfter(w.Read(name), "\n")
		for range 1 + w.Pick(4) {
			at := w.Pick(len(lines))
			switch w.Pick(4) {
			case 0:
				lines = append(lines[:at:at], lines[min(at+1, len(lines)):]...)
			case 1:
				lines = append(lines[:at:at], append([]string{who + " adds\n"}, lines[at:]...)...)
			default:
				lines[at] = who + " writes\n"
			}
			if len(lines) == 0 {
				lines = []string{"\n"}
			}
		}
		w.Write(name, strings.Join(lines, ""))
	}
}

// judged holds every target of a whole take-out against a three-way merge by git: the
// turn's end is the base, its start the one side, what stands there now the other.
func (w *world) judged(p *rollback.Prepared) {
	w.t.Helper()
	cmp, err := w.source.Open(w.t.Context(), latest())
	w.must(err)
	targets := map[model.Path]rollback.PreparedTarget{}
	for _, t := range p.Targets {
		targets[t.Path] = t
	}
	now := w.state()
	for _, f := range cmp.Files() {
		t, staged := targets[f.Path]
		if !staged {
			continue
		}
		first, last, err := cmp.Sides(w.t.Context(), f)
		w.must(err)
		present, ok := w.present(now, f.Path)
		if !ok {
			continue
		}
		w.verdict(t, first, last, present, w.merged(first, last, present))
	}
}

// present is what stands at a path; not ok where that is no file, or cannot be looked
// at, or where something else stands above or below it.
func (w *world) present(now state, p model.Path) (plan.Version, bool) {
	for dir := filepath.Dir(string(p)); dir != "."; dir = filepath.Dir(dir) {
		if above, ok := now[model.Path(dir)]; ok && (!above.folder() || above.Mode[3] != '7') {
			return plan.Version{}, false
		}
	}
	found := now.at(p)
	var err error
	v := plan.Version{State: found}
	switch {
	case found.Kind == model.KindFile && found.SHA256 != "":
		v.Content, err = os.ReadFile(w.Path(string(p)))
	case found.Kind == model.KindLink:
		var text string
		text, err = os.Readlink(w.Path(string(p)))
		v.Content = []byte(text)
	case found.Kind != model.KindAbsent:
		return v, false
	}
	w.must(err)
	return v, true
}

// merged is what is left of present without the change from first to last, nil where
// the two are in each other's way.
func (w *world) merged(first, last, present plan.Version) *plan.Version {
	switch {
	case present.State == first.State || present.State == last.State:
		return &first
	case first.State.Kind != model.KindFile || last.State.Kind != model.KindFile || present.State.Kind != model.KindFile:
		return nil
	}
	mode := present.State.Mode
	switch {
	case mode == last.State.Mode:
		mode = first.State.Mode
	case mode != first.State.Mode && first.State.Mode != last.State.Mode:
		return nil
	}
	content, ok := w.mergeFile(first.Content, last.Content, present.Content)
	if !ok {
		return nil
	}
	v := plan.New(model.KindFile, mode, content)
	return &v
}

// mergeFile is git's merge of three contents. It refuses binary ones: there, one side
// has to be the base.
func (w *world) mergeFile(first, last, present []byte) ([]byte, bool) {
	w.t.Helper()
	switch {
	case bytes.Equal(last, present), bytes.Equal(first, present):
		return first, true
	case bytes.Equal(first, last):
		return present, true
	}
	dir := w.t.TempDir()
	var names []string
	for name, content := range map[string][]byte{"1 present": present, "2 base": last, "3 other": first} {
		w.must(os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	for _, name := range []string{"1 present", "2 base", "3 other"} {
		names = append(names, filepath.Join(dir, name))
	}
	if _, err := w.GitMayFail(append([]string{"merge-file", "-q"}, names...)...); err != nil {
		return nil, false
	}
	merged, err := os.ReadFile(names[0])
	w.must(err)
	return merged, true
}

func (w *world) verdict(t rollback.PreparedTarget, first, last, present plan.Version, want *plan.Version) {
	w.t.Helper()
	show := func() string {
		return fmt.Sprintf("first %+v %q\nlast %+v %q\nnow %+v %q", first.State, first.Content, last.State, last.Content, present.State, present.Content)
	}
	switch {
	case want == nil:
		if t.Verdict != model.VerdictConflict {
			w.t.Errorf("%q is %s, and git finds a conflict\n%s\nafter %q", t.Path, t.Verdict, show(), t.After)
		}
	case t.Verdict == model.VerdictConflict:
		w.t.Errorf("%q is a conflict (%s), and git merges it to %q\n%s", t.Path, t.Reason, want.Content, show())
	case t.To != want.State:
		w.t.Errorf("%q becomes %+v %q, and git makes it %+v %q\n%s", t.Path, t.To, t.After, want.State, want.Content, show())
	case (t.Verdict == model.VerdictAlready) != (present.State == want.State):
		w.t.Errorf("%q is %s\n%s", t.Path, t.Verdict, show())
	}
}
