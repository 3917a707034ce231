package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
)

// ending is how a turn ends.
type ending struct {
	state     model.TurnState
	at        time.Time
	messageID string
	message   string
	reason    string // said with a capture that came later than the end
	late      bool   // the event waited in the inbox
}

// end works out an end; see CONTRACT on `turn end`. late: the event waited in the
// inbox.
func (p *pass) end(ctx context.Context, ev EndEvent, late bool) (*turnFile, error) {
	th, err := p.thread(ctx, ev.Thread)
	if err != nil {
		return nil, err
	}
	e := ending{state: ev.State, at: ev.At, messageID: ev.MessageID, message: ev.Message, late: late}
	open, err := th.openTurn()
	if err != nil {
		return nil, err
	}
	if open != nil && (ev.TurnID == "" || open.Turn.TurnID == ev.TurnID) {
		return open, p.close(ctx, th, open, e)
	}
	var closed *turnFile
	if ev.TurnID != "" {
		closed, err = th.byID(ev.TurnID)
	} else {
		closed, err = th.newest()
	}
	if err == nil && closed == nil {
		closed, err = th.takenOut(ev.TurnID)
		if err == nil && closed != nil {
			return closed, nil // a revert took it out: what comes late changes nothing
		}
	}
	switch {
	case err != nil:
		return nil, err
	case closed == nil:
		return p.endWithoutStart(ctx, th, ev)
	case ev.ByHook:
		return closed, p.endAgain(ctx, th, closed, e)
	}
	return closed, nil
}

// endWithoutStart makes a turn that says that something happened and was not
// captured. It leaves an open turn open.
func (p *pass) endWithoutStart(ctx context.Context, th *threadState, ev EndEvent) (*turnFile, error) {
	t, err := p.newTurn(th, StartEvent{Agent: ev.Agent, TurnID: ev.TurnID, At: ev.At})
	if err != nil {
		return nil, err
	}
	t.Aside = true
	t.Turn.State, t.Turn.CompletedAt, t.Turn.MessageID = ev.State, &ev.At, ev.MessageID
	p.fail(t, model.StatusMissing, "an end came for a turn whose start was never recorded; files may have changed all the same")
	c := p.change(th, t)
	c.ended = true
	if th.last == 0 {
		info := p.l.newThread(th.id, ev.Agent, "", ev.At)
		c.thread = &info
	}
	th.add(t)
	p.noteEnd(t)
	return t, p.record(ctx, c, nil)
}

// close ends an open turn with the state that is found now.
func (p *pass) close(ctx context.Context, th *threadState, t *turnFile, e ending) error {
	c := p.change(th, t)
	published, whole, err := p.adopt(ctx, t)
	if err != nil || whole {
		c.ended = whole
		return err
	}
	c.published = published
	c.ended = true
	t.Turn.State, t.Turn.CompletedAt, t.Turn.MessageID = e.state, &e.at, e.messageID
	if e.message != "" {
		c.lines = append(c.lines, evidenceLine{Kind: lineMessage, At: e.at, Text: shorten(e.message, maxText)})
	}
	if err := p.verifyStart(ctx, t); err != nil {
		return err
	}
	changes, err := p.captureEnd(ctx, c, "")
	if err != nil {
		return err
	}
	if err := p.sayWhen(ctx, t, e); err != nil {
		return err
	}
	p.noteEnd(t)
	return p.record(ctx, c, changes)
}

// sayWhen gives a turn whose end was captured later than it came the reason that
// says so. Where nothing was changed in between the capture is as good as one in
// time.
func (p *pass) sayWhen(ctx context.Context, t *turnFile, e ending) error {
	if t.Turn.Status != model.StatusReady || t.Turn.End == nil {
		return nil
	}
	if e.late && t.Turn.Start != nil {
		same, err := p.unchangedSince(ctx, e.at, t.Turn.Start.Tree, t.Turn.End.Tree)
		if err != nil {
			return err
		}
		if !same {
			e.reason = "captured " + p.now.Sub(e.at).Round(time.Second).String() + " after the end; what was changed in between is in it"
		}
	}
	if e.reason != "" {
		t.Turn.StatusReason = e.reason
	}
	return nil
}

