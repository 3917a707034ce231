// Package copilot is the adapter of GitHub Copilot CLI: its hook payloads, a
// hooks file of our own in its folder of hooks, and the events of its sessions.
//
// Invariants: Copilot names neither turns nor calls; events are ordered by the
// time in the payload, and two of one session may arrive at once. It tells nobody
// when a turn is interrupted. The file is ours as a whole: one that holds anything
// else is refused.
//
// A crash leaves the events of a session as they were or as they were to be (see
// package talkfile).
package copilot

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
func (*Agent) Name() string { return "copilot" }

// Parse reads one payload; see agents.Parser. The payload does not name its
// event: EVENT on the command line does.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: p.Name}
	thread, noThread := f.Thread("sessionId")
	e.Session = thread
	e.Cwd = f.String("cwd")
	if p.Getenv != nil {
		e.ProjectDir = p.Getenv("COPILOT_PROJECT_DIR")
	}
	e.Transcript = f.String("transcriptPath")
	if ms := f.Int("timestamp"); ms > 0 {
		e.At = time.UnixMilli(ms).UTC()
	}
	fill(&e, f)
	e.TakesContext = e.Kind == agents.TurnStart
	if e.Kind == agents.Ignored && broken == nil {
		return e, nil
	}
	return e, agents.FirstError(broken, noThread, f.Err())
}

func fill(e *agents.Event, f *agents.Fields) {
	switch e.Name {
	case "sessionStart":
		e.Kind, e.Source = agents.SessionStart, f.String("source")
	case "userPromptSubmitted":
		e.Kind, e.Prompt, e.ReportsTools = agents.TurnStart, f.String("prompt"), true
	case "preToolUse":
		fillTool(e, f, agents.PreTool)
	case "postToolUse":
		fillTool(e, f, agents.PostTool)
		e.Failed = f.Object("toolResult").String("resultType") == "failure"
	case "postToolUseFailure":
		fillTool(e, f, agents.PostTool)
		e.Failed = true
	case "agentStop":
		e.Kind, e.State = agents.TurnEnd, model.TurnCompleted
	case "errorOccurred":
		if f.String("errorContext") == "model_call" {
			e.Kind, e.State = agents.TurnEnd, model.TurnFailed
		}
	case "sessionEnd":
		e.Kind, e.Source = agents.SessionEnd, f.String("reason")
	default:
		// permissionRequest fires on every tool call, asked or not; the rest is not about work.
	}
}

func fillTool(e *agents.Event, f *agents.Fields, kind agents.Kind) {
	e.Tool = f.String("toolName")
	switch e.Tool {
	case "view", "glob", "grep", "rg", "web_fetch", "report_intent":
		if kind == agents.PreTool {
			return // they only read; their end is told of
		}
	}
	e.Kind = kind
	args := f.Object("toolArgs")
	switch e.Tool {
	case "create", "edit", "str_replace", "insert":
		e.Writes = args.Strings("path")
	case "bash", "powershell":
		e.Command = args.String("command")
	}
}

// Tell answers a prompt's hook; see agents.Teller. There is no place for a word to the
// user: the program shows nothing of it.
func (*Agent) Tell(e agents.Event, text, _ string) ([]byte, bool) {
	if e.Kind != agents.TurnStart || e.Name != "userPromptSubmitted" {
		return nil, false
	}
	return agents.BareContext(text)
}
