package claudecode

import (
	"overturn/model"
	"overturn/review/agents"
)

// Agent is the adapter. Its zero value is ready.
type Agent struct{}

// New returns the adapter.
func New() *Agent { return &Agent{} }

// Name is the agent's name on the command line.
func (*Agent) Name() string { return "claude-code" }

// Parse reads one payload; see agents.Parser. Cursor runs the hooks in Claude Code's
// files too, with payloads of its own: they are told by their cursor_version.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: f.String("hook_event_name")}
	if e.Name == "" {
		e.Name = p.Name
	}
	thread, noThread := f.Thread("session_id")
	e.Session = thread
	e.TurnID = f.String("prompt_id")
	e.Cwd = f.String("cwd")
	if p.Getenv != nil {
		e.ProjectDir = p.Getenv("CLAUDE_PROJECT_DIR")
	}
	e.Transcript = f.String("transcript_path")
	e.Subagent = f.String("agent_id")
	if f.String("cursor_version") != "" {
		e.Foreign = "cursor"
		return e, nil
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
	case "UserPromptSubmit":
		e.Kind, e.Prompt, e.ReportsTools = agents.TurnStart, f.String("prompt"), true
	case "PreToolUse":
		fillTool(e, f, agents.PreTool)
	case "PostToolUse":
		fillTool(e, f, agents.PostTool)
	case "PostToolUseFailure":
		fillTool(e, f, agents.PostTool)
		e.Failed = true
	case "Stop":
		e.Kind, e.State = agents.TurnEnd, model.TurnCompleted
		e.Message = f.String("last_assistant_message")
		e.Background = f.Filled("background_tasks")
	case "StopFailure":
		e.Kind, e.State = agents.TurnEnd, model.TurnFailed
		e.Message = f.String("last_assistant_message")
	case "SessionEnd":
		e.Kind, e.Source = agents.SessionEnd, f.String("reason")
	default:
		// SubagentStart and SubagentStop happen inside the parent's turn; a
		// PostToolBatch repeats calls that were told of, or were refused and did
		// nothing; the rest is not about work.
	}
}

func fillTool(e *agents.Event, f *agents.Fields, kind agents.Kind) {
	e.Tool, e.CallID = f.String("tool_name"), f.String("tool_use_id")
	if kind == agents.PreTool && onlyReads(e.Tool) {
		return // its end is told of: what changed until then was no tool's work
	}
	e.Kind = kind
	input := f.Object("tool_input")
	switch e.Tool {
	case "Write", "Edit", "MultiEdit":
		e.Writes = input.Strings("file_path")
	case "NotebookEdit":
		e.Writes = input.Strings("notebook_path")
	case "Bash", "PowerShell":
		e.Command = input.String("command")
		e.Detached = input.Bool("run_in_background")
	}
}

// onlyReads names the tools that cannot change a file. A tool that is not known
// here is taken for one that can.
func onlyReads(tool string) bool {
	switch tool {
	case "Read", "Glob", "Grep", "LS", "NotebookRead", "WebFetch", "WebSearch", "TodoWrite", "BashOutput", "ToolSearch":
		return true
	}
	return false
}

// Tell answers a prompt's hook; see agents.Teller.
func (*Agent) Tell(e agents.Event, text, notice string) ([]byte, bool) {
	return agents.PromptContext(e, "UserPromptSubmit", text, notice)
}
