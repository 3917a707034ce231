package ledger

import (
	"context"
	"strings"
	"time"

	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
)

// start works out a start. late: the event waited in the inbox, so what is on
// disk now is not what it started from.
func (p *pass) start(ctx context.Context, ev StartEvent, late bool) (*turnFile, error) {
	th, err := p.thread(ctx, ev.Thread)
	if err != nil {
		return nil, err
	}
	open, err := th.openTurn()
	if err != nil {
		return nil, err
	}
	if ev.TurnID != "" {
		if open != nil && open.Turn.TurnID == ev.TurnID {
			return open, nil
		}
		old, err := th.byID(ev.TurnID)
		if err == nil && old == nil {
			old, err = th.takenOut(ev.TurnID)
		}
		if err != nil || old != nil && ended(old, ev.At) {
			return old, err
		}
	}
	if ev.RequireClean {
		if err := p.demandClean(ctx); err != nil {
			return nil, err
		}
	}
	if open != nil {
		if err := p.close(ctx, th, open, ending{state: model.TurnInterrupted, at: ev.At}); err != nil {
			return nil, err
		}
	}
	if err := p.closeLeftBehind(ctx, th, open); err != nil {
		return nil, err
	}
	t, err := p.newTurn(th, ev)
	if err != nil {
		return nil, err
	}
	c := p.change(th, t)
	c.started = true
	if th.last == 0 || th.dir.thread().Thread == "" {
		info := p.l.newThread(th.id, ev.Agent, ev.Prompt, ev.At)
		c.thread = &info
	}
	if late {
		p.fail(t, model.StatusMissing, "the start was not captured: another recording held the lock until it was too late")
	} else if err := p.captureStart(ctx, th, t); err != nil {
		return nil, err
	}
	p.overlap(c)
	th.add(t)
	p.state = stateFile{Thread: th.id, Turn: t.Turn.Number, StartedAt: t.Turn.StartedAt}
	p.note(trace.Event{Event: trace.TurnStarted, At: ev.At, Outcome: string(t.Turn.Status), Reason: t.Turn.StatusReason}, t)
	return t, nil
}

// closeLeftBehind closes turns of the thread that a crash left open behind the
// one that is open (nil: none is).
func (p *pass) closeLeftBehind(ctx context.Context, th *threadState, open *turnFile) error {
	for _, of := range p.l.marked(markOpen) {
		if of.Thread != th.id {
			continue
		}
		t, err := th.turn(of.Turn)
		if err != nil {
			return err
		}
		if t == nil || t == open || !t.open() {
			continue
		}
		if err := p.closeBehind(ctx, th, t); err != nil {
			return err
		}
	}
	return nil
}

// ended tells whether the turn was over at the time of an event that names it: then
// the event is a second copy that came late. A script that uses an id again
// starts another turn.
func ended(t *turnFile, at time.Time) bool {
	return t.Turn.CompletedAt != nil && !at.After(*t.Turn.CompletedAt)
}

func (p *pass) newTurn(th *threadState, ev StartEvent) (*turnFile, error) {
	id, err := p.l.mint()
	if err != nil {
		return nil, err
	}
	return &turnFile{
		Turn: model.Turn{
			Thread: th.id, Agent: ev.Agent, WorkTree: p.l.d.Repo.WorkTree, Number: th.last + 1, TurnID: ev.TurnID,
			Prompt: shorten(ev.Prompt, maxPrompt), State: model.TurnOpen, Checkpoint: id, Status: model.StatusReady, StartedAt: ev.At,
		},
		Process: ev.PID, ReportsTools: ev.ReportsTools, Transcript: markTranscript(ev.Transcript), Conversation: p.otherwise(ev.Thread, th.id),
	}, nil
}

