package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
)

// inboxName is the folder of events that came while the lock was not to be had.
const inboxName = "inbox"

// leave puts an event into the inbox. It is durable: nobody else knows of it.
func (l *Ledger) leave(e event) error {
	dir := filepath.Join(l.d.Repo.StateDir(), inboxName)
	durable.Point("ledger.leave.mkdir")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return localFailure(err, dir)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return model.Failf(err, "cannot leave an event in the inbox")
	}
	name := fmt.Sprintf("%020d-%d-%p.json", e.Arrived.UnixNano(), os.Getpid(), &e)
	if err := durable.ReplaceFile(filepath.Join(dir, name), append(data, '\n'), 0o600); err != nil {
		return localFailure(err, dir)
	}
	return ErrDeferred
}

// inbox returns what waits, with own among it (nil: none), in order. A file that
// is no event is set aside under another name, so that it is looked at once.
func (l *Ledger) inbox(own *event) []event {
	dir := filepath.Join(l.d.Repo.StateDir(), inboxName)
	var list []event
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		l.d.Trace.Record(trace.Event{Event: trace.CheckpointCaptureFailed, Outcome: "inbox", Reason: err.Error()})
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		e, err := readEvent(path, l.d.Clock().UTC())
		if err != nil {
			l.setAside(path, err)
			continue
		}
		list = append(list, e)
	}
	if own != nil {
		list = append(list, *own)
	}
	slices.SortStableFunc(list, func(a, b event) int {
		if c := a.at().Compare(b.at()); c != 0 {
			return c
		}
		return a.Arrived.Compare(b.Arrived)
	})
	return list
}

// setAside takes a file out of the inbox and keeps it for whoever looks.
func (l *Ledger) setAside(path string, cause error) {
	l.d.Trace.Record(trace.Event{Event: trace.CheckpointCaptureFailed, Outcome: "dropped", Reason: cause.Error()})
	durable.Point("ledger.setaside.rename")
	if os.Rename(path, path+".broken") != nil {
		_ = os.Remove(path) // either way it is not looked at again
	}
}

func readEvent(path string, now time.Time) (event, error) {
	data, err := durable.ReadFile(path)
	if err != nil {
		return event{}, err
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return event{}, model.Failf(err, "%s in the inbox is not an event", filepath.Base(path))
	}
	e.path = path
	return e, e.check(now)
}
