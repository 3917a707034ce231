package ledger

import (
	"context"
	"sync/atomic"
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
	d   Deps
	own held

	capturing atomic.Pointer[attempt] // the capture under way, for Abandon
}

// New makes a ledger; it reads and writes nothing yet.
func New(d Deps) *Ledger {
	if d.Trace == nil {
		d.Trace = trace.Discard{}
	}
	if d.LockWait == 0 {
		d.LockWait = defaultLockWait
	}
	return &Ledger{d: d}
}

// Start records the start of a turn. A start with the id of the open turn changes
// nothing; one while another turn is open closes that one as interrupted. A
// capture that fails gives a turn with status error and its reason, not an error.
// ErrDeferred: the event waits in the inbox (ByHook only; CodeLocked otherwise).
func (l *Ledger) Start(ctx context.Context, ev StartEvent) (model.Turn, error) {
	return l.run(ctx, event{Start: &ev})
}

// End records the end of a turn, see CONTRACT on `turn end`. Errors as of Start.
func (l *Ledger) End(ctx context.Context, ev EndEvent) (model.Turn, error) {
	t, err := l.run(ctx, event{End: &ev})
	if err == nil {
		// A session may go on for a hundred turns, and each pack is one more that every
		// hook of it has to look into. A failure is not the turn's: the next one joins.
		_ = l.d.Objects.Join(ctx)
	}
	return t, err
}

// SessionStart closes the turn that an earlier run of the conversation left open,
// if that run is gone, notes which program has it open now, and joins the packs that many turns left: whoever records
// by hooks alone never opens a review, and nothing has been asked of the agent yet.
func (l *Ledger) SessionStart(ctx context.Context, ev SessionEvent) error {
	th, open, err := l.targetOf(ctx, ev.Thread, "")
	if err != nil {
		return err
	}
	if open != nil && open.open() && Gone(open.Process) {
		if err := l.SessionEnd(ctx, ev); err != nil {
			return err
		}
	}
	if th != nil {
		if err := th.dir.noteSession(ev.PID); err != nil {
			return err
		}
	}
	l.sweep()
	return l.d.Objects.Join(ctx)
}

// SessionEnd closes the open turn of the conversation as interrupted.
func (l *Ledger) SessionEnd(ctx context.Context, ev SessionEvent) error {
	_, err := l.run(ctx, event{Session: &ev})
	return err
}

// Tool records a tool call and the state of the work tree at it. A call that
// comes after the end of its turn is kept with that turn; one of a conversation
// that has no turn here is let go.
func (l *Ledger) Tool(ctx context.Context, ev ToolEvent) error { return l.tool(ctx, ev) }

// Touch records that the agent's own tool wrote paths, for the open turn, else
// the newest (CodeUsage when there is none).
func (l *Ledger) Touch(ctx context.Context, thread model.ThreadID, paths []model.Path) error {
	return l.touch(ctx, thread, paths)
}

// Effect journals an effect of the open turn, else of the newest.
func (l *Ledger) Effect(ctx context.Context, thread model.ThreadID, effect model.Effect) (model.Turn, error) {
	return l.effect(ctx, thread, "", effect)
}

// EffectOf is Effect for one of a tool call: told again of the same call, by a second
// hook, it counts once.
func (l *Ledger) EffectOf(ctx context.Context, thread model.ThreadID, call string, effect model.Effect) (model.Turn, error) {
	return l.effect(ctx, thread, call, effect)
}

// Settle works off the inbox, closes open turns whose agent is gone, captures
// what is missing where that is still truthful, and writes records that wait.
func (l *Ledger) Settle(ctx context.Context) error { return l.settle(ctx) }

// Threads lists the threads of every work tree of the repository, the one with
// the newest turn first.
func (l *Ledger) Threads(ctx context.Context) ([]model.Thread, error) { return l.allThreads(ctx) }

// Turns lists the newest limit turns of thread, oldest first; 0 is all.
func (l *Ledger) Turns(ctx context.Context, thread model.ThreadID, limit int) ([]model.Turn, error) {
	return l.turns(ctx, thread, window{limit: limit}, false)
}

