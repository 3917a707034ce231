package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

const lockName = "ledger.lock"

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
		if e.Session.State == "" {
			e.Session.State = model.TurnInterrupted
		}
		if !isEndState(e.Session.State) {
			return model.Usagef("a turn cannot end as %q", e.Session.State)
		}
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
	if l.d.Refused != nil {
		return model.Turn{}, l.d.Refused
	}
	own.Arrived = l.d.Clock().UTC()
	if err := own.check(own.Arrived); err != nil {
		return model.Turn{}, err
	}
	if err := l.d.Repo.EnsureStateDir(); err != nil {
		return model.Turn{}, err
	}
	if own.byHook() {
		l.own.hold(&own)
	}
	unlock, err := l.lock(ctx)
	if err != nil {
		if own.byHook() && model.CodeOf(err) == model.CodeLocked {
			return model.Turn{}, l.later(own)
		}
		return model.Turn{}, err
	}
	defer unlock()
	t, err := l.pass(ctx, &own, func(p *pass, _ *turnFile) error { return p.publish(ctx) })
	if errors.Is(err, errTooLate) {
		return model.Turn{}, l.later(own)
	}
	return t, err
}

// later leaves own in the inbox, unless Abandon just did.
func (l *Ledger) later(own event) error {
	if err := l.own.claim(); err != nil {
		return err
	}
	return l.leave(own)
}

// pass works off the inbox and own (nil: the inbox alone) and hands what came of
// it to finish. An event of the inbox that cannot be worked off is set aside, and
// the pass begins again without it: it must not be in the way of all others.
func (l *Ledger) pass(ctx context.Context, own *event, finish func(*pass, *turnFile) error) (model.Turn, error) {
	for {
		p := l.newPass()
		p.mayWait = own != nil && own.Start == nil && own.byHook()
		t, culprit, err := p.work(ctx, own)
		if err == nil {
			err = finish(p, t)
		}
		p.w.Discard()
		switch {
		case culprit != "" && !errors.Is(err, errTooLate):
			p.release("")
			l.setAside(culprit, err)
			continue
		case err != nil:
			p.release("")
			return model.Turn{}, err
		case t == nil:
			return model.Turn{}, nil
		}
		return t.Turn, nil
	}
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
// times, then by arrival. What comes of own is returned; with an error, culprit is
// the inbox file that it came from, "" for own.
func (p *pass) work(ctx context.Context, own *event) (result *turnFile, culprit string, err error) {
	for _, e := range p.l.inbox(own) {
		t, err := p.take(ctx, e)
		if err != nil {
			return nil, e.path, err
		}
		if e.path == "" {
			result = t
		} else {
			p.unlinked = append(p.unlinked, e.path)
		}
	}
	return result, "", nil
}

func (p *pass) take(ctx context.Context, e event) (*turnFile, error) {
	switch {
	case e.Start != nil:
		return p.start(ctx, *e.Start, e.path != "")
	case e.End != nil:
		return p.end(ctx, *e.End, e.path != "")
	}
	return p.endSession(ctx, *e.Session, e.path != "")
}

// endSession closes the turn that is open when the conversation's run ends.
func (p *pass) endSession(ctx context.Context, ev SessionEvent, late bool) (*turnFile, error) {
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
	return open, p.close(ctx, th, open, ending{state: ev.State, at: ev.At, late: late})
}
