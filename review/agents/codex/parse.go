package codex

import (
	"strings"

	"overturn/model"
	"overturn/review/agents"
)

// Agent is the adapter. Its zero value is ready.
type Agent struct{}

// New returns the adapter.
func New() *Agent { return &Agent{} }

// Name is the agent's name on the command line.
func (*Agent) Name() string { return "codex" }

// Parse reads one payload; see agents.Parser.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: f.String("hook_event_name")}
	if e.Name == "" {
		e.Name = p.Name
	}
	thread, noThread := f.Thread("session_id")
	e.Session = thread
	e.TurnID = f.String("turn_id")
	e.Cwd = f.String("cwd")
	e.Transcript = f.String("transcript_path")
	e.Subagent = f.String("agent_id")
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
		code, said := strings.CutPrefix(strings.Join(f.Strings("tool_response"), ""), "Exit code: ")
		e.Failed = said && !strings.HasPrefix(code, "0\n") && code != "0"
	case "Stop":
		e.Kind, e.State = agents.TurnEnd, model.TurnCompleted
		e.Message = f.String("last_assistant_message")
	case "Interrupt":
		e.Kind, e.State = agents.TurnEnd, model.TurnInterrupted
	case "SessionEnd":
		e.Kind, e.Source = agents.SessionEnd, f.String("reason")
	default:
		// SubagentStart and SubagentStop happen inside the parent's turn; requests
		// to the model, permissions and compaction change no file.
	}
}

func fillTool(e *agents.Event, f *agents.Fields, kind agents.Kind) {
	e.Kind = kind
	e.Tool, e.CallID = f.String("tool_name"), f.String("tool_use_id")
	input := f.Object("tool_input")
	command := input.Strings("command")
	switch {
	case len(command) == 0:
	case e.Tool == "apply_patch":
		e.Writes = PatchPaths(strings.Join(command, "\n"))
	case e.Tool == "Bash":
		e.Command = command[len(command)-1] // older versions give bash, -lc, TEXT
		if strings.HasPrefix(strings.TrimSpace(e.Command), "apply_patch") {
			e.Writes, e.Command = PatchPaths(e.Command), ""
		}
	}
}

// Tell answers a prompt's hook; see agents.Teller.
func (*Agent) Tell(e agents.Event, text, notice string) ([]byte, bool) {
	return agents.PromptContext(e, "UserPromptSubmit", text, notice)
}
