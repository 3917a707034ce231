package ledger

import (
	"errors"
	"sync"
)

// held is the event of a hook that this process is recording, until it is settled
// who keeps it: the refs that are about to move, or the inbox. Only one of them
// does.
type held struct {
	mu    sync.Mutex
	event *event // nil: there is none, or it is being published
	left  bool   // it waits in the inbox
}

// hold begins to record e.
func (h *held) hold(e *event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.event, h.left = e, false
}

// claim is the last moment at which the event can be left in the inbox.
// ErrDeferred: it was.
func (h *held) claim() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.event = nil
	if h.left {
		h.left = false
		return ErrDeferred
	}
	return nil
}

// Abandon leaves the event of a hook that is being recorded in the inbox; it is
// for a process that ends in the middle, because what it waits for cannot be
// stopped and its agent waits too. Where the event is as good as recorded, or none
// is under way, nothing is left. What is being recorded ends with ErrDeferred
// instead of being published.
func (l *Ledger) Abandon() error {
	if try := l.capturing.Load(); try != nil {
		try.done(errTooLate)
	}
	l.own.mu.Lock()
	defer l.own.mu.Unlock()
	if l.own.event == nil {
		return nil
	}
	if err := l.leave(*l.own.event); !errors.Is(err, ErrDeferred) {
		return err
	}
	l.own.event, l.own.left = nil, true
	return nil
}