// Turn returns turn n of thread (CodeUsage when there is none).
func (l *Ledger) Turn(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error) {
	th, t, err := l.turn(ctx, thread, n)
	if err != nil {
		return model.Turn{}, err
	}
	return l.view(ctx, th, t, false)
}

// Briefs is Turns without the lists that grow with a turn: files, what was left
// out, inventories. It costs the same whatever the turns did.
func (l *Ledger) Briefs(ctx context.Context, thread model.ThreadID, limit int) ([]model.Turn, error) {
	return l.turns(ctx, thread, window{limit: limit}, true)
}

// Between is Briefs of the turns from one number to another, both included.
func (l *Ledger) Between(ctx context.Context, thread model.ThreadID, from, to int) ([]model.Turn, error) {
	return l.turns(ctx, thread, window{from: from, to: to}, true)
}

// Brief is Turn without these lists.
func (l *Ledger) Brief(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error) {
	th, t, err := l.turn(ctx, thread, n)
	if err != nil {
		return model.Turn{}, err
	}
	return l.view(ctx, th, t, true)
}

// Default is the thread with the newest turn in this work tree
// (CodeNoRepository when nothing is recorded here).
func (l *Ledger) Default(ctx context.Context) (model.ThreadID, error) { return l.defaultThread(ctx) }

// Resolve finds the thread that name names: whole, or by a prefix that only one
// has (CodeUsage otherwise).
func (l *Ledger) Resolve(ctx context.Context, name string) (model.ThreadID, error) {
	return l.resolve(ctx, name)
}

// Open lists the open turns of this work tree.
func (l *Ledger) Open(ctx context.Context) ([]model.Turn, error) { return l.openTurns(ctx) }

// Generation changes whenever a boundary or an effect was recorded in this work
// tree; "" when nothing was yet. It costs one stat.
func (l *Ledger) Generation(ctx context.Context) (string, error) {
	return stamp(l.statePath()), ctx.Err()
}

// Evidence returns what was seen during turn n.
func (l *Ledger) Evidence(ctx context.Context, thread model.ThreadID, n int) (Evidence, error) {
	th, t, err := l.turn(ctx, thread, n)
	if err != nil {
		return Evidence{}, err
	}
	lines, _, err := th.dir.evidence(n)
	if err == nil && len(lines) == 0 && l.d.Records != nil && !t.open() {
		if data, err := l.d.Records.Evidence(ctx, t.Turn.Checkpoint); err == nil {
			lines, _ = parseEvidence(data)
		}
	}
	ev := readEvidence(lines, t.ReportsTools)
	ev.Gone = t.Pruned != nil && t.ReportsTools && len(lines) == 0
	return ev, err
}

// Boundary returns the snapshot commit of boundary n: CodeUsage for a boundary
// ahead of the latest, else an error that names the status and the reason of the
// turn that lacks it.
func (l *Ledger) Boundary(ctx context.Context, thread model.ThreadID, n int) (string, error) {
	return l.boundary(ctx, thread, n)
}

// Standing is what a revert has to know of a thread (CodeUsage when there is none).
func (l *Ledger) Standing(ctx context.Context, thread model.ThreadID) (Standing, error) {
	return l.standing(ctx, thread)
}

// Revert takes the turns behind boundary r.To out of the thread; the next turn is
// To+1. CodeRefused: a turn is open, or one came behind Latest. It can be called again
// after it was cut short, and when it was done it does nothing.
func (l *Ledger) Revert(ctx context.Context, r Reverting) error { return l.revert(ctx, r) }

// Unrevert takes Revert back (CodeRefused when the thread has gone on since). It can be
// called again, and where nothing is out it moves the refs alone.
func (l *Ledger) Unrevert(ctx context.Context, r Reverting) error { return l.unrevert(ctx, r) }

// CanUnrevert tells whether Unrevert would do, and writes nothing.
func (l *Ledger) CanUnrevert(ctx context.Context, r Reverting) error { return l.canUnrevert(ctx, r) }

