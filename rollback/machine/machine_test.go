//go:build linux || darwin

// Package machine_test is the ugly tree machine: on random work trees of every kind
// that git and file systems know (treetest), and after random turns and edits, it
// holds rollbacks to what is promised of all of them. OVERTURN_TEST_SEED names the
// seed, or the first and the last, of its tests.
package machine_test

import (
	"maps"
	"path"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot/treetest"
	"overturn/model"
	"overturn/rollback"
)

// TestMachine: a rollback of all of a turn, of some of its paths, of a folder or of
// single hunks changes these targets and nothing else, to what a three-way merge by git
// makes of them, and to what git makes of the inverse patch; undo is the identity, for
// work tree and index; the fingerprint moves with everything that the plan says.
func TestMachine(t *testing.T) {
	gittest.Unprivileged(t)
	treetest.Run(t, 500, func(t *testing.T, seed uint64) map[string]int {
		w := newWorld(t, treetest.New(t, seed))
		w.live()
		plan, prepared := w.stage()
		w.judged(prepared)
		w.inverse(prepared)
		switch seed % 4 {
		case 0, 2:
			w.fingerprints(plan, prepared)
			w.thereAndBack("whole turn")
		case 1:
			w.scoped(plan)
		case 3:
			if w.hunks() {
				w.thereAndBack("hunks")
			}
		}
		return w.Counts()
	})
}

// scoped takes some paths or a folder of the turn there and back.
func (w *world) scoped(whole *model.Plan) {
	if w.Pick(2) == 0 {
		if w.folder(whole) {
			w.thereAndBack("a folder")
			w.Counts()["rollback of a folder"]++
		}
	} else if some := w.some(whole); len(some) > 0 {
		w.stage(some...)
		w.thereAndBack("some paths")
		w.Counts()["rollback of some paths"]++
	}
}

// features of the machine's own, beside those of the trees.
func features() []string {
	return []string{
		"rollback of a folder", "rollback of some paths", "part of a file's hunks", "inverse patch merged", "inverse patch in conflict",
		"fingerprint moved by a byte", "fingerprint moved by a mode", "fingerprint moved by a kind", "fingerprint moved by a path",
	}
}

// live is the life of the tree up to the review: what the user has, the turn, and in
// half of the trees what the user does afterwards.
func (w *world) live() {
	w.Edit(w.Pick(8))
	texts := w.texts()
	before := w.state()
	w.turn(func() {
		w.change(texts, "agent")
		w.Edit(5 + w.Pick(6))
	})
	after := w.state()
	w.again()
	w.sides(before, after)
	if w.Pick(2) == 0 {
		w.change(texts, "user")
		w.Edit(w.Pick(5))
	}
	w.again()
}

// sides holds what is recorded of the turn against what stood on disk.
func (w *world) sides(before, after state) {
	w.t.Helper()
	cmp, err := w.source.Open(w.t.Context(), latest())
	w.must(err)
	for _, f := range cmp.Files() {
		if f.Gitlink {
			continue
		}
		first, last, err := cmp.Sides(w.t.Context(), f)
		w.must(err)
		for _, side := range []struct {
			what string
			got  model.FileState
			want state
		}{{"start", first.State, before}, {"end", last.State, after}} {
			if want := side.want.at(f.Path); side.got != want && !(side.got.Kind == model.KindAbsent && want.Kind == model.KindOther) {
				w.t.Errorf("%s of the turn: %q is recorded as %+v, and was %+v", side.what, f.Path, side.got, want)
			}
		}
	}
}

