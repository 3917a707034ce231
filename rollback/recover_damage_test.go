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

func TestDamagedJournalIsSaidAndNothingIsWritten(t *testing.T) {
	s := newScene(t)
	w := s.copy(t)
	if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.marked:4") {
		t.Fatal("not killed")
	}
	files, err := filepath.Glob(filepath.Join(w.repo.StateDir(), "journal", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("journals: %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	w.must(err)
	w.must(os.WriteFile(files[0], []byte(strings.Replace(string(data), `"prepared"`, `"prep`, 1)), 0o600))
	before := w.files()
	for _, way := range []string{"finish", "unwind"} {
		_, err := w.engine.Recover(t.Context(), "", way)
		refused(t, err, model.CodeFailed, files[0], "refs/overturn/safety/")
	}
	_, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: s.fingerprint})
	refused(t, err, model.CodeFailed)
	w.same("damaged", w.files(), before)
	entries, err := w.engine.History(t.Context())
	if err != nil || len(entries) != 1 || entries[0].Kind != "damaged" {
		t.Errorf("history: %+v, %v", entries, err)
	}
	w.must(os.Rename(files[0], files[0]+".aside"))
	if i, err := w.engine.Interrupted(t.Context()); err != nil || i != nil {
		t.Errorf("after it was moved away: %+v, %v", i, err)
	}
}
