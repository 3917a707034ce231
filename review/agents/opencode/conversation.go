package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"overturn/model"
	"overturn/review/agents"
)

// Capability says how a conversation of OpenCode is taken back; see agents.Conversation.
func (*Agent) Capability() agents.Capability {
	return agents.Capability{Supported: true, How: "session.revert of opencode serve, its own file restore kept out"}
}

// session is what the server says of a conversation.
type session struct {
	ID        string `json:"id"`
	Directory string `json:"directory"`
	Version   string `json:"version"`
	Revert    *struct {
		MessageID string `json:"messageID"`
	} `json:"revert"`
}

// reverted is the message from which on a conversation is taken back, until its next
// prompt; "" for none.
func (s session) reverted() string {
	if s.Revert == nil {
		return ""
	}
	return s.Revert.MessageID
}

// message is one of its messages. Parts are kept as they are, to be put back so.
type message struct {
	Info struct {
		ID   string `json:"id"`
		Role string `json:"role"`
	} `json:"info"`
	Parts []json.RawMessage `json:"parts"`
}

// part is what matters of a part.
type part struct {
	ID        string `json:"id"`
	MessageID string `json:"messageID"`
	Type      string `json:"type"`
}

// talk is a conversation that was read.
type talk struct {
	*server
	session  session
	raw      json.RawMessage // of the messages
	messages []message       // oldest first
	first    int             // of messages: where the first dropped turn begins; -1: none is there
	found    int             // of the turns to be dropped
}

// Check reads the conversation; see agents.Conversation.
func (*Agent) Check(ctx context.Context, run agents.Runner, t agents.Talk) (agents.Standing, error) {
	c, err := load(ctx, run, t)
	if err != nil {
		return agents.Standing{}, err
	}
	defer c.close()
	s := agents.Standing{Done: c.done(), Turns: c.found, Version: c.session.Version}
	if more := c.prompts() - c.found; !s.Done && more > 0 {
		s.More, s.Note = more, agents.Count(more, "later prompt")+" that overturn did not record: gone from it too"
	}
	return s, nil
}

// Rollback takes the turns out; see agents.Conversation. OpenCode's revert would put
// files back too, by the patch parts of the messages that it drops: these are taken
// out first, and kept.
func (*Agent) Rollback(ctx context.Context, run agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	c, err := load(ctx, run, t)
	if err != nil {
		return agents.TalkDone{}, err
	}
	defer c.close()
	done := agents.TalkDone{Session: t.Session, Turns: len(t.Drop),
		Note: fmt.Sprintf("%s left the conversation: `opencode -s %s` goes on without them; until its next prompt /redo there brings them back", agents.Count(len(t.Drop), "turn"), model.ShellWord(t.Session))}
	if c.done() {
		kept, err := keptMessages(t)
		if done.Mark = c.session.reverted(); err == nil && len(kept) == 0 { // else it is ours, of an earlier run
			done.Mark, done.Turns = "", 0
			done.Note = "these turns had left the conversation before, in OpenCode itself; it stays as it is"
		}
		return done, err
	}
	done.Mark = c.messages[c.first].Info.ID
	if err := c.keep(t); err != nil {
		return agents.TalkDone{}, err
	}
	if err := c.dropPatches(); err != nil {
		return agents.TalkDone{}, c.explain(t, err)
	}
	if err := c.call("POST", c.id()+"/revert", map[string]string{"messageID": done.Mark}, nil); err != nil {
		return agents.TalkDone{}, c.explain(t, err)
	}
	if err := c.read(t); err != nil {
		return agents.TalkDone{}, c.explain(t, err)
	}
	if !c.done() {
		return agents.TalkDone{}, model.Errorf(model.CodeFailed, "OpenCode said that it took the turns back, and they are still there")
	}
	return done, nil
}

