package agents

import (
	"time"

	"overturn/model"
)

// Kind is what an event means for the record of a turn.
type Kind string

// The kinds of event.
const (
	SessionStart Kind = "session-start"
	TurnStart    Kind = "turn-start"
	PreTool      Kind = "pre-tool"
	PostTool     Kind = "post-tool"
	TurnEnd      Kind = "turn-end"
	SessionEnd   Kind = "session-end"
	Ignored      Kind = "ignored"
)

// Boundary tells whether the work tree is captured at events of this kind.
func (k Kind) Boundary() bool { return k == TurnStart || k == TurnEnd || k == SessionEnd }

// Event is what one firing of a hook says, in words that all agents share.
type Event struct {
	Agent        string
	Kind         Kind
	Name         string          // as the agent spells it: UserPromptSubmit, Stop …
	Session      model.ThreadID  // the conversation; "" where the payload names none
	TurnID       string          // the agent's own key of the turn, "" where it has none
	Prompt       string          // of TurnStart
	State        model.TurnState // of TurnEnd
	Message      string          // of TurnEnd: the agent's last words
	MessageID    string
	Tool         string // of tool events, as the agent spells it
	CallID       string
	Writes       []string // of tool events: paths an edit tool wrote, as spelt: absolute, or relative to Cwd
	Command      string   // of tool events: the shell command, "" for other tools
	Detached     bool     // of tool events: the command runs on after the tool returned
	Failed       bool     // of PostTool: the agent says that the tool failed
	Cwd          string   // folder the agent stands in; it follows cd
	ProjectDir   string   // folder the session belongs to, where the agent says so
	Transcript   string
	Source       string    // of SessionStart: startup, resume, clear, compact; of SessionEnd: the reason
	Subagent     string    // id of the sub-agent that acted; it is part of the parent's turn
	Background   bool      // of TurnEnd: tasks still run and may write
	ReportsTools bool      // of TurnStart: the agent tells of every tool that may write
	TakesContext bool      // of TurnStart: what the hook prints reaches the agent beside its prompt
	Foreign      string    // name of the agent whose payload this is, where it is another's: Kind is Ignored
	At           time.Time // payload's own time, zero where it has none
}

// Home is the folder that decides which work tree the session belongs to.
func (e Event) Home() string {
	if e.ProjectDir != "" {
		return e.ProjectDir
	}
	return e.Cwd
}

// Rebinds tells whether the event starts the session in a place of its own, so
// that an older binding of the same session no longer holds.
func (e Event) Rebinds() bool {
	return e.Kind == SessionStart && e.Source != "compact"
}
