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

func TestUndoNeverOverwritesALaterEdit(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	r := w.done(w.stage("edit", "gone", "bin"))
	w.Write("edit", "typed after the rollback\n")
	before := w.files()
	u, err := w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{})
	refused(t, err, model.CodeRefused, "edit", "nothing was written", r.Safety)
	if u == nil || u.Outcome != model.OutcomeRefused || len(u.Skipped) != 1 {
		t.Errorf("result: %+v", u)
	}
	w.same("refused", w.files(), before)

	u, err = w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{Partial: true})
	w.must(err)
	if u.Outcome != model.OutcomePartial || u.Skipped[0].Path != "edit" {
		t.Errorf("partial: %+v", u)
	}
	delete(before, "gone")
	before["bin"] = "-rw-r--r-- \x00\xff\x02"
	w.same("partial", w.files(), before)
}

// TestUndoIsRefusedByWhatCameIntoAFolder: a file goes back to where a folder stands now
// only where all in the folder goes; else nothing is begun, and it is said why.
func TestUndoIsRefusedByWhatCameIntoAFolder(t *testing.T) {
	for name, came := range map[string]func(*world){
		"file":   func(w *world) { w.Write("d/sub/mine", "typed after the rollback\n") },
		"folder": func(w *world) { w.must(os.Mkdir(w.Path("d/empty"), 0o755)) },
		"link":   func(w *world) { w.link("d/sub/l", "../..") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Write("d/sub/c", "c\n")
			w.Commit("base")
			w.turn(func() { w.must(os.RemoveAll(w.Path("d"))); w.Write("d", "now a file\n") })
			turn := w.files()
			w.done(w.stage("d", "d/sub/c"))
			back := w.files()
			came(w)
			before := w.files()
			_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			refused(t, err, model.CodeRefused, "something in it stays", "nothing was written")
			w.same("refused", w.files(), before)
			for _, p := range []string{"d/sub/mine", "d/empty", "d/sub/l"} {
				w.must(os.RemoveAll(w.Path(p)))
			}
			w.same("as it was", w.files(), back)
			_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
			w.same("undone", w.files(), turn)
			_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
			w.same("redone", w.files(), back)
		})
	}
}

// TestUndoOfWhatGitCannotGiveBack: bytes that filters would change, files that
// are ignored by now, modes that git does not know.
func TestUndoOfWhatGitCannotGiveBack(t *testing.T) {
	w := newWorld(t)
	w.Git("config", "core.autocrlf", "true")
	w.Write(".gitattributes", "*.up filter=up\n*.txt text eol=lf\n")
	w.Git("config", "filter.up.clean", "tr a-z A-Z")
	w.Git("config", "filter.up.smudge", "tr A-Z a-z")
	w.Write("a.up", "mixed Case\n")
	w.Write("b.txt", "crlf\r\nand lf\n")
	w.Write("c", "one\r\ntwo\n")
	w.Write("secret", "x\n")
	w.Chmod("secret", 0o640)
	w.Write("log", "ignored soon\n")
	w.Git("add", "-A")
	w.Commit("base")
	before := w.files()
	w.turn(func() {
		w.Write("a.up", "MIXED more Case\n")
		w.Write("b.txt", "lf\nand crlf\r\n")
		w.Write("c", "one\ntwo\r\n")
		w.Write("log", "changed\n")
		w.Write("secret", "y\n")
		w.Chmod("secret", 0o604)
	})
	w.Write(".gitignore", "log\n")
	before[".gitignore"] = "-rw-r--r-- log\n"
	after := w.files()
	w.done(w.stage("a.up", "b.txt", "c", "secret", "log"))
	w.same("rolled back", w.files(), before)
	_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.same("undone", w.files(), after)
	_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.same("redone", w.files(), before)
}

// TestUndoWithADamagedObjectWritesNothing: the bytes are looked for before the
// first write (a truncated object counts as none).
func TestUndoWithADamagedObjectWritesNothing(t *testing.T) {
	w := newUnchecked(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	w.done(w.stage("edit"))
	oid := w.GitInput("one\nTWO\nthree\n", "hash-object", "--stdin")
	if !w.damage(oid) {
		t.Fatalf("object %s is not stored", oid)
	}
	before := w.files()
	fresh := wire(t, w.Repo)
	_, err := fresh.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeFailed, "edit", "fsck")
	w.same("damaged", w.files(), before)
	if i, err := fresh.engine.Interrupted(t.Context()); err != nil || i != nil {
		t.Errorf("interrupted: %+v, %v", i, err)
	}
}

