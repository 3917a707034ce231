package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
)

// Backlog is what waits to be recorded in a work tree, as it can be seen without the
// lock and without changing anything. Settle works it off.
type Backlog struct {
	Events  int          // that wait in the inbox
	Oldest  time.Time    // when the oldest of them was left there; zero when none waits
	Broken  []string     // files that were no events and were set aside
	Records []ThreadTurn // turns whose record could not be written with them
	Why     string       // what keeps the last of them from being written; "" where nothing says
	Open    []model.Turn // turns without an end
	Gone    []ThreadTurn // those of them whose agent is not running any more
}

// Backlog looks into the inbox and at the marks of this work tree.
func (l *Ledger) Backlog() (Backlog, error) {
	b := Backlog{Records: l.marked(markWaiting)}
	for _, of := range b.Records {
		if t, err := dirOf(l.d.Repo.StateDir(), of.Thread).turn(of.Turn); err == nil && t.RecordWaits != "" {
			b.Why = t.RecordWaits
		}
	}
	dir := filepath.Join(l.d.Repo.StateDir(), inboxName)
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return b, model.Failf(err, "cannot read the inbox")
	}
	for _, entry := range entries {
		switch {
		case strings.HasSuffix(entry.Name(), ".json"):
			b.Events++
			if info, err := entry.Info(); err == nil && (b.Oldest.IsZero() || info.ModTime().Before(b.Oldest)) {
				b.Oldest = info.ModTime()
			}
		case strings.HasSuffix(entry.Name(), ".broken"):
			b.Broken = append(b.Broken, filepath.Join(dir, entry.Name()))
		}
	}
	for _, of := range l.marked(markOpen) {
		t, err := dirOf(l.d.Repo.StateDir(), of.Thread).turn(of.Turn)
		if err != nil || !t.open() {
			continue // a mark may be stale
		}
		b.Open = append(b.Open, t.Turn)
		if Gone(t.Process) {
			b.Gone = append(b.Gone, of)
		}
	}
	return b, nil
}

// Fillable tells whether the end that turn n of thread lacks may still be captured,
// where nothing has changed on disk since: then Settle does so.
func (l *Ledger) Fillable(thread model.ThreadID, n int) bool {
	t, err := dirOf(l.d.Repo.StateDir(), thread).turn(n)
	return err == nil && l.readState().movable(thread, n) && fillable(t)
}
