package casebook_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"overturn/gitops/gittest"
	"overturn/ui/cli/trial"
)

// world is all that a user has: the work tree with bytes, modes, links, empty
// folders and times, and in the git directories everything but objects and what
// is overturn's own.
type world struct {
	git   gittest.State
	files trial.State
}

func (b *book) world() world {
	b.t.Helper()
	return world{b.Protected(b.t), b.files()}
}

// files is all that stands in the work tree.
func (b *book) files() trial.State {
	b.t.Helper()
	files, err := trial.Files(b.Root)
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// untouched holds that no file changed but those that r names; folders may come
// and go with them.
func (b *book) untouched(before trial.State, r result) {
	b.t.Helper()
	named := slices.Concat(r.Restored, r.Created, r.Deleted, r.Merged)
	for _, k := range slices.Concat(r.Kept, r.Skipped) {
		named = append(named, k.Path) // the test says what is right
	}
	for name, was := range before {
		if now, err := trial.Standing(b.Path(name)); (err != nil || now != was) && !strings.HasPrefix(was, "d") && !trial.Below(name, named) {
			b.t.Errorf("%s was touched: %s, %v", name, now, err)
		}
	}
}

// same holds that nothing has changed since before, but the paths named and what
// is below them. HEAD, refs, reflogs, stash and index are always compared.
func (b *book) same(before world, except ...string) {
	b.t.Helper()
	now := b.world()
	if d := before.git.Diff(now.git); d != "" {
		b.t.Errorf("git's own state changed:\n%s", d)
	}
	b.sameFiles(before, now, false, except)
}

// restored holds that bytes, modes and links of all files are as they were,
// whatever was written in between (times may differ).
func (b *book) restored(before world, except ...string) {
	b.t.Helper()
	b.sameFiles(before, b.world(), true, except)
}

func (b *book) sameFiles(before, now world, anyTime bool, except []string) {
	b.t.Helper()
	was, is := before.files, now.files
	if anyTime {
		was, is = was.Timeless(), is.Timeless()
	}
	for _, c := range was.Diff(is, except...) {
		b.t.Errorf("the work tree changed: %s", c)
	}
}

// noted is a path with the reason why it was not taken, touched or done.
type noted struct{ Path, Reason string }

// plan is what overturn plan says.
type plan struct {
	Fingerprint string
	Targets     []struct{ Path, Op, Method, Owner, Verdict, Reason string }
	Kept        []noted
}

// verdicts is one line: "path op verdict" of each target, then what is kept.
func (p plan) verdicts() string {
	var words []string
	for _, t := range p.Targets {
		words = append(words, strings.Join([]string{t.Path, t.Op, t.Verdict}, " "))
	}
	for _, k := range p.Kept {
		words = append(words, k.Path+" kept")
	}
	return strings.Join(words, ", ")
}

// byteNames is a list of paths: texts, and objects with path_b64 for names that
// are not UTF-8.
type byteNames []string

func (n *byteNames) UnmarshalJSON(data []byte) error {
	var list []any
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for _, e := range list {
		if name, ok := e.(string); ok {
			*n = append(*n, name)
			continue
		}
		object, _ := e.(map[string]any)
		b64, _ := object["path_b64"].(string)
		raw, err := base64.StdEncoding.DecodeString(b64)
		if err != nil || len(raw) == 0 {
			return fmt.Errorf("%v is no path", e)
		}
		*n = append(*n, string(raw))
	}
	return nil
}

// result is what rollback, undo and redo say.
type result struct {
	ID, Outcome, Safety, Undo          string
	Verified                           bool
	Restored, Created, Deleted, Merged byteNames
	Kept, Skipped                      []noted
}

// paths are all that was written, with what was done to each.
func (r result) paths() string {
	var words []string
	for _, l := range []struct {
		did   string
		paths byteNames
	}{{"restored", r.Restored}, {"created", r.Created}, {"deleted", r.Deleted}, {"merged", r.Merged}} {
		for _, p := range l.paths {
			words = append(words, l.did+" "+p)
		}
	}
	return strings.Join(words, ", ")
}

// turnOf is what overturn show says of a turn.
type turnOf struct {
	Turn               int
	State, Status, Ref string
	StatusReason       string `json:"status_reason"`
	Files              []struct{ Path, Change, Owner string }
	LeftOut            []noted `json:"left_out"`
	Start, End         struct{ Ref, Tree, Head string }
}

// show reads a turn.
func (b *book) show(thread, n string) turnOf {
	b.t.Helper()
	var t turnOf
	b.json(0, &t, "show", n, "--thread", thread)
	return t
}

// names are the turn's files, "path change" each.
func (t turnOf) names() string {
	var words []string
	for _, f := range t.Files {
		words = append(words, f.Path+" "+f.Change)
	}
	return strings.Join(words, ", ")
}
