// Package gemini is the adapter of Gemini CLI: its hook payloads, the
// "hooks" block of its settings files, and its session files.
//
// Invariants: Gemini names neither turns nor calls; events are ordered by the
// time in the payload. An AfterAgent ends a turn, whether the answer was cut or
// not: Gemini does not say. A turn that was cut inside a tool, or that the
// model's server failed, ends without a word; the next turn's start or the end of
// the session closes it.
//
// A crash leaves a session file as it was or as it was to be (see package talkfile).
package gemini

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
func (*Agent) Name() string { return "gemini" }

// Parse reads one payload; see agents.Parser.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: f.String("hook_event_name")}
	if e.Name == "" {
		e.Name = p.Name
	}
	thread, noThread := f.Thread("session_id")
	e.Session = thread
	e.Cwd = f.String("cwd")
	if p.Getenv != nil {
		e.ProjectDir = p.Getenv("GEMINI_PROJECT_DIR")
	}
	e.Transcript = f.String("transcript_path")
	if at, err := time.Parse(time.RFC3339Nano, f.String("timestamp")); err == nil {
		e.At = at.UTC()
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
	case "SessionStart":
		e.Kind, e.Source = agents.SessionStart, f.String("source")
	case "BeforeAgent":
		e.Kind, e.Prompt, e.ReportsTools = agents.TurnStart, f.String("prompt"), true
	case "BeforeTool":
		fillTool(e, f, agents.PreTool)
	case "AfterTool":
		fillTool(e, f, agents.PostTool)
		e.Failed = f.Object("tool_response").Filled("error")
	case "AfterAgent":
		e.Kind, e.State, e.Message = agents.TurnEnd, model.TurnCompleted, f.String("prompt_response")
	case "SessionEnd":
		e.Kind, e.Source = agents.SessionEnd, f.String("reason")
	default:
		// BeforeModel, AfterModel and their kin fire many times a turn and change no file.
	}
}

func fillTool(e *agents.Event, f *agents.Fields, kind agents.Kind) {
	e.Tool = f.String("tool_name")
	switch e.Tool {
	case "read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search", "google_web_search", "web_fetch", "write_todos":
		if kind == agents.PreTool {
			return // they only read; their end is told of
		}
	}
	e.Kind = kind
	input := f.Object("tool_input")
	switch e.Tool {
	case "write_file", "replace", "edit":
		e.Writes = input.Strings("file_path")
	case "run_shell_command":
		e.Command = input.String("command")
	}
}

// Tell answers a prompt's hook; see agents.Teller.
func (*Agent) Tell(e agents.Event, text, notice string) ([]byte, bool) {
	return agents.PromptContext(e, "BeforeAgent", text, notice)
}
