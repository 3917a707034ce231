package codex

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"overturn/model"
	"overturn/review/agents"
)

// maxTurns bounds how many turns of a conversation are listed.
const maxTurns = 100_000

// Capability says how a conversation of Codex is taken back; see agents.Conversation.
func (*Agent) Capability() agents.Capability {
	return agents.Capability{Supported: true, Closed: true, How: "thread/revert of codex app-server (thread/rollback in older versions)"}
}

// thread is what the server says of a conversation.
type thread struct {
	ID   string `json:"id"`
	Mode string `json:"historyMode"`
	Path string `json:"path"`
}

// turn is one of its turns; ids are those that hooks are given.
type turn struct {
	ID string `json:"id"`
}

// talk is a conversation that was loaded.
type talk struct {
	*server
	thread thread
	turns  []turn // newest first, as far as was needed
	first  int    // of turns: the oldest that is to be dropped; -1: none is there
	found  int    // of those to be dropped
	method string // that takes turns out
}

// Check loads the conversation, which tells whether another program has it open, and
// writes nothing; see agents.Conversation.
func (*Agent) Check(ctx context.Context, run agents.Runner, t agents.Talk) (agents.Standing, error) {
	c, err := load(ctx, run, t)
	if err != nil {
		return agents.Standing{}, err
	}
	defer c.close()
	return agents.Standing{Done: c.first < 0, Turns: c.found, More: c.more(), Version: c.version, Mode: c.thread.Mode, Note: c.note()}, nil
}

func (c *talk) more() int {
	if c.first < 0 {
		return 0
	}
	return c.first + 1 - c.found
}

func (c *talk) note() string {
	if more := c.more(); more > 0 {
		return agents.Count(more, "later turn") + " that overturn did not record: gone from it too"
	}
	return ""
}

// Rollback takes the turns out; see agents.Conversation.
func (*Agent) Rollback(ctx context.Context, run agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	c, err := load(ctx, run, t)
	if err != nil {
		return agents.TalkDone{}, err
	}
	defer c.close()
	done := agents.TalkDone{Session: t.Session, Turns: len(t.Drop), Note: fmt.Sprintf("%s left the conversation: `codex resume %s` goes on without them", agents.Count(len(t.Drop), "turn"), model.ShellWord(t.Session))}
	if c.first < 0 {
		return done, nil
	}
	done.Mark = c.thread.Path
	return done, c.revert(t)
}

// Restore cannot put turns back; see agents.Conversation.
func (*Agent) Restore(_ context.Context, _ agents.Runner, _ agents.Talk, d agents.TalkDone) (string, error) {
	note := "Codex cannot put back turns that left its conversation"
	if d.Mark != "" {
		note += "; what was said in them can be read in " + d.Mark
	}
	return note, nil
}

// load starts the server and loads the conversation with as many turns as matter.
func load(ctx context.Context, run agents.Runner, t agents.Talk) (*talk, error) {
	s, err := open(ctx, run, t.Root)
	if err != nil {
		return nil, err
	}
	c := &talk{server: s, first: -1}
	if err := c.resume(t); err != nil {
		s.close()
		return nil, c.explain(t, err)
	}
	return c, nil
}

func (c *talk) resume(t agents.Talk) error {
	var loaded struct {
		Thread thread `json:"thread"`
	}
	ask := map[string]any{"threadId": t.Session, "excludeTurns": true, "config": c.noServers(t.Root)}
	if err := c.call("thread/resume", ask, &loaded); err != nil {
		return err
	}
	c.thread = loaded.Thread
	if err := c.list(t); err != nil {
		return err
	}
	for i, turn := range c.turns {
		if isOneOf(t.Drop, turn.ID) {
			c.first = i
			c.found++
		}
	}
	kept := func(v turn) bool { return isOneOf(t.Keep, v.ID) }
	switch {
	case c.first < 0 && c.thread.Mode != "paginated" && len(c.turns) > 0 && !slices.ContainsFunc(c.turns, kept):
		return model.Refusedf("the turns of the conversation in Codex have other ids than its hooks told").
			WithHint("take them back in Codex itself")
	case c.first >= 0 && slices.ContainsFunc(c.turns[:c.first], kept):
		return model.Refusedf("the turns of the conversation in Codex are not in the order that overturn recorded")
	case c.first < 0:
		return nil
	}
	return c.way(t.Session)
}

// noServers is the configuration that keeps the user's MCP servers from being started
// with the conversation: nothing is asked of them. Empty where Codex does not tell which
// there are.
func (c *talk) noServers(root string) map[string]any {
	var read struct {
		Config struct {
			Servers map[string]struct{} `json:"mcp_servers"`
		} `json:"config"`
	}
	off := map[string]any{}
	if c.call("config/read", map[string]any{"cwd": root}, &read) != nil {
		return off
	}
	for name := range read.Config.Servers {
		if strings.IndexFunc(name, func(r rune) bool { return r == '.' || r == '"' }) < 0 {
			off["mcp_servers."+name+".enabled"] = false
		}
	}
	return off
}

