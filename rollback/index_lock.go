package rollback

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
)

func (e *Engine) indexLock() string { return filepath.Join(e.Repo.GitDir, "index.lock") }

// lockedIndex says in our own words that git found its lock of the index taken.
func (e *Engine) lockedIndex(err error) error {
	var failed *gitops.GitError
	if !errors.As(err, &failed) || !strings.Contains(failed.Stderr, "index.lock': File exists") {
		return err
	}
	return model.Errorf(model.CodeFailed, "the staged entries could not be put back: git's lock of the index is there").
		WithHint("wait until the other git command ends, or remove %s if none runs; then run it again", e.indexLock())
}

// dropDeadLock removes a lock of the index that a git of an interrupted entry's own left:
// it was made after the entry had begun and before the index counted as moved, and the
// system has started since, so that its process is gone. Any other lock is left to who
// made it, and to the user.
func (e *Engine) dropDeadLock(entry *journal.Entry) error {
	if len(entry.Index) == 0 || entry.Indexed || !entry.Beside {
		return nil
	}
	info, err := os.Lstat(e.indexLock())
	if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(entry.At.Truncate(time.Second)) {
		return nil // git says what is in its way
	}
	up, known := uptime()
	if !known || !info.ModTime().Before(e.Clock().Add(-up)) {
		return nil
	}
	durable.Point("rollback.dropdeadlock.remove")
	if err := os.Remove(e.indexLock()); err != nil {
		return model.Failf(err, "cannot remove the lock that a git of the interrupted rollback left")
	}
	return nil
}
