//go:build linux || darwin

package machine_test

import (
	"bytes"
	"path"
	"slices"

	"overturn/model"
	"overturn/rollback"
)

// inverse holds a whole take-out against the inverse patch of the turn, merged by git:
// of every text that is a target.
func (w *world) inverse(p *rollback.Prepared) {
	w.t.Helper()
	list := slices.DeleteFunc(w.changes(), func(c change) bool { return w.target(p, c.path) == nil })
	for n, merged := range w.applied(list) {
		t := w.target(p, list[n].path)
		if t.Reason == modes {
			continue // the text may well merge
		}
		w.holdTo(t, list[n], merged)
	}
}

// modes is why a target is a conflict whose text is none.
const modes = "its mode was changed since, and by the scope"

func (w *world) target(p *rollback.Prepared, path model.Path) *rollback.PreparedTarget {
	n := slices.IndexFunc(p.Targets, func(t rollback.PreparedTarget) bool { return t.Path == path })
	if n < 0 {
		return nil
	}
	return &p.Targets[n]
}

func (w *world) holdTo(t *rollback.PreparedTarget, c change, merged []byte) {
	w.t.Helper()
	after := t.After
	if t.Verdict == model.VerdictAlready {
		after = c.present
	}
	switch t.Verdict {
	case model.VerdictMerged:
		w.Counts()["inverse patch merged"]++
	case model.VerdictConflict:
		w.Counts()["inverse patch in conflict"]++
	}
	switch {
	case (merged == nil) != (t.Verdict == model.VerdictConflict):
		w.t.Errorf("%q, hunks %v, is %s (%s), and git applies the inverse patch to %q\nfirst %q\nlast %q\nnow %q", t.Path, c.hunks, t.Verdict, t.Reason, merged, c.first, c.last, c.present)
	case merged != nil && !bytes.Equal(merged, after):
		w.t.Errorf("%q, hunks %v, becomes %q, and git applies the inverse patch to %q\nfirst %q\nlast %q\nnow %q", t.Path, c.hunks, after, merged, c.first, c.last, c.present)
	}
}

// hunks stages some hunks of some texts, one request each, and holds what is planned of
// them against the inverse patch of these hunks alone. It tells whether there were any.
func (w *world) hunks() bool {
	w.t.Helper()
	_, err := w.engine.Unstage(w.t.Context(), nil)
	w.must(err)
	list := slices.DeleteFunc(w.changes(), func(change) bool { return w.Pick(3) == 0 })
	for n, c := range list {
		one := c.hunks[w.Pick(len(c.hunks))]
		c.hunks = slices.DeleteFunc(c.hunks, func(h int) bool { return h != one && w.Pick(2) == 0 })
		list[n].hunks = c.hunks
		for _, h := range c.hunks {
			_, err := w.engine.Stage(w.t.Context(), rollback.StageRequest{
				Scope: latest(), Paths: []rollback.PathArg{{Path: c.path}}, Hunks: []int{h},
			})
			w.must(err)
		}
		if len(c.hunks) < len(c.diff().Exact()) {
			w.Counts()["part of a file's hunks"]++
		}
	}
	_, p := w.plan()
	if len(p.Targets) != len(list) {
		w.t.Errorf("hunks of %d files are staged, and %d are planned", len(list), len(p.Targets))
	}
	for n, merged := range w.applied(list) {
		if t := w.target(p, list[n].path); t == nil {
			w.t.Errorf("hunks %v of %q are staged and not planned", list[n].hunks, list[n].path)
		} else {
			w.holdTo(t, list[n], merged)
		}
	}
	return len(list) > 0
}

// folder stages all that is the agent's below one folder above some target of the
// whole plan, and holds the targets against those of the whole that lie there. It tells
// whether there was a folder.
func (w *world) folder(whole *model.Plan) bool {
	w.t.Helper()
	var above []model.Path
	for _, t := range whole.Targets {
		for dir := path.Dir(string(t.Path)); dir != "."; dir = path.Dir(dir) {
			above = append(above, model.Path(dir))
		}
	}
	if len(above) == 0 {
		return false
	}
	dir := above[w.Pick(len(above))]
	var want []model.Path
	for _, t := range whole.Targets {
		if t.Path.Under(dir) && t.Path != dir {
			want = append(want, t.Path)
		}
	}
	_, err := w.engine.Unstage(w.t.Context(), nil)
	w.must(err)
	_, err = w.engine.Stage(w.t.Context(), rollback.StageRequest{Scope: latest(), Paths: []rollback.PathArg{{Path: dir, Folder: true}}})
	w.must(err)
	some, _ := w.plan()
	var got []model.Path
	for _, t := range some.Targets {
		if t.Path != dir { // a file whose place the folder took, or that took the folder's
			got = append(got, t.Path)
		}
	}
	if !slices.Equal(got, want) {
		w.t.Errorf("below %q %q are planned, and of the whole turn %q", dir, got, want)
	}
	return true
}
