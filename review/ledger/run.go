package ledger

import (
	"context"
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

const (
	lockName  = "ledger.lock"
	inboxName = "inbox"
)

// event is one event of a boundary, as the inbox keeps it. Exactly one of the
// pointers is set.
type event struct {
	Arrived time.Time     `json:"arrived"`
	Start   *StartEvent   `json:"start,omitempty"`
	End     *EndEvent     `json:"end,omitempty"`
	Session *SessionEvent `json:"session_end,omitempty"`
	path    string        // of the inbox file
}

func (e event) at() time.Time {
	switch {
	case e.Start != nil:
		return e.Start.At
	case e.End != nil:
		return e.End.At
	}
	return e.Session.At
}

func (e event) byHook() bool {
	return e.Start != nil && e.Start.ByHook || e.End != nil && e.End.ByHook || e.Session != nil && e.Session.ByHook
}

// check refuses what cannot be an event, and fills in what may be left out.
func (e event) check(now time.Time) error {
	thread, at := model.ThreadID(""), (*time.Time)(nil)
	switch {
	case e.Start != nil:
		thread, at = e.Start.Thread, &e.Start.At
	case e.End != nil:
		thread, at = e.End.Thread, &e.End.At
		if e.End.State == "" {
			e.End.State = model.TurnCompleted
		}
		if !isEndState(e.End.State) {
			return model.Usagef("a turn cannot end as %q", e.End.State).
				WithHint("use completed, failed, cancelled, interrupted or unknown")
		}
	case e.Session != nil:
		thread, at = e.Session.Thread, &e.Session.At
	default:
		return model.Usagef("an event of no kind")
	}
	if at.IsZero() {
		*at = now
	}
	*at = at.UTC()
	_, err := model.ParseThreadID(string(thread))
	return err
}

func isEndState(s model.TurnState) bool {
	switch s {
	case model.TurnCompleted, model.TurnFailed, model.TurnCancelled, model.TurnInterrupted, model.TurnUnknown:
		return true
	}
	return false
}

// run records one event of a boundary. When the lock is not to be had in time a
// hook's event goes to the inbox.
func (l *Ledger) run(ctx context.Context, own event) (model.Turn, error) {
	own.Arrived = l.d.Clock().UTC()
	if err := own.check(own.Arrived); err != nil {
		return model.Turn{}, err
	}
	if err := l.d.Repo.EnsureStateDir(); err != nil {
		return model.Turn{}, err
	}
	unlock, err := l.lock(ctx)
	if err != nil {
		if own.byHook() && model.CodeOf(err) == model.CodeLocked {
			return model.Turn{}, l.leave(own)
		}
		return model.Turn{}, err
	}
	defer unlock()
	p := l.newPass()
	defer drop(p.w)
	t, err := p.work(ctx, own)
	if err != nil {
		p.release("")
		return model.Turn{}, err
	}
	if err := p.publish(ctx); err != nil {
		return model.Turn{}, err
	}
	if t == nil {
		return model.Turn{}, nil
	}
	return t.Turn, nil
}

// lock takes the lock of the work tree.
func (l *Ledger) lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, l.d.LockWait)
	defer cancel()
	if deadline, ok := ctx.Deadline(); ok {
		// Half of the time is for the recording itself.
		var sooner context.CancelFunc
		ctx, sooner = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer sooner()
	}
	lock, err := durable.Acquire(ctx, filepath.Join(l.d.Repo.StateDir(), lockName), "recording a turn")
	if err != nil {
		return nil, err
	}
	return func() {
		// The file stays; what can fail is closing it, and the kernel lets go of the
		// lock all the same.
		_ = lock.Unlock()
	}, nil
}

// work goes through what waits in the inbox and the event itself, by their own
// times, then by arrival. What comes of own is returned.
func (p *pass) work(ctx context.Context, own event) (*turnFile, error) {
	var result *turnFile
	for _, e := range p.l.inbox(&own) {
		t, err := p.take(ctx, e)
		switch {
		case e.path == "" && err != nil:
			return nil, err
		case e.path == "":
			result = t
		case err != nil:
			p.events = append(p.events, trace.Event{Event: trace.CheckpointCaptureFailed, At: p.now, Outcome: "dropped", Reason: err.Error()})
		}
		if e.path != "" {
			p.unlinked = append(p.unlinked, e.path)
		}
	}
	return result, nil
}

func (p *pass) take(ctx context.Context, e event) (*turnFile, error) {
	switch {
	case e.Start != nil:
		return p.start(ctx, *e.Start, e.path != "")
	case e.End != nil:
		return p.end(ctx, *e.End)
	}
	return p.endSession(ctx, *e.Session)
}

// endSession closes the turn that is open when the conversation's run ends.
func (p *pass) endSession(ctx context.Context, ev SessionEvent) (*turnFile, error) {
	name, ok := p.l.here(ev.Thread)
	if !ok {
		return nil, nil
	}
	th, err := p.thread(ctx, name)
	if err != nil {
		return nil, err
	}
	open, err := th.openTurn()
	if err != nil || open == nil {
		return nil, err
	}
	return open, p.close(ctx, th, open, ending{state: model.TurnInterrupted, at: ev.At})
}

// leave puts an event into the inbox. It is durable: nobody else knows of it.
func (l *Ledger) leave(e event) error {
	dir := filepath.Join(l.d.Repo.StateDir(), inboxName)
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
			l.d.Trace.Record(trace.Event{Event: trace.CheckpointCaptureFailed, Outcome: "dropped", Reason: err.Error()})
			_ = os.Rename(path, path+".broken")
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

func readEvent(path string, now time.Time) (event, error) {
	data, err := os.ReadFile(path)
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
