package revert

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
	"overturn/review/agents"
	"overturn/review/ledger"
	"overturn/rollback/journal"
)

// keepsakes is the folder of the state folder with copies of what was replaced of
// conversations, one folder an entry.
const keepsakes = "talks"

// absent is said of a conversation that has none of the turns.
const absent = "none of these turns is in it, and it stays as it is"

// Fate is what will become of the conversation, in words, and how the agent's adapter
// does it. Refused is why it cannot be done now.
type Fate struct {
	model.Conversation
	agents.Capability
	More    int // later prompts that were not recorded, and go along
	Refused error
}

// Conversation asks for the conversation of a subject, and writes nothing. keep: it
// is to stay as it is.
func (s *Saga) Conversation(ctx context.Context, subject *Subject, keep bool) Fate {
	talk := s.talk("", subject.Standing, subject.To, subject.Latest, subject.Turns)
	return s.fate(ctx, subject.Agent, talk, keep)
}

func (s *Saga) fate(ctx context.Context, agent string, talk agents.Talk, keep bool) Fate {
	c, can := s.conversation(agent)
	f := Fate{Capability: can, Conversation: model.Conversation{Agent: agent, Supported: can.Supported}}
	switch {
	case !can.Supported:
		f.Note = "it stays as it is: " + can.Why
		return f
	case keep:
		f.Note = "it stays as it is, as you said"
		return f
	}
	f.Turns = len(talk.Drop)
	found, err := c.Check(ctx, s.Runner, talk)
	f.More = found.More
	switch {
	case err != nil:
		f.Refused, f.Note = err, err.Error()
	case found.Done && found.Turns == 0:
		f.Turns, f.Note = 0, absent
	case found.Note != "":
		f.Note = found.Note
	default:
		f.Note = fmt.Sprintf("%d of its turns go: %s", f.Turns, can.How)
	}
	return f
}

// conversation is the agent's conversation and what it allows.
func (s *Saga) conversation(agent string) (agents.Conversation, agents.Capability) {
	a, err := s.Agent(agent)
	if err != nil {
		why := "overturn knows no agent of that name, and so not its conversation"
		if agent == "" {
			why = "it was recorded by hand, and overturn knows of no conversation"
		}
		return nil, agents.Unsupported(why)
	}
	can := agents.CapabilityOf(a)
	c, ok := a.(agents.Conversation)
	if can.Supported = can.Supported && ok; !can.Supported && can.Why == "" {
		can.Why = "overturn has no way to take it back"
	}
	return c, can
}

// talk names the conversation and its turns.
func (s *Saga) talk(id model.ID, st ledger.Standing, to, latest int, turns []model.Turn) agents.Talk {
	t := agents.Talk{ID: id, Session: st.Conversation, Transcript: st.Transcript, Root: s.Root, Getenv: s.Getenv, Live: live(st.Process), Keepsakes: filepath.Join(s.StateDir, keepsakes, string(id))}
	for _, turn := range turns {
		one := agents.TalkTurn{Number: turn.Number, TurnID: turn.TurnID, MessageID: turn.MessageID, Prompt: turn.Prompt, StartedAt: turn.StartedAt}
		if turn.CompletedAt != nil {
			one.EndedAt = *turn.CompletedAt
		}
		switch {
		case turn.Number <= to:
			t.Keep = append(t.Keep, one)
		case turn.Number <= latest:
			t.Drop = append(t.Drop, one)
		}
	}
	return t
}

func live(p model.Process) agents.Liveness {
	switch {
	case p.PID <= 0:
		return agents.LiveUnknown
	case ledger.Gone(p):
		return agents.LiveGone
	}
	return agents.LiveOpen
}

// talkOf is the conversation of an entry, wherever its turns lie by now.
func (s *Saga) talkOf(ctx context.Context, r *journal.Revert) (agents.Talk, error) {
	out, err := s.Turns.TakenOut(ctx, r.Thread, r.Park)
	if err != nil {
		return agents.Talk{}, err
	}
	st, err := s.Turns.Standing(ctx, r.Thread)
	if err != nil {
		return agents.Talk{}, err
	}
	turns := append(st.Turns, out...)
	return s.talk(r.Park, st, r.To, r.Latest, turns), nil
}

// CanTalk tells whether Talk would do, and writes nothing.
func (s *Saga) CanTalk(ctx context.Context, r *journal.Revert) error {
	talk, err := s.talkOf(ctx, r)
	if err != nil {
		return err
	}
	return s.fate(ctx, r.Agent, talk, r.Keep).Refused
}

