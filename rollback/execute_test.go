//go:build linux || darwin

package rollback_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// everyKind is a tree and a turn that changes each kind of thing in it.
func everyKind(w *world) {
	w.Write("edit", "one\ntwo\nthree\n")
	w.Write("script", "#!/bin/sh\n")
	w.Chmod("script", 0o755)
	w.Write("secret", "s\n")
	w.Chmod("secret", 0o600)
	w.Write("gone", "will go\n")
	w.Write("deep/down/gone", "deep\n")
	w.Write("bin", "\x00\x01\x02")
	w.Write("tofile", "x")
	w.link("link", "edit")
	w.link("dangling", "nowhere")
	w.Write("was-file", "file\n")
	w.Write("was-dir/a", "a\n")
	w.Write("user", "user's\n")
	w.Git("add", "-A")
	w.Commit("base")
	w.Write("untracked", "u\n")
}

func changeEveryKind(w *world) {
	w.Write("edit", "one\nTWO\nthree\n")
	w.Chmod("script", 0o644)
	w.must(os.WriteFile(w.Path("secret"), []byte("changed\n"), 0o600))
	w.Remove("gone")
	w.Remove("deep")
	w.Write("bin", "\x00\xff\x02")
	w.link("tofile", "edit")
	w.link("link", "script")
	w.Remove("dangling")
	w.Write("dangling", "a file now\n")
	w.Remove("was-file")
	w.Write("was-file/in/it", "below\n")
	w.Remove("was-dir")
	w.Write("was-dir", "now a file\n")
	w.Write("new/made/file", "new\n")
	w.Write("caf\xe9", "latin\n")
	w.Write("untracked", "U\n")
}

func TestRollbackThenUndoThenRedo(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	before := w.files()
	w.turn(func() { changeEveryKind(w) })
	after := w.files()
	protected := w.Protected(t)

	plan := w.stage()
	r := w.done(plan)
	w.same("rolled back", w.files(), before)
	w.settled()
	if len(r.Post) != len(plan.Targets) || r.Fingerprint != plan.Fingerprint || r.Undo != "overturn undo "+string(r.ID) {
		t.Errorf("report: %d post states of %d targets, undo %q", len(r.Post), len(plan.Targets), r.Undo)
	}
	if !slices.Contains(r.Created, "gone") || !slices.Contains(r.Deleted, "new/made/file") || !slices.Contains(r.Restored, "edit") {
		t.Errorf("report: created %v, deleted %v, restored %v", r.Created, r.Deleted, r.Restored)
	}
	if head, err := w.refs.Read(t.Context(), r.Safety); err != nil || head == "" {
		t.Errorf("no safety snapshot at %s: %v", r.Safety, err)
	}

	u, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	if u.Outcome != model.OutcomeUndone || !u.Verified {
		t.Errorf("undo: %s, verified %v", u.Outcome, u.Verified)
	}
	w.same("undone", w.files(), after)
	w.settled()

	_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.same("redone", w.files(), before)
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.same("undone again", w.files(), after)
	if diff := protected.Diff(w.Protected(t)); diff != "" {
		t.Errorf("protected state changed:\n%s", diff)
	}

	entries, err := w.engine.History(t.Context())
	w.must(err)
	var kinds []string
	for _, e := range entries {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []string{"undo", "redo", "undo", "rollback"}) || entries[3].UndoneBy != u.ID || len(entries[3].Paths) != len(plan.Targets) {
		t.Errorf("history: %+v", entries)
	}
	patch, err := w.engine.HistoryPatch(t.Context(), r.ID)
	if err != nil || string(patch) != string(plan.Patch) {
		t.Errorf("the confirmed patch is not in the history: %v", err)
	}
}

func TestOnlyTheScopeIsTouched(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	w.Write("user", "the user's own edit\n")
	w.Write("late/u.csv", "the user's new file\n")
	want := w.files()
	want["edit"] = "-rw-r--r-- one\ntwo\nthree\n"
	stamps := stamps(w)
	w.done(w.stage("edit"))
	w.same("scoped", w.files(), want)
	for name, at := range stamps {
		if now := stampOf(w, name); name != "edit" && now != at {
			t.Errorf("%s was touched", name)
		}
	}
}

