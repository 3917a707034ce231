package rollback

import (
	"cmp"
	"context"
	"errors"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
	"overturn/rollback/journal"
	"overturn/rollback/revert"
)

// beyond is what an entry of a thread does beside its files, in one direction or the
// other, with a mark for each step.
type beyond struct {
	e    *Engine
	p    *journal.Prepared
	log  *journal.Writer
	wait context.Context // ends when nobody waits for the agent any more
	was  *journal.Talked // what was said of the conversation last, by this entry or the one it takes back
	keep bool            // the conversation stays as it is

	begun  bool            // this entry began to take the conversation back
	did    *journal.Talked // what it did to it before it was cut short, nil: nothing that is known
	unsure error           // why it is not known whether it did anything
}

// out takes the conversation back, then the turns and their refs out of the thread.
// It is not done where the conversation cannot be taken back: an error.
func (b *beyond) out(ctx context.Context) (*model.Conversation, error) {
	move := *b.p.Revert
	move.Keep = move.Keep || b.keep
	talked, err := b.talk(&move)
	if err != nil {
		hint := "`overturn recover --finish` tries again, with --keep-conversation it leaves the conversation as it is; `overturn recover --unwind` puts all back"
		if h := model.HintOf(err); h != "" {
			hint = h + ", then " + hint
		}
		return &model.Conversation{Agent: move.Agent, Supported: true, Note: b.notTaken(&move) + err.Error()},
			model.Failf(err, "the conversation could not be taken back").WithHint("%s", hint)
	}
	durable.Point("revert.talked")
	if err := b.log.Commit(journal.Record{Type: journal.TypeTalked, Talked: talked}); err != nil {
		return &talked.Conversation, err
	}
	if err := b.e.Saga.TakeOut(ctx, &move, b.moved); err != nil {
		return &talked.Conversation, model.Failf(err, "the turns could not be taken out of the thread")
	}
	durable.Point("revert.turned")
	b.e.Trace.Record(trace.Event{Event: trace.ThreadReverted, Thread: move.Thread, Turn: move.To, ID: b.p.ID, Outcome: "out"})
	return &talked.Conversation, b.log.Mark(journal.Record{Type: journal.TypeTurns})
}

// talk takes the conversation back, unless the entry did that before it was cut short:
// a flag that comes afterwards cannot make it undone.
func (b *beyond) talk(move *journal.Revert) (*journal.Talked, error) {
	if b.did != nil {
		return b.did, nil
	}
	if !b.begun && !move.Back {
		if none := b.e.Saga.Absent(b.wait, move); none != nil {
			return none, nil
		}
	}
	if err := b.log.Commit(journal.Record{Type: journal.TypeTalking}); err != nil {
		return nil, err
	}
	durable.Point("revert.talking")
	talked, err := b.e.Saga.Talk(b.wait, move)
	if err == nil && b.unsure != nil {
		talked.Conversation.Note = notKnown(b.unsure)
	}
	return talked, err
}

// notTaken says what is known of a conversation that could not be taken back: an agent
// may fail behind what it was asked for, or not be heard any more.
func (b *beyond) notTaken(move *journal.Revert) string {
	if done, err := b.e.Saga.Taken(b.wait, move); err != nil || done {
		return "whether it was taken back is not known: "
	}
	return "it was not taken back: "
}

func notKnown(err error) string {
	return "whether it was taken back before this was cut short cannot be found out, and it stays as it is: " + err.Error()
}

// back puts the turns and their refs back, then the conversation as far as it goes.
func (b *beyond) back(ctx context.Context) (*model.Conversation, error) {
	move := b.p.Revert
	if err := b.e.Saga.PutBack(ctx, move, b.moved); err != nil {
		return nil, model.Failf(err, "the turns could not be put back into the thread")
	}
	durable.Point("revert.turned")
	if err := b.log.Mark(journal.Record{Type: journal.TypeTurns}); err != nil {
		return nil, err
	}
	talked := b.e.Saga.Untalk(b.wait, move, b.was)
	if b.unsure != nil {
		talked.Conversation.Note = notKnown(b.unsure)
	}
	durable.Point("revert.talked")
	b.e.Trace.Record(trace.Event{Event: trace.ThreadReverted, Thread: move.Thread, Turn: move.Latest, ID: b.p.ID, Outcome: "back"})
	return &talked.Conversation, b.log.Commit(journal.Record{Type: journal.TypeTalked, Talked: talked})
}

func (b *beyond) moved() error {
	durable.Point("revert.parked")
	return b.log.Mark(journal.Record{Type: journal.TypeRefs})
}