// captureStart gives t its start: the end of the turn before where that is the
// very same state, else a snapshot of its own; before turn 1 the baseline.
func (p *pass) captureStart(ctx context.Context, th *threadState, t *turnFile) error {
	snap, err := p.capture(ctx)
	if err != nil {
		p.fail(t, model.StatusError, "the start could not be captured: "+err.Error())
		if head, err := p.l.d.Repo.Head(ctx); err == nil {
			t.Turn.Base = head.Commit
		}
		return nil
	}
	beside := besideOf(asStored(snap, ""))
	n, name, ref := t.Turn.Number, boundaryStart, startRef(th.id, t.Turn.Number)
	if n == 1 {
		n, name, ref = 0, boundaryBaseline, endRef(th.id, 0)
	} else if before, err := p.endBefore(ctx, th, n, snap.Tree, beside); err != nil {
		return err
	} else if before != nil {
		p.opened(t, before.Ref, before.Commit)
		return nil
	} else {
		p.noteLateWriters(ctx, th, n, snap.Tree)
	}
	if !p.free(ctx, t, ref) {
		return nil
	}
	commit, err := p.writeCommit(ctx, t, n, name, nil)
	if err != nil {
		p.fail(t, model.StatusError, "the snapshot of the start could not be made: "+err.Error())
		return nil
	}
	p.move(ref, "", commit)
	p.opened(t, ref, commit)
	return nil
}

func (p *pass) opened(t *turnFile, ref, commit string) {
	t.setStart(storedBoundary(asStored(p.snap, commit), ref))
	t.Turn.LeftOut, t.StartPerm, t.StartRaw = p.snap.LeftOut, permList(p.snap.Perm), len(p.snap.Raw) > 0
}

// endBefore returns the end of turn n−1 when it is the given state and its ref
// still holds it, nil otherwise.
func (p *pass) endBefore(ctx context.Context, th *threadState, n int, tree, beside string) (*model.Boundary, error) {
	before, err := th.turn(n - 1)
	if err != nil || before == nil || before.Turn.End == nil {
		return nil, err
	}
	end := before.Turn.End
	if end.Tree != tree || before.Beside != beside {
		return nil, nil
	}
	if p.creates(end.Ref, end.Commit) {
		return end, nil
	}
	held, err := p.l.d.Refs.Read(ctx, end.Ref)
	if err != nil || held != end.Commit {
		return nil, err
	}
	return end, nil
}

func (p *pass) creates(name, commit string) bool {
	for _, u := range p.updates {
		if u.Name == name && u.New == commit {
			return true
		}
	}
	return false
}

// overlap notes, on both sides, the turns of other threads that are open now.
func (p *pass) overlap(c *change) {
	for _, other := range p.l.marked(markOpen) {
		if other.Thread == c.th.id {
			continue
		}
		dir := dirOf(p.l.d.Repo.StateDir(), other.Thread)
		t, err := dir.turn(other.Turn)
		if err != nil || !t.open() {
			continue
		}
		c.lines = append(c.lines, evidenceLine{Kind: lineOverlap, At: p.now, Thread: other.Thread, Turn: other.Turn})
		// The other side is a refinement of its owners: losing it only makes them
		// less sure, so a failure is not this turn's.
		_ = dir.appendEvidence(other.Turn, evidenceLine{Kind: lineOverlap, At: p.now, Thread: c.th.id, Turn: c.t.Turn.Number})
	}
}

// demandClean refuses when anything is staged, unstaged or untracked.
func (p *pass) demandClean(ctx context.Context) error {
	snap, err := p.capture(ctx)
	if err != nil {
		return model.Failf(err, "cannot tell whether the work tree is clean")
	}
	dirty := dirtyPaths(snap)
	if len(dirty) == 0 {
		return nil
	}
	return model.Refusedf("the work tree is not clean: %s", strings.Join(dirty, ", ")).
		WithHint("commit or set aside these paths, or start without --require-clean")
}

func dirtyPaths(snap *snapshot.Snapshot) []string {
	var list []string
	seen := map[model.Path]bool{}
	for _, group := range [][]model.Noted{snap.Inventory.Staged, snap.Inventory.Unstaged, snap.Inventory.Untracked} {
		for _, n := range group {
			if !seen[n.Path] {
				seen[n.Path] = true
				list = append(list, patch.Quote(n.Path))
			}
		}
	}
	for _, u := range snap.Unmerged {
		if !seen[u.Path] {
			seen[u.Path] = true
			list = append(list, patch.Quote(u.Path))
		}
	}
	return list
}
