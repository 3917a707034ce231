package ledger

import (
	"context"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/model"
	"overturn/model/trace"
)

// tool records one tool call. It takes no lock: the line is appended in one
// write, and calls that run side by side do not wait for each other's turns to be
// published.
func (l *Ledger) tool(ctx context.Context, ev ToolEvent) error {
	if ev.At.IsZero() {
		ev.At = l.d.Clock()
	}
	if ev.Phase != PhasePre && ev.Phase != PhasePost {
		return model.Usagef("a tool event is %q or %q its tool, not %q", PhasePre, PhasePost, ev.Phase)
	}
	th, t, err := l.targetOf(ctx, ev.Thread, ev.TurnID)
	if err != nil || t == nil {
		return err
	}
	line := evidenceLine{
		Kind: lineTool, At: ev.At.UTC(), Phase: ev.Phase, Tool: ev.Tool, Call: ev.CallID,
		Paths: ev.Paths, Command: shorten(ev.Command, maxText), Failed: ev.Failed, Effect: ev.Effect,
	}
	if t.open() || l.mayGoOn(th, t) {
		line.Tree, line.Captured, line.Reason = l.moment(ctx)
	}
	return l.addLine(ctx, th, t, line)
}

// mayGoOn tells whether a further end may still move the end of a closed turn
// (endAgain). What was done between that end and the tools that follow is the user's
// then: only a capture between the two tells.
func (l *Ledger) mayGoOn(th *threadState, t *turnFile) bool {
	newest, err := th.newest()
	if err != nil || newest != t || t.Aside {
		return false
	}
	return l.readState().movable(th.id, t.Turn.Number)
}

// moment captures the work tree as it is now. The tree is stored and not yet
// referenced: the end snapshot of the turn will hold it.
func (l *Ledger) moment(ctx context.Context) (tree string, at *time.Time, reason string) {
	try, err := l.attempt(ctx)
	if err != nil {
		return "", nil, err.Error()
	}
	return l.captureMoment(ctx, try.done)
}

// captureMoment is moment without a look at how captures went before; done is told
// how this one does.
func (l *Ledger) captureMoment(ctx context.Context, done func(error)) (tree string, at *time.Time, reason string) {
	w := l.d.Objects.NewWriter()
	defer w.Discard()
	snap, err := l.d.Snapshots.Capture(ctx, w)
	done(err)
	if err != nil {
		return "", nil, err.Error()
	}
	if w.Pending() > 0 {
		err = w.Flush(ctx)
	}
	// A table that is not kept costs the next capture time, nothing else.
	_ = snap.Discarded()
	if err != nil {
		return "", nil, err.Error()
	}
	captured := snap.CapturedAt.UTC()
	return snap.Tree, &captured, ""
}

// targetOf finds the turn that an event beside the boundaries belongs to; nil
// when nothing is recorded of the conversation here.
func (l *Ledger) targetOf(ctx context.Context, conversation model.ThreadID, turnID string) (*threadState, *turnFile, error) {
	if _, err := model.ParseThreadID(string(conversation)); err != nil {
		return nil, nil, err
	}
	name, ok := l.here(conversation)
	if !ok {
		return nil, nil, nil
	}
	th, err := l.load(ctx, l.d.Repo.StateDir(), name)
	if err != nil {
		return nil, nil, err
	}
	t, err := th.target(turnID)
	if err == nil && t != nil && !t.open() && (turnID == "" || t.Turn.TurnID != turnID) && l.ofTakenOut(th, turnID) {
		t = nil
	}
	return th, t, err
}

// addLine appends a line of evidence. The record of a turn that has ended gets it
// too; where that fails, the record waits for Settle.
func (l *Ledger) addLine(ctx context.Context, th *threadState, t *turnFile, line evidenceLine) error {
	line.Late = !t.open()
	if err := th.dir.appendEvidence(t.Turn.Number, line); err != nil {
		return err
	}
	if !line.Late {
		return nil
	}
	if err := l.amend(ctx, th, t); err != nil {
		l.d.Trace.Record(trace.Event{
			Event: trace.CheckpointCreate, Outcome: "waits", Reason: err.Error(),
			Thread: th.id, Turn: t.Turn.Number, ID: t.Turn.Checkpoint,
		})
		return l.setMark(markWaiting, ThreadTurn{th.id, t.Turn.Number})
	}
	return nil
}

// amend brings the record of a turn that has ended up to what is known of it here.
func (l *Ledger) amend(ctx context.Context, th *threadState, t *turnFile) error {
	if l.d.Records == nil || t.RecordWaits != "" {
		return model.Errorf(model.CodeFailed, "the record is not written yet")
	}
	lines, raw, err := th.dir.evidence(t.Turn.Number)
	if err != nil {
		return err
	}
	return l.d.Records.Update(ctx, t.Turn.Checkpoint, func(r *checkpoint.Record) error {
		r.Evidence, r.Turn.Effects = raw, effectsOf(lines)
		return nil
	})
}

// touch records paths that the agent's own tool wrote.
func (l *Ledger) touch(ctx context.Context, thread model.ThreadID, paths []model.Path) error {
	th, t, err := l.demandTurn(ctx, thread)
	if err != nil {
		return err
	}
	return l.addLine(ctx, th, t, evidenceLine{Kind: lineTouch, At: l.d.Clock().UTC(), Paths: paths})
}

// effect journals an effect and returns the turn as it is then.
func (l *Ledger) effect(ctx context.Context, thread model.ThreadID, call string, e model.Effect) (model.Turn, error) {
	th, t, err := l.demandTurn(ctx, thread)
	if err != nil {
		return model.Turn{}, err
	}
	if e.At.IsZero() {
		e.At = l.d.Clock()
	}
	e.At = e.At.UTC()
	if e.Reversible == "" {
		e.Reversible = model.ReversibleUnknown
	}
	if err := l.addLine(ctx, th, t, evidenceLine{Kind: lineEffect, At: e.At, Call: call, Effect: &e}); err != nil {
		return model.Turn{}, err
	}
	l.d.Trace.Record(trace.Event{
		Event: trace.EffectRecorded, At: e.At, Thread: th.id, Turn: t.Turn.Number, ID: t.Turn.Checkpoint,
		Outcome: string(e.Domain), Detail: map[string]any{"summary": e.Summary, "reversible": e.Reversible},
	})
	if err := l.restateEffects(ctx, th.id, t.Turn.Number); err != nil {
		return model.Turn{}, err
	}
	return l.Turn(ctx, th.id, t.Turn.Number)
}

// restateEffects writes the effects of a turn that has ended into its local file,
// so that lists need not read evidence, and makes a new generation.
func (l *Ledger) restateEffects(ctx context.Context, thread model.ThreadID, n int) error {
	unlock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	th, err := l.load(ctx, l.d.Repo.StateDir(), thread)
	if err != nil {
		return err
	}
	t, err := th.turn(n)
	if err != nil {
		return err
	}
	if t != nil && !t.open() {
		lines, _, err := th.dir.evidence(n)
		if err != nil {
			return err
		}
		th.fill(t)
		t.Turn.Effects = effectsOf(lines)
		if err := th.dir.writeTurn(t, false); err != nil {
			return err
		}
	}
	state := l.readState()
	return l.writeState(state, state)
}

func (l *Ledger) demandTurn(ctx context.Context, thread model.ThreadID) (*threadState, *turnFile, error) {
	th, t, err := l.targetOf(ctx, thread, "")
	if err == nil && t == nil {
		err = model.Usagef("thread %q has no turn in this work tree", thread).
			WithHint("start one with `overturn turn start --thread %s`", thread.Word())
	}
	return th, t, err
}
