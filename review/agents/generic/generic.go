// Package generic reads overturn's own, documented event, for agents and
// scripts that have no adapter. One JSON object on stdin of `overturn hook
// generic`:
//
//	{"event": "turn-start",      session-start, turn-start, pre-tool, post-tool, turn-end, session-end;
//	                             or given as EVENT on the command line
//	 "thread": "…",              required: the conversation, at most 180 bytes
//	 "turn_id": "…",             the turn's own key, where there is one
//	 "cwd": "…",                 folder in the work tree; the hook's own when absent
//	 "prompt": "…",              of turn-start
//	 "reports_tools": false,     of turn-start: every tool that may write is told of
//	 "takes_context": false,     of turn-start: what the hook prints is read, {"additional_context","notice"}
//	 "transcript": "…",          file that the agent keeps of the conversation
//	 "subagent": "…",            of tool events: which sub-agent acted, inside its parent's turn
//	 "state": "completed",       of turn-end: completed, failed, cancelled, interrupted, unknown
//	 "message": "…", "message_id": "…",        of turn-end
//	 "tool": "…", "call_id": "…",              of tool events
//	 "paths": ["…"],             files that an edit tool wrote, absolute or relative to cwd
//	 "command": "…", "failed": false, "background": false,
//	 "at": "2026-11-30T10:00:00Z"}             RFC 3339; the time of arrival when absent
//
// Members that are not named here are ignored. The room keeps no state and a
// crash leaves nothing behind.
package generic

import (
	"time"

	"overturn/model"
	"overturn/review/agents"
)

// Agent is the adapter. Its zero value is ready.
type Agent struct{}

// New returns the adapter.
func New() *Agent { return &Agent{} }

// Name is the agent's name on the command line.
func (*Agent) Name() string { return "generic" }

// Parse reads one event; see agents.Parser.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	name := f.String("event")
	if name == "" {
		name = p.Name
	}
	thread, noThread := f.Thread("thread")
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: name, Session: thread,
		TurnID: f.String("turn_id"), Cwd: f.String("cwd"), Prompt: f.String("prompt"),
		Message: f.String("message"), MessageID: f.String("message_id"),
		Tool: f.String("tool"), CallID: f.String("call_id"), Writes: f.Strings("paths"),
		Command: f.String("command"), Failed: f.Bool("failed"), Transcript: f.String("transcript"), Subagent: f.String("subagent")}
	kind, badKind := kindOf(name)
	state, badState := stateOf(f.String("state"))
	at, badTime := timeOf(f.String("at"))
	e.At = at
	if broken != nil && name == "" {
		badKind = nil // the break is what there is to say
	}
	e.Kind = kind
	switch kind {
	case agents.TurnStart:
		e.ReportsTools, e.TakesContext = f.Bool("reports_tools"), f.Bool("takes_context")
	case agents.TurnEnd:
		e.State, e.Background = state, f.Bool("background")
	case agents.PreTool, agents.PostTool:
		e.Detached = f.Bool("background")
	}
	return e, agents.FirstError(broken, noThread, badKind, badState, badTime, f.Err())
}

// Tell answers a turn-start that takes context; see agents.Teller.
func (*Agent) Tell(e agents.Event, text, notice string) ([]byte, bool) {
	return agents.PlainContext(e, text, notice)
}

// Untold says why nothing can wait for a prompt; see agents.Mute.
func (*Agent) Untold() string {
	return "whether it reads what the hook prints is said by its turn-start alone (takes_context)"
}

func kindOf(name string) (agents.Kind, error) {
	switch k := agents.Kind(name); k {
	case agents.SessionStart, agents.TurnStart, agents.PreTool, agents.PostTool, agents.TurnEnd, agents.SessionEnd:
		return k, nil
	}
	return agents.Ignored, model.Errorf(model.CodeFailed, "%q is not an event", name).
		WithHint("events: session-start, turn-start, pre-tool, post-tool, turn-end, session-end")
}

func stateOf(s string) (model.TurnState, error) {
	switch st := model.TurnState(s); st {
	case "":
		return model.TurnCompleted, nil
	case model.TurnCompleted, model.TurnFailed, model.TurnCancelled, model.TurnInterrupted, model.TurnUnknown:
		return st, nil
	}
	return model.TurnUnknown, model.Errorf(model.CodeFailed, "%q is not how a turn ends", s).
		WithHint("states: completed, failed, cancelled, interrupted, unknown")
}

func timeOf(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, &model.Error{Code: model.CodeFailed, Message: "the event's time is not RFC 3339", Err: err}
	}
	return t.UTC(), nil
}
