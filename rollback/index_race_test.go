//go:build linux || darwin

package rollback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/rollback"
)

// stagedKinds makes a turn that stages every kind of change of an entry.
func stagedKinds(w *world) {
	for _, name := range []string{"edit", "gone", "mode", "kind", "a \"quoted\"\tname", "-x ü"} {
		w.Write(name, "first "+name+"\n")
	}
	w.Write("fold", "a file\n")
	w.link("link", "edit")
	w.Git("add", "-A")
	w.Git("commit", "-qm", "base")
	w.turn(func() {
		for _, name := range []string{"edit", "a \"quoted\"\tname", "-x ü"} {
			w.Write(name, "last "+name+"\n")
		}
		w.must(os.Remove(w.Path("gone")))
		w.Chmod("mode", 0o755)
		w.link("kind", "edit")
		w.link("link", "mode")
		w.Write("new", "new\n")
		w.must(os.Remove(w.Path("fold")))
		w.Write("fold/x", "x\n")
		w.Git("add", "-A")
	})
}

// TestEveryKindOfStagedEntryGoesBack: all entries are as before the turn, and after
// undo as after it.
func TestEveryKindOfStagedEntryGoesBack(t *testing.T) {
	w := newWorld(t)
	stagedKinds(w)
	staged := w.Git("ls-files", "-s")
	w.done(w.stage())
	if now := w.Git("status", "--porcelain"); now != "" {
		t.Errorf("after the rollback git sees %q", now)
	}
	if _, err := w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{}); err != nil {
		t.Fatal(err)
	}
	if now := w.Git("ls-files", "-s"); now != staged {
		t.Errorf("after undo the index is\n%s\nnot\n%s", now, staged)
	}
}

// TestWhoStagesMeanwhileKeepsIt: another process stages between the look at the index
// and its change.
func TestWhoStagesMeanwhileKeepsIt(t *testing.T) {
	for name, act := range map[string]func(w *world) string{
		"another content": func(w *world) string {
			w.Git("update-index", "--cacheinfo", "100644,"+w.blob("the user's")+",edit")
			return "edit"
		},
		"nothing": func(w *world) string { w.Git("rm", "-q", "-f", "--cached", "edit"); return "edit" },
		"new one": func(w *world) string {
			w.Git("update-index", "--cacheinfo", "100644,"+w.blob("the user's")+",new")
			return "new"
		},
		"deletion": func(w *world) string {
			w.Git("update-index", "--add", "--cacheinfo", "100644,"+w.blob("the user's")+",gone")
			return "gone"
		},
		"another": func(w *world) string {
			w.Git("update-index", "--add", "--cacheinfo", "100644,"+w.blob("the user's")+",users")
			return "users"
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			stagedKinds(w)
			plan := w.stage("edit", "new", "gone")
			path, entry := "", ""
			over := w.at("rollback.index.before", func() {
				path = act(w)
				entry = w.Git("ls-files", "-s", "--", path)
			})
			r, err := w.execute(plan)
			over()
			w.must(err)
			if now := w.Git("ls-files", "-s", "--", path); now != entry {
				t.Errorf("the entry is %q, the other process left %q", now, entry)
			}
			told := false
			for _, k := range r.Kept {
				told = told || string(k.Path) == path && strings.Contains(k.Reason, "staged entry")
			}
			if told != (path != "users") {
				t.Errorf("kept: %v", r.Kept)
			}
			for _, other := range []string{"edit", "new", "gone"} {
				if other != path && w.Git("diff", "--cached", "--name-only", "--", other) != "" {
					t.Errorf("the entry of %s did not go back", other)
				}
			}
			if r.Outcome != model.OutcomeComplete {
				t.Errorf("%s: %v", r.Outcome, r.Skipped)
			}
		})
	}
}

// at lets act happen when the next rollback gets to a fail point, and returns what
// waits for it.
func (w *world) at(point string, act func()) (over func()) {
	t, leave := w.t.(*testing.T), filepath.Join(w.t.TempDir(), "leave")
	t.Setenv("OVERTURN_FAIL_POINT", point+"=wait:"+leave)
	ended, done := make(chan bool), make(chan bool, 1)
	go func() {
		defer func() {
			if err := os.WriteFile(leave, nil, 0o600); err != nil {
				t.Error(err)
			}
			done <- true
		}()
		for {
			if _, err := os.Lstat(leave + ".here"); err == nil {
				act()
				return
			}
			select {
			case <-ended:
				t.Errorf("%s was not passed", point)
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	return func() { close(ended); <-done }
}

func (w *world) blob(text string) string {
	w.t.Helper()
	name := filepath.Join(w.t.TempDir(), "blob")
	w.must(os.WriteFile(name, []byte(text), 0o600))
	return w.Git("hash-object", "-w", name)
}
