package ledger

import (
	"context"
	"slices"

	"overturn/model"
)

// endAgain works out a further end of a turn that is closed: where the state is
// another one than was captured, the agent worked on, and the end moves to it.
// Once a newer turn has started in the work tree, what is found now is no longer
// this turn's alone, and the end stays; so it does after a rollback that the agent did
// nothing behind: the turn would lose what was taken back from it, and an undo not find
// it in the turn again.
func (p *pass) endAgain(ctx context.Context, th *threadState, t *turnFile, e ending) error {
	if t.Aside || !p.isNewest(th, t) || p.onlyRolledBack(th, t) {
		return nil
	}
	snap, err := p.capture(ctx)
	if err != nil || t.Turn.End != nil && t.Turn.End.Tree == snap.Tree {
		return nil //nolint:nilerr // the end that was captured stands
	}
	c := p.change(th, t)
	c.ended = true
	old, ok, err := p.oldEnd(ctx, c)
	if err != nil {
		return err
	}
	if !ok {
		return p.record(ctx, c, nil)
	}
	t.Turn.State, t.Turn.CompletedAt = e.state, &e.at
	if e.messageID != "" {
		t.Turn.MessageID = e.messageID
	}
	if e.message != "" {
		c.lines = append(c.lines, evidenceLine{Kind: lineMessage, At: e.at, Text: shorten(e.message, maxText)})
	}
	changes, err := p.captureEnd(ctx, c, old)
	if err != nil {
		return err
	}
	if err := p.sayWhen(ctx, t, e); err != nil {
		return err
	}
	p.noteEnd(t)
	return p.record(ctx, c, changes)
}

// onlyRolledBack tells whether, since the end of a turn was captured, something was rolled
// back and its agent, which tells of every tool, ran none. What cannot be looked at is no
// rollback.
func (p *pass) onlyRolledBack(th *threadState, t *turnFile) bool {
	end := t.Turn.End
	if end == nil || !t.ReportsTools || p.l.d.RolledBack == nil {
		return false
	}
	if rolled, err := p.l.d.RolledBack(end.CapturedAt); err != nil || !rolled {
		return false
	}
	lines, _, err := th.dir.evidence(t.Turn.Number)
	return err == nil && !slices.ContainsFunc(lines, func(l evidenceLine) bool {
		return l.Kind == lineTool && l.At.After(end.CapturedAt)
	})
}

// oldEnd returns what the ref of the turn's end holds, and keeps the state that
// it had captured as evidence. false: the ref holds something else than the end,
// and the turn says so.
func (p *pass) oldEnd(ctx context.Context, c *change) (string, bool, error) {
	t, end := c.t, c.t.Turn.End
	if end == nil {
		if t.Turn.Start != nil {
			t.Turn.Status, t.Turn.StatusReason = model.StatusReady, ""
		}
		return "", true, nil
	}
	held, err := p.l.d.Refs.Read(ctx, end.Ref)
	if err != nil {
		return "", false, err
	}
	if held != end.Commit {
		p.fail(t, model.StatusError, "the end was not moved: "+end.Ref+" holds "+orNothing(held)+", not the end that was recorded")
		return "", false, nil
	}
	captured := end.CapturedAt
	c.lines = append(c.lines, evidenceLine{Kind: lineEnd, At: *t.Turn.CompletedAt, Captured: &captured, Tree: end.Tree})
	return held, true, nil
}

func orNothing(oid string) string {
	if oid == "" {
		return "nothing"
	}
	return oid
}

// isNewest tells whether no turn has started after t, in its thread or in another
// thread of the work tree.
func (p *pass) isNewest(th *threadState, t *turnFile) bool {
	newest, err := th.newest()
	if err != nil || newest != t {
		return false
	}
	return p.state.Thread == "" || p.state.movable(th.id, t.Turn.Number)
}

// mint makes the id of a checkpoint, in the spelling of the store that will hold
// it.
func (l *Ledger) mint() (model.ID, error) {
	if l.d.Records == nil {
		return l.d.IDs.New()
	}
	return l.d.Records.NewID(l.d.IDs)
}