// Absent is what is to be said where none of the turns is in the conversation before
// anything was done to it: Talk, which may be run again, would take that for its own work.
// nil where there is something to do, or where Talk is to say why there is not.
func (s *Saga) Absent(ctx context.Context, r *journal.Revert) *journal.Talked {
	found, err := s.found(ctx, r)
	if err != nil || !found.Done || found.Turns > 0 {
		return nil
	}
	return &journal.Talked{Conversation: model.Conversation{Agent: r.Agent, Supported: true, Note: absent}}
}

// found looks at the conversation of an entry; nothing is found where it is not touched.
func (s *Saga) found(ctx context.Context, r *journal.Revert) (agents.Standing, error) {
	c, can := s.conversation(r.Agent)
	if r.Keep || !can.Supported {
		return agents.Standing{}, nil
	}
	talk, err := s.talkOf(ctx, r)
	if err != nil {
		return agents.Standing{}, err
	}
	return c.Check(ctx, s.Runner, talk)
}

// Talked finds out what an entry did that was killed while it took the conversation
// back: nil where that is not back. An error: it cannot be found out now.
func (s *Saga) Talked(ctx context.Context, r *journal.Revert) (*journal.Talked, error) {
	if found, err := s.found(ctx, r); err != nil || !found.Done {
		return nil, err
	}
	return s.Talk(ctx, r)
}

// Taken tells whether the turns of an entry are out of the conversation.
func (s *Saga) Taken(ctx context.Context, r *journal.Revert) (bool, error) {
	found, err := s.found(ctx, r)
	return found.Done, err
}

// Talk takes the conversation back, unless it cannot be, or is to be kept. It may be run
// again.
func (s *Saga) Talk(ctx context.Context, r *journal.Revert) (*journal.Talked, error) {
	c, can := s.conversation(r.Agent)
	if r.Keep || !can.Supported {
		return &journal.Talked{Conversation: s.fate(ctx, r.Agent, agents.Talk{}, r.Keep).Conversation}, nil
	}
	talk, err := s.talkOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := s.makeKeepsakes(talk.Keepsakes); err != nil {
		return nil, err
	}
	done, err := c.Rollback(ctx, s.Runner, talk)
	if err == nil && done.NewID != "" && done.NewID != talk.Session {
		err = s.Turns.GoesOn(ctx, model.ThreadID(done.NewID), r.Thread)
	}
	if err != nil {
		return nil, err
	}
	return &journal.Talked{Done: &done, Conversation: model.Conversation{Agent: r.Agent, Supported: true, Turns: done.Turns, Done: done.Turns > 0, Note: done.Note + ". " + agents.Caveat}}, nil
}

func (s *Saga) makeKeepsakes(dir string) error {
	durable.Point("revert.keepsakes.mkdir")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return model.Failf(err, "cannot make the folder for copies of the conversation")
	}
	for _, at := range []string{filepath.Dir(filepath.Dir(dir)), filepath.Dir(dir)} {
		if err := durable.SyncDir(at); err != nil {
			return model.Failf(err, "cannot make the folder for copies of the conversation")
		}
	}
	return nil
}

// Untalk gives the conversation back what r took out of it, as far as the
// agent allows, and says how far. It never fails: whatever became of the conversation, the
// files and turns go back.
func (s *Saga) Untalk(ctx context.Context, r *journal.Revert, was *journal.Talked) *journal.Talked {
	c, can := s.conversation(r.Agent)
	t := &journal.Talked{Back: true, Conversation: model.Conversation{Agent: r.Agent, Supported: can.Supported}}
	if was == nil || was.Done == nil {
		t.Conversation.Note = "it was not taken back, and stays as it is"
		return t
	}
	t.Done = was.Done
	if !can.Supported {
		t.Conversation.Note = "it stays as the revert left it: " + can.Why
		return t
	}
	talk, err := s.talkOf(ctx, r)
	if err == nil {
		t.Conversation.Note, err = c.Restore(ctx, s.Runner, talk, *was.Done)
	}
	if err == nil && was.Done.NewID != "" && was.Done.NewID != was.Done.Session {
		err = s.Turns.GoesOnNoMore(model.ThreadID(was.Done.NewID))
	}
	if err != nil {
		t.Conversation.Note = "it stays as the revert left it: " + err.Error()
		return t
	}
	// An agent that cannot put turns back says so in its note: whether they are in again is
	// read back.
	if found, err := c.Check(ctx, s.Runner, talk); err == nil && !found.Done && was.Done.Turns > 0 {
		t.Conversation.Done, t.Conversation.Turns = true, was.Done.Turns
	}
	return t
}
