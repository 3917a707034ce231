//go:build linux || darwin

package rollback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestChangedAgainAfterTheSwap: an editor writes its buffer back over what was
// restored. The report says so, the editor's save stays, the entry stays usable.
func TestChangedAgainAfterTheSwap(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	plan := w.stage("bin", "edit", "gone")
	r, err := w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Progress: func(done, of int) {
		if done == of {
			w.must(os.WriteFile(w.Path("edit")+"~", []byte("the editor's buffer\n"), 0o644))
			w.must(os.Rename(w.Path("edit")+"~", w.Path("edit")))
		}
	}})
	w.must(err)
	if r.Verified || r.Outcome != model.OutcomePartial || len(r.Skipped) != 1 || r.Skipped[0].Path != "edit" || !strings.Contains(r.Skipped[0].Reason, "another process") {
		t.Errorf("report: %s, verified %v, %v", r.Outcome, r.Verified, r.Skipped)
	}
	if w.Read("edit") != "the editor's buffer\n" {
		t.Error("the editor's save is lost")
	}
	_, err = w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{})
	refused(t, err, model.CodeRefused, "edit")
	u, err := w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{Partial: true})
	w.must(err)
	if u.Outcome != model.OutcomePartial || w.Exists("gone") || w.Read("bin") != "\x00\xff\x02" {
		t.Errorf("undo of the rest: %s", u.Outcome)
	}
}

// TestLateWriteIsKeptAndNamed: a program that had the file open writes after the
// displaced file was kept.
func TestLateWriteIsKeptAndNamed(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	handle, err := os.OpenFile(w.Path("edit"), os.O_WRONLY|os.O_APPEND, 0)
	w.must(err)
	defer handle.Close()
	plan := w.stage("edit")
	w.tick = func() {
		if kept, err := filepath.Glob(filepath.Join(w.repo.StateDir(), "kept", "*", "0")); err == nil && len(kept) > 0 {
			_, err := handle.WriteString("late\n")
			w.must(err)
			w.tick = nil
		}
	}
	r, err := w.execute(plan)
	w.must(err)
	if w.tick != nil {
		t.Fatal("the late write did not happen")
	}
	var named string
	for _, k := range r.Kept {
		if k.Path == "edit" && strings.Contains(k.Reason, "kept in ") {
			_, named, _ = strings.Cut(k.Reason, "kept in ")
		}
	}
	data, err := os.ReadFile(named)
	if err != nil || string(data) != "one\nTWO\nthree\nlate\n" {
		t.Errorf("kept in %q: %q, %v; the report has %v", named, data, err, r.Kept)
	}
}

// TestOldKeptFilesGoUnlessTheyChanged: their bytes are in the safety snapshots.
func TestOldKeptFilesGoUnlessTheyChanged(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	first := w.done(w.stage("edit"))
	changed := filepath.Join(w.repo.StateDir(), "kept", string(first.ID), "0")
	w.must(os.WriteFile(changed, []byte("written later"), 0o644))
	for range 12 {
		_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
		_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
	}
	if data, err := os.ReadFile(changed); err != nil || string(data) != "written later" {
		t.Errorf("a kept file that changed went: %v", err)
	}
	folders, err := os.ReadDir(filepath.Join(w.repo.StateDir(), "kept"))
	w.must(err)
	if len(folders) < 20 || len(folders) > 22 {
		t.Errorf("%d folders of kept files", len(folders))
	}
}