// thereAndBack carries out what is staged, as far as that can be, and undoes it.
func (w *world) thereAndBack(what string) {
	w.t.Helper()
	plan, prepared := w.plan()
	before, index, protected := w.state(), w.entries(), w.Protected(w.t)
	r, err := w.engine.Execute(w.t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Partial: true})
	w.must(err)
	written := map[model.Path]bool{}
	want := w.expected(before, prepared, written)
	w.same(what, w.state(), want, written)
	if r.ID == "" {
		if len(written) > 0 || len(prepared.Index) > 0 {
			w.t.Errorf("%s: nothing was done", what)
		}
		return
	}
	if !r.Verified || len(r.Skipped) != len(prepared.Conflicts()) {
		w.t.Errorf("%s: verified %v, skipped %v", what, r.Verified, r.Skipped)
	}
	w.index(what, maps.Clone(index), prepared)
	u, err := w.engine.Undo(w.t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if u.Outcome != model.OutcomeUndone || !u.Verified {
		w.t.Errorf("%s, undone: %s, verified %v, skipped %v", what, u.Outcome, u.Verified, u.Skipped)
	}
	w.same(what+", undone", w.state(), before, written)
	if now := w.entries(); !maps.Equal(now, index) {
		w.t.Errorf("%s, undone: the index is %q, and was %q", what, now, index)
	}
	w.guest(what, protected, prepared)
}

// expected is before with the targets of p as planned, and with the folders that come
// and go with them.
func (w *world) expected(before state, p *rollback.Prepared, written map[model.Path]bool) state {
	want := state{}
	for path, was := range before {
		want[path] = was
	}
	for _, t := range writes(p) {
		written[t.Path] = true
		delete(want, t.Path)
	}
	for _, t := range writes(p) {
		if t.To.Kind != model.KindAbsent {
			want.put(t.Path, t.To)
		}
	}
	for _, folder := range p.Folders {
		if found, ok := want[folder]; ok && found.folder() && !want.holds(folder) {
			delete(want, folder)
		}
	}
	return want
}

// put puts a file into s, in the place of empty folders, below folders that are made.
func (s state) put(p model.Path, to model.FileState) {
	for q := range s {
		if q.Under(p) {
			delete(s, q)
		}
	}
	s[p] = thing{FileState: to}
	for dir := path.Dir(string(p)); dir != "."; dir = path.Dir(dir) {
		if _, ok := s[model.Path(dir)]; !ok {
			s[model.Path(dir)] = thing{FileState: model.FileState{Kind: model.KindOther, Mode: "040755"}}
		}
	}
}

func (s state) holds(folder model.Path) bool {
	for p := range s {
		if p != folder && p.Under(folder) {
			return true
		}
	}
	return false
}

// index holds the user's index against what it was: only what the plan says moved.
func (w *world) index(what string, before map[string]string, p *rollback.Prepared) {
	w.t.Helper()
	now := w.entries()
	for _, c := range p.Index {
		entry := string(c.Path) + "\x000"
		got := ""
		if field := strings.Fields(now[entry]); len(field) == 3 {
			got = field[0] + " " + field[1]
		}
		if want := strings.TrimSpace(c.To.Mode + " " + c.To.OID); got != want {
			w.t.Errorf("%s: the entry of %q is %q, and %q was planned", what, c.Path, got, want)
		}
		delete(now, entry)
		delete(before, entry)
	}
	for entry, was := range before {
		if now[entry] != was {
			w.t.Errorf("%s: the entry of %q is %q, and was %q", what, entry, now[entry], was)
		}
	}
	for entry, is := range now {
		if _, ok := before[entry]; !ok {
			w.t.Errorf("%s: the index has %q of %q", what, is, entry)
		}
	}
}

// guest holds everything of git's against what it was, to the time of the index where
// no entry moved.
func (w *world) guest(what string, before gittest.State, p *rollback.Prepared) {
	w.t.Helper()
	for line := range strings.Lines(before.Diff(w.Protected(w.t))) {
		name := path.Base(strings.Fields(line)[0])
		if len(p.Index) == 0 || name != "index" && !strings.HasPrefix(name, "sharedindex.") {
			w.t.Errorf("%s, undone: %s", what, line)
		}
	}
}