// damage truncates the object's file, or every pack where it is packed.
func (w *world) damage(oid string) bool {
	loose := filepath.Join(w.GitDir(), "objects", oid[:2], oid[2:])
	files := []string{loose}
	if _, err := os.Stat(loose); err != nil {
		packs, err := filepath.Glob(filepath.Join(w.GitDir(), "objects", "pack", "*.pack"))
		w.must(err)
		files = packs
	}
	for _, name := range files {
		w.must(os.Chmod(name, 0o644))
		w.must(os.Truncate(name, 0))
	}
	return len(files) > 0
}

// What was confirmed is redone, whatever was undone since.
func TestRedoOfANamedUndo(t *testing.T) {
	w := newWorld(t)
	w.Write("a", "a\n")
	w.Write("b", "b\n")
	w.turn(func() { w.Write("a", "agent\n"); w.Write("b", "agent\n") })
	w.done(w.stage("a"))
	first, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	w.done(w.stage("b"))
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	w.must(err)
	_, err = w.engine.Redo(t.Context(), first.ID, rollback.ExecuteOptions{})
	w.must(err)
	if a, b := w.Read("a"), w.Read("b"); a != "a\n" || b != "agent\n" {
		t.Errorf("a holds %q, b %q", a, b)
	}
}

// TestRedoGoesNoFurtherThanTheLastRollback: undos are redone the newest first, each
// once; what was undone before something else was rolled back is not, but by its id.
func TestRedoGoesNoFurtherThanTheLastRollback(t *testing.T) {
	w := newWorld(t)
	files := []string{"a", "b", "c"}
	for _, f := range files {
		w.Write(f, f+"\n")
	}
	w.turn(func() {
		for _, f := range files {
			w.Write(f, "agent\n")
		}
	})
	undo := func() *model.Result {
		r, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
		return r
	}
	redo := func() error {
		_, err := w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
		return err
	}
	w.done(w.stage("a"))
	w.done(w.stage("b"))
	undo()
	undo()
	w.must(redo())
	if w.Read("a") != "a\n" || w.Read("b") != "agent\n" {
		t.Fatalf("the first redo: a %q, b %q", w.Read("a"), w.Read("b"))
	}
	w.must(redo())
	if w.Read("b") != "b\n" {
		t.Fatalf("the second redo: b %q", w.Read("b"))
	}
	refused(t, redo(), model.CodeUsage, "nothing to redo")

	older := undo()
	newer := w.done(w.stage("c"))
	before := w.files()
	refused(t, redo(), model.CodeUsage, "rollback "+string(newer.ID), "overturn undo "+string(older.ID))
	undo()
	w.must(redo())
	refused(t, redo(), model.CodeUsage, "overturn undo "+string(older.ID))
	w.same("c is back again, b not", w.files(), before)
	_, err := w.engine.Undo(t.Context(), older.ID, rollback.ExecuteOptions{})
	w.must(err)
	if w.Read("b") != "b\n" {
		t.Errorf("the undo by its id: b %q", w.Read("b"))
	}
}

func TestNothingToUndoOrRedo(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeUsage, "nothing to undo")
	_, err = w.engine.Redo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeUsage, "nothing to redo")
	_, err = w.engine.Undo(t.Context(), "01h455vb4pex5vsknk084sn02q", rollback.ExecuteOptions{})
	refused(t, err, model.CodeUsage, "no rollback")
	w.turn(func() { changeEveryKind(w) })
	r := w.done(w.stage("edit"))
	_, err = w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{})
	w.must(err)
	again, err := w.engine.Undo(t.Context(), r.ID, rollback.ExecuteOptions{})
	if err != nil || again.ID != "" || again.Outcome != model.OutcomeComplete {
		t.Errorf("what is undone already: %+v, %v", again, err)
	}
}

// TestUndoesOfSeveralRollbacksGoBackInOrder: the newest first, each byte for byte.
func TestUndoesOfSeveralRollbacksGoBackInOrder(t *testing.T) {
	w := newWorld(t)
	everyKind(w)
	w.turn(func() { changeEveryKind(w) })
	var states []map[string]string
	for _, paths := range []string{"edit", "gone deep/down/gone", "new/made/file link", "was-dir was-dir/a"} {
		states = append(states, w.files())
		w.done(w.stage(strings.Fields(paths)...))
	}
	for i := len(states) - 1; i >= 0; i-- {
		_, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
		w.same("undo", w.files(), states[i])
	}
}
