package ledger

import (
	"context"
	"time"

	"overturn/model"
	"overturn/model/trace"
)

// defaultLockWait is how long an event waits for others to be recorded. A hook
// has 10 s in all and the capture itself needs its share.
const defaultLockWait = 5 * time.Second

// Ledger records and lists the turns of one work tree. It is safe for several
// goroutines and several processes.
type Ledger struct {
	d Deps
}

// New makes a ledger; it reads and writes nothing yet.
func New(d Deps) *Ledger {
	if d.Trace == nil {
		d.Trace = trace.Discard{}
	}
	if d.LockWait == 0 {
		d.LockWait = defaultLockWait
	}
	return &Ledger{d}
}

// Start records the start of a turn. A start with the id of the open turn changes
// nothing; one while another turn is open closes that one as interrupted. A
// capture that fails gives a turn with status error and its reason, not an error.
// ErrDeferred: the event waits in the inbox (ByHook only; CodeLocked otherwise).
func (l *Ledger) Start(ctx context.Context, ev StartEvent) (model.Turn, error) {
	return model.Turn{}, nil
}

// End records the end of a turn, see CONTRACT on `turn end`.
func (l *Ledger) End(ctx context.Context, ev EndEvent) (model.Turn, error) {
	return model.Turn{}, nil
}

// Tool records a tool call and the state of the work tree at it. A call that
// comes after the end of its turn is kept with that turn.
func (l *Ledger) Tool(ctx context.Context, ev ToolEvent) error { return nil }

// Touch records that the agent's own tool wrote paths.
func (l *Ledger) Touch(ctx context.Context, thread model.ThreadID, paths []model.Path) error {
	return nil
}

// Effect journals an effect of the open turn, else of the newest.
func (l *Ledger) Effect(ctx context.Context, thread model.ThreadID, effect model.Effect) (model.Turn, error) {
	return model.Turn{}, nil
}

// SessionStart closes a turn that an earlier run of the conversation left open.
func (l *Ledger) SessionStart(ctx context.Context, ev SessionEvent) error { return nil }

// SessionEnd closes the open turn of the conversation as interrupted.
func (l *Ledger) SessionEnd(ctx context.Context, ev SessionEvent) error { return nil }

// Settle works off the inbox, closes open turns whose agent is gone, captures
// what is missing where that is still truthful, and writes records that wait.
func (l *Ledger) Settle(ctx context.Context) error { return nil }

// Threads lists the threads of every work tree of the repository, the one with
// the newest turn first.
func (l *Ledger) Threads(ctx context.Context) ([]model.Thread, error) { return nil, nil }

// Turns lists the newest limit turns of thread, oldest first; 0 is all.
func (l *Ledger) Turns(ctx context.Context, thread model.ThreadID, limit int) ([]model.Turn, error) {
	return nil, nil
}

// Turn returns turn n of thread (CodeUsage when there is none).
func (l *Ledger) Turn(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error) {
	return model.Turn{}, nil
}

// Default is the thread with the newest turn in this work tree
// (CodeNoRepository when nothing is recorded here).
func (l *Ledger) Default(ctx context.Context) (model.ThreadID, error) { return "", nil }

// Resolve finds the thread that name names: whole, or by a prefix that only one
// has (CodeUsage otherwise).
func (l *Ledger) Resolve(ctx context.Context, name string) (model.ThreadID, error) { return "", nil }

// Open lists the open turns of this work tree.
func (l *Ledger) Open(ctx context.Context) ([]model.Turn, error) { return nil, nil }

// Generation changes whenever something was recorded in this work tree. It costs
// one stat.
func (l *Ledger) Generation(ctx context.Context) (string, error) { return "", nil }

// Evidence returns what was seen during turn n.
func (l *Ledger) Evidence(ctx context.Context, thread model.ThreadID, n int) (Evidence, error) {
	return Evidence{}, nil
}

// Boundary returns the snapshot commit of boundary n, or an error that names the
// status and reason of the turn that lacks it.
func (l *Ledger) Boundary(ctx context.Context, thread model.ThreadID, n int) (string, error) {
	return "", nil
}

// Revert takes the turns after to out of the thread, after their refs were moved
// below refs/overturn/reverted/<id>/. The next turn is to+1.
func (l *Ledger) Revert(ctx context.Context, thread model.ThreadID, to int, id model.ID) error {
	return nil
}

// Unrevert takes Revert back; no newer turn may have started.
func (l *Ledger) Unrevert(ctx context.Context, thread model.ThreadID, id model.ID) error { return nil }

// Reverted lists the turns of thread that reverts took out, newest first.
func (l *Ledger) Reverted(ctx context.Context, thread model.ThreadID) ([]model.Turn, error) {
	return nil, nil
}
