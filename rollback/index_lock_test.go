//go:build linux

package rollback_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"overturn/model"
	"overturn/rollback"
)

// TestLockThatADeadGitLeft: a recovery names git's lock of the index and says what to do,
// in our words. It takes the lock away only if a git of the rollback's own left it: made
// while the entries went back, by a process that the system has not survived.
func TestLockThatADeadGitLeft(t *testing.T) {
	w := newWorld(t)
	w.Write("edit", "old\n")
	w.Git("add", "-A")
	w.Commit("base")
	w.turn(func() {
		w.Write("edit", "new\n")
		w.Git("add", "edit")
	})
	staged := scene{w: w, fingerprint: w.stage().Fingerprint}
	const restarted = 10000 * time.Hour // later than now, by more than any system runs
	for name, c := range map[string]struct {
		point string
		made  time.Duration // of the lock, from now
		ahead time.Duration // of the clock at the recovery
		goes  bool
	}{
		"its own, and the system restarted": {"rollback.index.before", 0, restarted, true},
		"its process may live":              {"rollback.index.before", 0, 0, false},
		"older than the rollback":           {"rollback.index.before", -time.Hour, restarted, false},
		"the rollback had not come so far":  {"rollback.prepared", 0, restarted, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := staged.copy(t)
			if !w.killed(crashJob{Verb: "rollback", Expect: staged.fingerprint}, c.point) {
				t.Fatal("the child was not killed")
			}
			lock := filepath.Join(w.GitDir(), "index.lock")
			w.must(os.WriteFile(lock, nil, 0o600))
			made := time.Now().Add(c.made)
			w.must(os.Chtimes(lock, made, made))
			w.ahead = c.ahead
			r, err := w.engine.Recover(t.Context(), "", "finish")
			if c.goes {
				w.must(err)
				if r.Outcome != model.OutcomeComplete || w.Exists(".git/index.lock") {
					t.Errorf("recovered: %+v", r)
				}
			} else {
				refused(t, err, model.CodeFailed, "git's lock of the index is there", "remove "+lock+" if none runs")
				if !w.Exists(".git/index.lock") {
					t.Error("the lock is gone")
				}
				w.must(os.Remove(lock))
				_, err = w.engine.Recover(t.Context(), "", "finish")
				w.must(err)
			}
			if now := w.Git("status", "--porcelain"); now != "" || w.Read("edit") != "old\n" {
				t.Errorf("after the recovery git sees %q", now)
			}
			w.ahead = 0
			_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
			w.must(err)
			w.settled()
		})
	}
}