// beyond is what follows the files of a run.
func (r *run) beyond(ctx context.Context, result *model.Result) (err error) {
	b := &beyond{e: r.e, p: &r.p, log: r.log, wait: r.wait}
	if r.p.Revert.Back {
		if b.was, err = r.e.talkedOf(r.p.Of); err == nil {
			result.Conversation, err = b.back(ctx)
		}
		return err
	}
	result.Conversation, err = b.out(ctx)
	return err
}

// talkedOf is what an entry did to the conversation, nil where that is not known.
func (e *Engine) talkedOf(id model.ID) (*journal.Talked, error) {
	entry, err := e.journal().Read(id)
	if err != nil {
		return nil, withDamageHint(err)
	}
	return entry.Talked, nil
}

// cutShort: the files stand as they were to be, and what follows could not be done. The
// journal stays open, and Recover settles it in either way; the report says what was done.
func (r *run) cutShort(result *model.Result, cause error) (*model.Result, error) {
	result.Outcome, result.Undo, result.Reverted = model.OutcomePartial, "", nil
	hint := cmp.Or(model.HintOf(cause), "`overturn recover --finish` tries again, `overturn recover --unwind` puts all of it back")
	err := &model.Error{Code: model.CodePartial, Message: "the files are done, and not what follows them", Hint: hint, Err: cause}
	return result, errors.Join(err, r.log.Close())
}

// canTurn holds that the thread is as an entry that is to be taken back left it, and
// gives the task what it does beside the files.
func (e *Engine) canTurn(ctx context.Context, t *task, entry *journal.Entry) error {
	if e.Saga == nil {
		return model.Errorf(model.CodeFailed, "%s took a thread back, which cannot be undone here", entry.ID)
	}
	t.revert = func(id model.ID) (*journal.Revert, error) { return revert.Turned(entry.Revert, id), nil }
	if move := revert.Turned(entry.Revert, entry.ID); !move.Back {
		return e.Saga.CanTakeOut(ctx, move)
	}
	return e.Saga.CanPutBack(ctx, entry.Revert)
}

// canTalk asks for the conversation, which may start the agent's program, where taking
// the entry back takes the thread back.
func (e *Engine) canTalk(ctx context.Context, entry *journal.Entry) error {
	if move := revert.Turned(entry.Revert, entry.ID); !move.Back {
		return e.Saga.CanTalk(ctx, move)
	}
	return nil
}

// turned tells whether all that an entry did beside its files is taken back already.
func (e *Engine) turned(ctx context.Context, entry *journal.Entry) (bool, error) {
	if entry.Revert == nil {
		return true, nil
	}
	out, err := e.Saga.Out(ctx, entry.Revert)
	return out == entry.Revert.Back, err
}

// forth tells in which direction an entry is settled: whether turns leave the thread.
func (s *settling) forth() bool { return s.entry.Revert.Back == s.unwind }

// canTurn refuses before anything is written where the thread has gone on, in a way
// that the direction asked for cannot deal with.
func (s *settling) canTurn(ctx context.Context) error {
	if s.entry.Revert == nil {
		return nil
	}
	if s.e.Saga == nil {
		return model.Errorf(model.CodeFailed, "%s takes a thread back, which cannot be settled here", s.entry.ID)
	}
	can := s.e.Saga.CanPutBack
	if s.forth() {
		can = s.e.Saga.CanTakeOut
	}
	other := journal.WayUnwind
	if s.unwind {
		other = journal.WayFinish
	}
	if err := can(ctx, s.entry.Revert); err != nil {
		return model.Failf(err, "%s %s cannot be settled this way", s.entry.Kind, s.entry.ID).WithHint("`overturn recover --%s` settles it the other way", other)
	}
	return nil
}

// beyond settles what is not the files.
func (s *settling) beyond(ctx context.Context) (err error) {
	b := &beyond{e: s.e, p: &s.entry.Prepared, log: s.log, wait: ctx, was: s.entry.Talked, keep: s.keep, begun: s.entry.Talking}
	switch {
	case b.was != nil:
		if b.was.Done != nil && !b.was.Back {
			b.did = b.was
		}
	case s.entry.Revert.Back:
		b.was, err = s.e.talkedOf(s.entry.Of)
	case s.entry.Talking && (s.unwind || s.keep):
		b.was, b.unsure = s.e.Saga.Talked(ctx, s.entry.Revert)
		b.did = b.was
	}
	if err != nil {
		return err
	}
	if s.forth() {
		s.result.Conversation, err = b.out(ctx)
		return err
	}
	s.result.Conversation, err = b.back(ctx)
	return err
}