// Restore puts the turns back, while no prompt was sent since; see agents.Conversation.
func (*Agent) Restore(ctx context.Context, run agents.Runner, t agents.Talk, d agents.TalkDone) (string, error) {
	c, err := load(ctx, run, t)
	if err != nil {
		return "", err
	}
	defer c.close()
	if d.Turns == 0 {
		return "Nothing had been taken out of the conversation of OpenCode, and it stays as it is", nil
	}
	if d.Mark == "" || !slices.ContainsFunc(c.messages, func(m message) bool { return m.Info.ID == d.Mark }) {
		return "The conversation of OpenCode went on, so the turns that left it cannot come back; what was said in them can be read in " + t.Keepsakes, nil
	}
	if err := c.putPatches(t); err != nil {
		return "", c.explain(t, err)
	}
	switch c.session.reverted() {
	case d.Mark:
		if err := c.call("POST", c.id()+"/unrevert", nil, nil); err != nil {
			return "", c.explain(t, err)
		}
	case "":
	default:
		return "The conversation of OpenCode was taken back to another prompt since, and stays so", nil
	}
	if err := c.read(t); err != nil {
		return "", c.explain(t, err)
	}
	if c.session.reverted() != "" {
		return "", model.Errorf(model.CodeFailed, "OpenCode said that it put the turns back, and they are still gone")
	}
	return "All turns are back in the conversation: `opencode -s " + model.ShellWord(t.Session) + "`", nil
}

// load starts the server and reads the conversation.
func load(ctx context.Context, run agents.Runner, t agents.Talk) (*talk, error) {
	s, err := open(ctx, run, t.Root)
	if err != nil {
		return nil, err
	}
	c := &talk{server: s}
	if err := c.read(t); err != nil {
		s.close()
		return nil, c.explain(t, err)
	}
	return c, nil
}

// id is the conversation in a path.
func (c *talk) id() string { return url.PathEscape(c.session.ID) }

func (c *talk) read(t agents.Talk) error {
	c.session, c.raw, c.messages, c.first, c.found = session{ID: t.Session}, nil, nil, -1, 0
	if err := c.call("GET", c.id(), nil, &c.session); err != nil {
		return err
	}
	if c.session.ID != t.Session {
		return model.Errorf(model.CodeFailed, "OpenCode answered with another conversation: %s", c.session.ID)
	}
	if c.session.Directory != "" {
		c.dir = c.session.Directory
	}
	if err := c.call("GET", c.id()+"/message", nil, &c.raw); err != nil {
		return err
	}
	if err := json.Unmarshal(c.raw, &c.messages); err != nil {
		return &model.Error{Code: model.CodeFailed, Message: "the messages of OpenCode are not as expected", Err: err}
	}
	for i, m := range c.messages {
		switch {
		case isOneOf(t.Drop, m.Info.ID):
			if c.found++; c.first < 0 {
				c.first = i
			}
		case c.first >= 0 && isOneOf(t.Keep, m.Info.ID):
			return model.Refusedf("the turns of the conversation in OpenCode are not in the order that overturn recorded")
		}
	}
	return nil
}

// done tells whether none of the turns is in what the model is sent: they were removed,
// or lie behind the message from which on the conversation is taken back.
func (c *talk) done() bool {
	if c.first < 0 {
		return true
	}
	mark := c.session.reverted()
	return mark != "" && slices.ContainsFunc(c.messages[:c.first+1], func(m message) bool { return m.Info.ID == mark })
}

// prompts counts those from the first dropped turn on.
func (c *talk) prompts() int {
	n := 0
	for _, m := range c.messages[max(c.first, 0):] {
		if m.Info.Role == "user" {
			n++
		}
	}
	return n
}

func isOneOf(turns []agents.TalkTurn, id string) bool {
	return id != "" && slices.ContainsFunc(turns, func(t agents.TalkTurn) bool { return t.TurnID == id })
}

// explain puts the server's refusals into words that say what to do.
func (c *talk) explain(t agents.Talk, err error) error {
	var refused *refusal
	if !errors.As(err, &refused) {
		return err
	}
	if refused.status == 404 {
		return &model.Error{Code: model.CodeFailed, Message: "OpenCode has no such conversation: " + t.Session, Err: err,
			Hint: "where OpenCode keeps them elsewhere, set XDG_DATA_HOME as it has it"}
	}
	return &model.Error{Code: model.CodeFailed, Message: "OpenCode did not take the turns back", Err: err,
		Hint: "type /undo in OpenCode"}
}