func stamps(w *world) map[string]string {
	all := map[string]string{}
	for name := range w.files() {
		if st, err := os.Lstat(w.Path(name)); err == nil && !st.IsDir() {
			all[name] = stampOf(w, name)
		}
	}
	return all
}

func stampOf(w *world, name string) string {
	st, err := os.Lstat(w.Path(name))
	w.must(err)
	return st.ModTime().String()
}

func TestStaleWritesNothing(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	plan := w.stage("edit", "gone")
	w.Write("edit", "edited after the review\n")
	before := w.files()
	r, err := w.execute(plan)
	refused(t, err, model.CodeStale, "nothing was written", "plan")
	if r == nil || r.Outcome != model.OutcomeStale {
		t.Errorf("result: %+v", r)
	}
	w.same("stale", w.files(), before)
	if entries, err := w.engine.History(t.Context()); err != nil || len(entries) > 0 {
		t.Errorf("history: %v, %v", entries, err)
	}
	_, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: "nonsense"})
	refused(t, err, model.CodeUsage)
	_, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{})
	refused(t, err, model.CodeUsage, "fingerprint")
}

func TestConflictRefusesAllUnlessPartial(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	w.Write("new/made/file", "new\nand the user went on\n")
	plan := w.stage("edit", "new/made/file")
	before := w.files()
	r, err := w.execute(plan)
	refused(t, err, model.CodeRefused, "nothing was written", "--partial")
	if r == nil || r.Outcome != model.OutcomeRefused || len(r.Skipped) != 1 {
		t.Errorf("result: %+v", r)
	}
	w.same("refused", w.files(), before)

	r, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint, Partial: true})
	w.must(err)
	if r.Outcome != model.OutcomePartial || len(r.Skipped) != 1 || r.Skipped[0].Path != "new/made/file" || r.Skipped[0].Reason == "" {
		t.Errorf("partial: %s, %v", r.Outcome, r.Skipped)
	}
	before["edit"] = "-rw-r--r-- one\ntwo\nthree\n"
	w.same("partial", w.files(), before)
	if left, _, err := w.engine.Plan(t.Context()); err != nil || len(left.Targets) > 0 {
		t.Errorf("still staged: %v, %v", left.Targets, err)
	}
}

func TestAlreadyBackIsDone(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	w.done(w.stage("edit"))
	again := w.stage("edit")
	r := w.done(again)
	if r.ID != "" || len(r.Post) > 0 {
		t.Errorf("a second rollback did something: %+v", r)
	}
	if entries, err := w.engine.History(t.Context()); err != nil || len(entries) != 1 {
		t.Errorf("history: %v, %v", entries, err)
	}
	_, err := w.execute(again)
	refused(t, err, model.CodeUsage, "nothing is staged")
}

func TestLinkInTheWayIsRefused(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	outside := filepath.Join(w.Home, "outside")
	w.must(os.Mkdir(outside, 0o755))
	w.link("deep", outside)
	plan := w.stage("deep/down/gone")
	before := w.files()
	_, err := w.execute(plan)
	refused(t, err, model.CodeRefused, "deep")
	w.same("link in the way", w.files(), before)
	if names, err := os.ReadDir(outside); err != nil || len(names) > 0 {
		t.Errorf("written outside: %v, %v", names, err)
	}
}

func TestFoldersOfTheTurnGoWhenEmpty(t *testing.T) {
	w := newWorld(t)
	w.Write("p0", "x\n")
	w.Commit("base")
	w.must(os.MkdirAll(w.Path("was/empty"), 0o755))
	w.turn(func() {
		w.Write("p/q/r.txt", "r\n")
		w.Write("k/l/m.txt", "m\n")
		w.Write("was/empty/f", "f\n")
	})
	w.Write("k/l/users", "user's\n")
	w.done(w.stage())
	for name, there := range map[string]bool{"p": false, "k/l/users": true, "k/l/m.txt": false, "was/empty": true, "was/empty/f": false} {
		if w.Exists(name) != there {
			t.Errorf("%s there: %v, want %v", name, !there, there)
		}
	}
}