// adopt takes over the end of a turn that was published by a process which was
// killed before it could say so in the local file. With its record the turn is
// whole; killed between the two refs, there is the snapshot only.
func (p *pass) adopt(ctx context.Context, t *turnFile) (published *snapshot.Stored, whole bool, err error) {
	held, err := p.l.d.Refs.Read(ctx, endRef(t.Turn.Thread, t.Turn.Number))
	if err != nil || held == "" {
		return nil, false, err
	}
	from, ours := p.l.originOf(ctx, held, t.Turn.Thread, t.Turn.Number)
	id := model.ID(from.trailer(trailerCheckpoint))
	sameKind := checkpoint.KindOf(string(id)) == checkpoint.KindOf(string(t.Turn.Checkpoint))
	if !ours || id != t.Turn.Checkpoint && (sameKind || checkpoint.KindOf(string(id)) == checkpoint.KindUnknown) {
		return nil, false, nil // somebody else's: it is in the way, and captureEnd says so
	}
	t.Turn.Checkpoint = id // it got another one with its end (suit)
	if p.l.d.Records == nil {
		return from.stored, false, nil
	}
	rec, err := p.l.d.Records.Read(ctx, t.Turn.Checkpoint)
	if err != nil || rec.Turn.End == nil || rec.Turn.End.Commit != held {
		return from.stored, false, nil //nolint:nilerr // without the record the snapshot still is the end
	}
	t.Turn, t.Beside = rec.Turn, besideOf(from.stored)
	return nil, true, nil
}

// verifyStart drops a start whose ref does not hold it: it was never published,
// or it was lost. It is not made again from what is on disk now.
func (p *pass) verifyStart(ctx context.Context, t *turnFile) error {
	start := t.Turn.Start
	if start == nil || p.creates(start.Ref, start.Commit) {
		return nil
	}
	held, err := p.l.d.Refs.Read(ctx, start.Ref)
	if err != nil {
		return err
	}
	if held != start.Commit {
		t.Turn.Start = nil
		p.fail(t, model.StatusMissing, "the snapshot of the start is not there: "+start.Ref+" does not hold it")
		return p.l.d.Refs.SweepAt(ctx, start.Ref) // who was killed before it moved may have left its lock
	}
	return nil
}

// captureEnd gives the turn its end, at a ref that holds old now ("" when it is to
// be created), and returns the raw changes of the turn.
func (p *pass) captureEnd(ctx context.Context, c *change, old string) ([]byte, error) {
	t := c.t
	lines, err := p.evidence(c)
	if err != nil {
		return nil, err
	}
	end := c.published
	if end == nil {
		if end, err = p.publishEnd(ctx, c, old, lines); err != nil || end == nil {
			return nil, err
		}
	}
	t.Turn.Ref = endRef(c.th.id, t.Turn.Number)
	t.Turn.End, t.Beside = storedBoundary(end, t.Turn.Ref), besideOf(end)
	before := t.Turn.LeftOut
	t.Turn.LeftOut = unionNoted(before, end.LeftOut)
	if start := t.Turn.Start; start != nil {
		gone, err := snapshot.Gone(ctx, p.l.d.Objects, before, end.LeftOut, end.Tree)
		if err != nil {
			return nil, err
		}
		t.Turn.LeftOut = unionNoted(unionNoted(t.Turn.LeftOut, gone), snapshot.Came(before, end.LeftOut))
		t.Turn.HeadMoved = start.Head != t.Turn.End.Head || start.Branch != t.Turn.End.Branch
		unsure, err := snapshot.Unsure(ctx, p.l.d.Objects, start.Tree, end.Tree, end.Turned)
		if err != nil {
			return nil, err
		}
		t.Turn.LeftOut = unionNoted(t.Turn.LeftOut, unsure)
	}
	return p.summarise(ctx, c, end, lines), nil
}

// publishEnd captures the end and plans its ref. nil: the turn says why not.
func (p *pass) publishEnd(ctx context.Context, c *change, old string, lines []evidenceLine) (*snapshot.Stored, error) {
	t, ref := c.t, endRef(c.th.id, c.t.Turn.Number)
	snap, err := p.capture(ctx)
	if errors.Is(err, errTooLate) {
		return nil, err
	}
	if err != nil {
		p.fail(t, model.StatusError, "the end could not be captured: "+err.Error())
		return nil, nil
	}
	if old == "" && !p.free(ctx, t, ref) {
		return nil, nil
	}
	if err := p.suit(ctx, t); err != nil {
		return nil, err
	}
	kept, err := p.keptTrees(ctx, t, lines)
	if err != nil {
		return nil, err
	}
	commit, err := p.writeCommit(ctx, t, t.Turn.Number, boundaryEnd, kept)
	if err != nil {
		p.fail(t, model.StatusError, "the snapshot of the end could not be made: "+err.Error())
		return nil, nil
	}
	p.move(ref, old, commit)
	return asStored(snap, commit), nil
}

// evidence is what is stored of a turn's evidence, read once, and what this pass
// adds.
func (p *pass) evidence(c *change) ([]evidenceLine, error) {
	if !c.read {
		lines, _, err := c.th.dir.evidence(c.t.Turn.Number)
		if err != nil {
			return nil, err
		}
		c.stored, c.read = lines, true
	}
	return slices.Concat(c.stored, c.lines), nil
}

func (p *pass) noteEnd(t *turnFile) {
	p.note(trace.Event{Event: trace.TurnEnded, At: *t.Turn.CompletedAt, Outcome: string(t.Turn.State), ID: t.Turn.Checkpoint, Reason: t.Turn.StatusReason}, t)
}
