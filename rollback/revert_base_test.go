//go:build linux || darwin

package rollback_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestRevertWithoutABaseline: HEAD stands for it, where nobody had edited the file before
// the first turn; what cannot be known stays.
func TestRevertWithoutABaseline(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"clean", "dirty", "gone", "untouched"} {
		w.Write(name, "base\n")
	}
	w.Git("add", "-A")
	head := w.Commit("base")
	w.Write("dirty", "base\nuser\n")
	w.Write("extra", "user\n")
	w.turn(func() {
		w.Write("clean", "turn 1\n")
		w.Write("dirty", "base\nuser\nturn 1\n")
		w.Write("extra", "user\nturn 1\n")
		w.must(os.Remove(w.Path("gone")))
		w.Write("made", "turn 1\n")
	})
	w.turn(func() { w.Write("clean", "turn 2\n") })
	w.Git("update-ref", "-d", w.refOf("turn/0"))
	o, p := w.planRevert(0)
	if !p.FromHead || p.Head != (rollback.HeadBase{Commit: head}) || !strings.Contains(string(p.Patch), " base HEAD "+head) {
		t.Errorf("%+v", p)
	}
	kept := map[model.Path]string{}
	for _, k := range p.Kept {
		kept[k.Path] = k.Reason
	}
	if len(p.Targets) != 3 || len(kept) != 2 || !strings.Contains(kept["dirty"], "edits of yours") || kept["extra"] == "" {
		t.Errorf("%d targets, kept %v", len(p.Targets), kept)
	}
	r, err := w.engine.Revert(t.Context(), o)
	w.must(err)
	w.is("base", r.Reverted.Base, "HEAD")
	for name, want := range map[string]string{"clean": "base\n", "gone": "base\n", "dirty": "base\nuser\nturn 1\n", "extra": "user\nturn 1\n"} {
		data, err := os.ReadFile(w.Path(name))
		if err != nil || string(data) != want {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
	if _, err := os.Lstat(w.Path("made")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("made: %v", err)
	}
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.is("turns", w.numbers(), "1missing2|")
	// with the baseline there is nothing to stand for, and another boundary has no stand-in
	w.Git("update-ref", "-d", w.refOf("turn/1"))
	_, err = w.engine.PlanRevert(t.Context(), rollback.RevertOptions{Thread: "t1", To: 1})
	refused(t, err, model.CodeFailed, "turn 1", "was not captured")
}

func (w *world) refOf(part string) string {
	w.t.Helper()
	all, err := w.refs.List(w.t.Context(), "refs/overturn/threads")
	w.must(err)
	for _, r := range all {
		if strings.HasSuffix(r.Name, "/"+part) {
			return r.Name
		}
	}
	w.t.Fatalf("no ref %s", part)
	return ""
}