// list asks for turns, newest first, until one that stays is met.
func (c *talk) list(t agents.Talk) error {
	c.turns = nil
	for cursor := any(nil); ; {
		var page struct {
			Data []turn  `json:"data"`
			Next *string `json:"nextCursor"`
		}
		ask := map[string]any{"threadId": t.Session, "sortDirection": "desc", "limit": 100, "itemsView": "notLoaded", "cursor": cursor}
		if err := c.call("thread/turns/list", ask, &page); err != nil {
			return err
		}
		c.turns = append(c.turns, page.Data...)
		if page.Next == nil || len(page.Data) == 0 || len(c.turns) > maxTurns || slices.ContainsFunc(page.Data, func(v turn) bool { return isOneOf(t.Keep, v.ID) }) {
			return nil
		}
		cursor = *page.Next
	}
}

// noTurn is the id of no turn: what is refused because of it alone is there.
const noTurn = "00000000-0000-7000-8000-000000000000"

// way finds the method that takes turns out of this conversation, by asking each for
// what it must refuse: which there are depends on the version, and which one takes this
// conversation on when it was begun (historyMode).
func (c *talk) way(session string) error {
	var none struct{}
	var refused *rpcError
	tries := []struct {
		method string
		params map[string]any
	}{
		{"thread/revert", map[string]any{"threadId": session, "beforeTurnId": noTurn}},
		{"thread/rollback", map[string]any{"threadId": session, "numTurns": 0}},
	}
	var all []error
	for _, try := range tries {
		err := c.call(try.method, try.params, &none)
		if err != nil && !errors.As(err, &refused) {
			return err
		}
		if err == nil || !strings.Contains(refused.Message, "unknown variant") && !strings.Contains(refused.Message, "paginated threads") {
			c.method = try.method
			return nil
		}
		all = append(all, err)
	}
	if strings.Contains(all[0].Error(), "unknown variant") {
		return all[0]
	}
	return &model.Error{Code: model.CodeFailed, Message: "this conversation was begun by an older Codex, and Codex " + c.version + " takes no turns out of such a one", Err: all[0],
		Hint: "`codex fork` opens it at an earlier turn"}
}

// revert takes the turns out and reads back that they are gone.
func (c *talk) revert(t agents.Talk) error {
	params := map[string]any{"threadId": t.Session, "beforeTurnId": c.turns[c.first].ID}
	if c.method == "thread/rollback" {
		params = map[string]any{"threadId": t.Session, "numTurns": c.first + 1}
	}
	var ignored struct{}
	if err := c.call(c.method, params, &ignored); err != nil {
		return c.explain(t, err)
	}
	if err := c.list(t); err != nil {
		return c.explain(t, err)
	}
	for _, v := range c.turns {
		if isOneOf(t.Drop, v.ID) {
			return model.Errorf(model.CodeFailed, "Codex said that it took the turns back, and turn %s is still there", v.ID)
		}
	}
	return nil
}

func isOneOf(turns []agents.TalkTurn, id string) bool {
	return id != "" && slices.ContainsFunc(turns, func(t agents.TalkTurn) bool { return t.TurnID == id })
}

// explain puts the server's refusals into words that say what to do.
func (c *talk) explain(t agents.Talk, err error) error {
	var refused *rpcError
	var ours *model.Error
	if !errors.As(err, &refused) || errors.As(err, &ours) {
		return err
	}
	said := err.Error()
	switch {
	case strings.Contains(said, "active writer"):
		return &model.Error{Code: model.CodeRefused, Message: "Codex has this conversation open", Err: err,
			Hint: "quit Codex (or the program that drives it), then run the command again"}
	case strings.Contains(said, "no rollout found"), strings.Contains(said, "not loaded"), strings.Contains(said, "not found"), strings.Contains(said, "invalid session id"):
		return &model.Error{Code: model.CodeFailed, Message: "Codex has no such conversation: " + t.Session, Err: err,
			Hint: "where Codex keeps them elsewhere, set CODEX_HOME as it has it"}
	case strings.Contains(said, "unknown variant"):
		return &model.Error{Code: model.CodeFailed, Message: "Codex " + c.version + " has no way to take turns back that overturn knows", Err: err,
			Hint: "another version of Codex may have one"}
	}
	return &model.Error{Code: model.CodeFailed, Message: "Codex " + c.version + " did not take the turns back", Err: err,
		Hint: "take them back in Codex itself"}
}
