// Package cursor is the adapter of Cursor CLI: its hook payloads, and its
// hooks.json files. It follows Cursor's documentation; the program itself was
// not at hand to record payloads of.
//
// Invariants: a turn's key is the payload's generation_id; only events that the
// documentation names are asked for, since one unknown name makes Cursor drop the
// whole file. In its non-interactive mode Cursor tells neither the start nor the
// end of a turn. Cursor runs the hooks in Claude Code's files as well, with payloads of
// its own: they are read here, and dropped where Cursor's own file has our hooks.
//
// A crash leaves nothing behind: the room computes bytes and writes none.
package cursor

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Agent is the adapter. Its zero value is ready.
type Agent struct{}

// New returns the adapter.
func New() *Agent { return &Agent{} }

// Name is the agent's name on the command line.
func (*Agent) Name() string { return "cursor" }

// Parse reads one payload; see agents.Parser.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	f, broken := agents.ParseFields(p)
	e := agents.Event{Agent: a.Name(), Kind: agents.Ignored, Name: f.String("hook_event_name")}
	if e.Name == "" {
		e.Name = p.Name
	}
	e.Name = own(e.Name)
	thread, noThread := f.Thread("conversation_id")
	e.Session = thread
	e.TurnID = f.String("generation_id")
	e.Cwd = f.String("cwd")
	if roots := f.Strings("workspace_roots"); len(roots) > 0 {
		e.ProjectDir = roots[0]
	}
	e.Transcript = f.String("transcript_path")
	fill(&e, f)
	if e.Kind == agents.Ignored && broken == nil {
		return e, nil
	}
	return e, agents.FirstError(broken, noThread, f.Err())
}

func fill(e *agents.Event, f *agents.Fields) {
	switch e.Name {
	case "sessionStart":
		e.Kind = agents.SessionStart
	case "beforeSubmitPrompt":
		e.Kind, e.Prompt = agents.TurnStart, f.String("prompt")
	case "afterFileEdit":
		e.Kind, e.Tool, e.Writes = agents.PostTool, "edit", f.Strings("file_path")
	case "beforeShellExecution":
		e.Kind, e.Tool, e.Command = agents.PreTool, "shell", f.String("command")
	case "afterShellExecution":
		e.Kind, e.Tool, e.Command = agents.PostTool, "shell", f.String("command")
	case "preToolUse":
		fillTool(e, f, agents.PreTool)
	case "postToolUse":
		fillTool(e, f, agents.PostTool)
	case "postToolUseFailure":
		fillTool(e, f, agents.PostTool)
		e.Failed = true
	case "stop":
		e.Kind = agents.TurnEnd
		switch f.String("status") {
		case "completed":
			e.State = model.TurnCompleted
		case "aborted":
			e.State = model.TurnInterrupted
		case "error":
			e.State = model.TurnFailed
		default:
			e.State = model.TurnUnknown
		}
	case "sessionEnd":
		e.Kind, e.Source = agents.SessionEnd, f.String("reason")
	}
}

// fillTool reads the events of all tools alike. We ask for those of the shell and of
// edits alone; these come by Claude Code's hook files, which Cursor runs too.
func fillTool(e *agents.Event, f *agents.Fields, kind agents.Kind) {
	e.Tool, e.CallID = f.String("tool_name"), f.String("tool_use_id")
	switch e.Tool {
	case "Read", "Grep", "Glob", "LS":
		if kind == agents.PreTool {
			return // they only read; their end is told of
		}
	}
	e.Kind = kind
	input := f.Object("tool_input")
	switch e.Tool {
	case "Write", "Edit", "Delete":
		e.Writes = append(input.Strings("file_path"), input.Strings("path")...)
	case "Shell":
		e.Command = input.String("command")
	}
}

// own spells an event as Cursor does; Claude Code's names are those by which its hook
// files ask for them.
func own(event string) string {
	switch event {
	case "UserPromptSubmit":
		return "beforeSubmitPrompt"
	case "SessionStart", "SessionEnd", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop":
		return strings.ToLower(event[:1]) + event[1:]
	}
	return event
}

// Untold says why nothing is told; see agents.Mute.
func (*Agent) Untold() string {
	return "the answer to Cursor's beforeSubmitPrompt has no place for it, by its documentation"
}

// Found tells whether Cursor CLI is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if home := h.Getenv("HOME"); home != "" {
		if _, err := os.Stat(filepath.Join(home, ".cursor")); err == nil {
			return true
		}
	}
	_, err := h.LookPath("cursor-agent")
	return err == nil
}

// Default is the user's file: Cursor has none of a checkout that is not committed.
func (*Agent) Default() agents.Where { return agents.User }

// Files lists the hooks files that Cursor reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	var list []agents.Settings
	if h.Root != "" {
		list = append(list, agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".cursor", "hooks.json")})
	}
	if home := h.Getenv("HOME"); home != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(home, ".cursor", "hooks.json")})
	}
	return list
}

func hooks() []hookfile.Hook {
	return []hookfile.Hook{
		{Event: "sessionStart"}, {Event: "beforeSubmitPrompt"}, {Event: "beforeShellExecution"}, {Event: "afterShellExecution"},
		{Event: "afterFileEdit"}, {Event: "stop"}, {Event: "sessionEnd"},
	}
}

// fresh is a file without hooks.
const fresh = "{\n  \"version\": 1\n}\n"

func (a *Agent) ours(command string) bool { return agents.IsHookCommand(command, a.Name()) }

// Put returns src with the hooks in place; see agents.Installer.
func (a *Agent) Put(src []byte, command string) ([]byte, error) {
	if src == nil {
		src = []byte(fresh)
	}
	return hookfile.Put(src, hookfile.Spec{Hooks: hooks(), Command: command, Flat: true, Ours: a.ours})
}

// Take returns src without the hooks; see agents.Installer.
func (a *Agent) Take(src []byte) ([]byte, bool, error) {
	out, empty, err := hookfile.Take(src, a.ours)
	if err == nil && !empty && !bytes.Equal(src, out) && string(out) == fresh {
		return nil, true, nil
	}
	return out, empty, err
}

// Has lists the events that call us.
func (a *Agent) Has(src []byte) ([]string, error) { return hookfile.Events(src, a.ours) }

// Trust is not something that others can see.
func (*Agent) Trust(agents.Host, agents.Settings) (trusted, note string) {
	return "unknown", "in its non-interactive mode Cursor reports no turns"
}