// TakenOut lists the turns of a thread of this work tree that the revert id took out,
// without their lists, oldest first.
func (l *Ledger) TakenOut(ctx context.Context, thread model.ThreadID, id model.ID) ([]model.Turn, error) {
	return l.takenOutBy(ctx, thread, id)
}

// GoesOn lets a conversation go on with a thread of this work tree, though it has
// another id: its next turn is the thread's. GoesOnNoMore takes that back.
func (l *Ledger) GoesOn(ctx context.Context, conversation, thread model.ThreadID) error {
	return l.goesOn(ctx, conversation, thread)
}

// GoesOnNoMore takes GoesOn back; without one it does nothing.
func (l *Ledger) GoesOnNoMore(conversation model.ThreadID) error {
	return l.goesOnNoMore(conversation)
}

// HasReverted finds the thread that name names among those of which turns are out, for
// threads that have no other turns any more; "" where it is not one.
func (l *Ledger) HasReverted(name string) model.ThreadID {
	if found := l.resolveReverted(name); len(found) == 1 {
		return found[0]
	}
	return ""
}

// AllOut tells whether turns were recorded in this work tree, and reverts took out all of
// them.
func (l *Ledger) AllOut(ctx context.Context) bool {
	_, err := l.defaultThread(ctx)
	return err != nil && len(l.resolveReverted("")) > 0
}

// Reverted lists the turns of thread that reverts took out, newest first.
func (l *Ledger) Reverted(ctx context.Context, thread model.ThreadID) ([]model.Turn, error) {
	return l.revertedTurns(ctx, thread)
}

func (l *Ledger) boundary(ctx context.Context, thread model.ThreadID, n int) (string, error) {
	th, err := l.find(ctx, thread)
	if err != nil {
		return "", err
	}
	if n < 0 || n > th.last {
		return "", model.Usagef("thread %q has no boundary %d", th.id, n).WithHint("its newest turn is %d", th.last)
	}
	if n == 0 {
		return l.baseline(ctx, th)
	}
	t, err := th.turn(n)
	if err != nil {
		return "", err
	}
	if t == nil {
		return "", model.Usagef("thread %q has no turn %d", th.id, n)
	}
	seen, err := l.view(ctx, th, t, true)
	if err != nil {
		return "", err
	}
	commit, err := l.d.Refs.Read(ctx, endRef(th.id, n))
	switch {
	case err != nil:
		return "", err
	case seen.End == nil && t.open():
		return "", model.Errorf(model.CodeFailed, "turn %d of thread %q is open: it has no end yet", n, th.id).
			WithHint("compare with the working tree instead")
	case seen.End == nil || commit != seen.End.Commit:
		return "", model.Errorf(model.CodeFailed, "boundary %d of thread %q is not there (%s): %s", n, th.id, seen.Status, seen.StatusReason).
			WithHint("choose boundaries that were captured; `overturn turns` shows which")
	}
	return commit, nil
}

// baseline is the snapshot before turn 1, if its ref still holds what turn 1
// started from.
func (l *Ledger) baseline(ctx context.Context, th *threadState) (string, error) {
	ref := endRef(th.id, 0)
	commit, err := l.d.Refs.Read(ctx, ref)
	if err != nil {
		return "", err
	}
	first, err := th.turn(1)
	if err != nil {
		return "", err
	}
	what := ""
	if commit == "" {
		what = "is not there"
		if first != nil {
			if at := th.prunedAt(first, ref); at != nil {
				what = "was " + prunedReason(*at)
			}
		}
	} else if first != nil && first.Turn.Start != nil && first.Turn.Start.Ref == ref && first.Turn.Start.Commit != commit {
		what = "holds another snapshot than was recorded"
	}
	if what != "" {
		return "", model.Errorf(model.CodeFailed, "the baseline of thread %q is missing: %s %s", th.id, ref, what).
			WithHint("compare from a later boundary; a baseline is never made again from today's content")
	}
	return commit, nil
}
