package ledger

import (
	"context"
	"errors"
	"time"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
)

// errTooLate says that the time for an end was too short to capture it. The event
// then waits: agents give some of their hooks a second only, and what the next
// event finds, or Settle, is a better end than none.
var errTooLate = errors.New("the capture takes longer than there is time")

// pass works out one or several events under the lock, against one capture, and
// publishes what comes of them in one go. Nothing is written before publish.
type pass struct {
	l   *Ledger
	now time.Time
	w   *objects.Writer

	mayWait  bool // the end that is worked out can wait in the inbox
	captured bool
	snap     *snapshot.Snapshot
	snapErr  error

	threads     map[model.ThreadID]*threadState
	changed     []*change
	updates     []refs.Update
	records     []recordWrite
	commit      string    // a commit of snap that a ref is going to hold
	state       stateFile // the newest turn of the work tree
	stateBefore stateFile
	events      []trace.Event
	unlinked    []string // inbox files that this pass worked off
	folders     []string // with new names that must be on the disk before a start is said to be recorded
	late        []lateWrites
}

// change is a turn that the pass changes.
type change struct {
	th      *threadState
	t       *turnFile
	started bool // opened by this pass
	ended   bool // closed, or its end moved, by this pass
	thread  *threadFile
	lines   []evidenceLine // added by this pass
	stored  []evidenceLine // that were there, once read
	read    bool

	published *snapshot.Stored // an end that is there already, by a process that was killed
}

func (l *Ledger) newPass() *pass {
	state := l.readState()
	return &pass{
		l: l, now: l.d.Clock().UTC(), w: l.d.Objects.NewWriter(),
		threads: map[model.ThreadID]*threadState{}, state: state, stateBefore: state,
	}
}

// capture takes the state of the work tree, once for the whole pass. It leaves
// part of the time for saying that it failed.
func (p *pass) capture(ctx context.Context) (*snapshot.Snapshot, error) {
	if p.captured {
		return p.snap, p.snapErr
	}
	p.captured = true
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	try, err := p.l.attempt(ctx)
	if err == nil {
		p.snap, p.snapErr = p.l.d.Snapshots.Capture(ctx, p.w)
		try.done(p.snapErr)
	} else {
		p.snapErr = err
	}
	// What was not tried can wait as well: a verb by hand may come in between.
	if p.snapErr != nil && p.mayWait && (err != nil || errors.Is(ctx.Err(), context.DeadlineExceeded)) {
		p.snapErr = errTooLate
	}
	return p.snap, p.snapErr
}

// thread returns the state of a thread of this work tree, made anew from its refs
// when the local files are gone.
func (p *pass) thread(ctx context.Context, conversation model.ThreadID) (*threadState, error) {
	id, fresh, err := p.l.settleName(ctx, conversation)
	if err != nil {
		return nil, err
	}
	if th, ok := p.threads[id]; ok {
		return th, nil
	}
	if fresh {
		if err := p.l.rebuild(ctx, id); err != nil {
			return nil, err
		}
	}
	th, err := p.l.load(ctx, p.l.d.Repo.StateDir(), id)
	if err != nil {
		return nil, err
	}
	p.threads[id] = th
	return th, nil
}

func (l *Ledger) load(ctx context.Context, stateDir string, id model.ThreadID) (*threadState, error) {
	return loadThread(id, dirOf(stateDir, id), func(n int) *turnFile { return l.recoverTurn(ctx, id, n) })
}

// change returns the pass's entry for a turn, which then has its lists.
func (p *pass) change(th *threadState, t *turnFile) *change {
	for _, c := range p.changed {
		if c.t == t {
			return c
		}
	}
	th.fill(t)
	c := &change{th: th, t: t}
	p.changed = append(p.changed, c)
	return c
}

func (p *pass) note(e trace.Event, t *turnFile) {
	e.Thread, e.Turn = t.Turn.Thread, t.Turn.Number
	if e.At.IsZero() {
		e.At = p.now
	}
	p.events = append(p.events, e)
}

// fail gives a turn a status that is not ready. The first reason stays: later
// ones follow from it.
func (p *pass) fail(t *turnFile, status model.SnapshotStatus, reason string) {
	if t.Turn.Status == model.StatusReady || t.Turn.Status == "" {
		t.Turn.Status, t.Turn.StatusReason = status, reason
	}
	p.note(trace.Event{Event: trace.CheckpointCaptureFailed, Outcome: string(status), Reason: reason, ID: t.Turn.Checkpoint}, t)
}

// free tells whether a boundary's ref can be created; otherwise the turn says
// that it is taken.
func (p *pass) free(ctx context.Context, t *turnFile, name string) bool {
	found, err := p.l.d.Refs.Read(ctx, name)
	switch {
	case err != nil:
		p.fail(t, model.StatusError, "cannot look up "+name+": "+err.Error())
	case found != "":
		p.fail(t, model.StatusError, name+" is there already, with another value ("+found+"); it was not overwritten")
	default:
		return true
	}
	return false
}

// move plans that a boundary's ref goes from old ("": it is created) to commit.
func (p *pass) move(name, old, commit string) {
	p.updates = append(p.updates, refs.Update{Name: name, Old: old, New: commit})
	p.commit = commit
}

// writeCommit adds the snapshot commit of a boundary.
func (p *pass) writeCommit(ctx context.Context, t *turnFile, n int, boundary string, kept map[string]string) (string, error) {
	extra := map[string]string{trailerWorkTree: t.Turn.WorkTree}
	if boundary == boundaryEnd {
		extra[trailerCheckpoint] = string(t.Turn.Checkpoint)
	}
	return p.l.d.Snapshots.WriteCommit(ctx, p.w, p.snap, snapshot.Trailers{
		Thread: t.Turn.Thread, Turn: n, Boundary: boundary, Extra: extra,
	}, kept)
}
