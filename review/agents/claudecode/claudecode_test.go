package claudecode_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/claudecode"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, claudecode.New(), true)
	agenttest.Installer(t, claudecode.New())
}

func parse(t *testing.T, env map[string]string, members map[string]any) (agents.Event, error) {
	t.Helper()
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return claudecode.New().Parse(agents.Payload{Raw: raw, Name: "Stop", Getenv: func(k string) string { return env[k] }})
}

func TestParticulars(t *testing.T) {
	env := map[string]string{"CLAUDE_PROJECT_DIR": "/project"}
	e, err := parse(t, env, map[string]any{"session_id": "s", "cwd": "/elsewhere", "background_tasks": []any{map[string]any{"id": 1}}})
	if err != nil || e.Home() != "/project" || e.Kind != agents.TurnEnd || !e.Background {
		t.Errorf("named by the argument, in a project: %+v, %v", e, err)
	}
	if e, err = parse(t, nil, map[string]any{"session_id": "s", "cwd": "/elsewhere"}); err != nil || e.Home() != "/elsewhere" || e.Background {
		t.Errorf("without a project: %+v, %v", e, err)
	}
	e, err = parse(t, nil, map[string]any{"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "NotebookEdit", "agent_id": "a1",
		"tool_input": map[string]any{"notebook_path": "/r/n.ipynb"}})
	if err != nil || e.Subagent != "a1" || !reflect.DeepEqual(e.Writes, []string{"/r/n.ipynb"}) {
		t.Errorf("a sub-agent's notebook: %+v, %v", e, err)
	}
	e, err = parse(t, nil, map[string]any{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": "x", "run_in_background": true}})
	if err != nil || !e.Detached || e.Command != "x" {
		t.Errorf("in the background: %+v, %v", e, err)
	}
	e, err = parse(t, nil, map[string]any{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Grep"})
	if err != nil || e.Kind != agents.Ignored {
		t.Errorf("before a tool that only reads: %+v, %v", e, err)
	}
	e, err = parse(t, nil, map[string]any{"session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "mcp__x__y"})
	if err != nil || e.Kind != agents.PreTool {
		t.Errorf("before a tool that nobody knows: %+v, %v", e, err)
	}
	for _, name := range []string{"SubagentStop", "Notification", "PreCompact", "SomethingNew"} {
		if e, err = parse(t, nil, map[string]any{"session_id": 5, "hook_event_name": name}); err != nil || e.Kind != agents.Ignored {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	for _, id := range []any{nil, "", 5, string(make([]byte, 300)), "a\nb"} {
		if e, err = parse(t, nil, map[string]any{"session_id": id}); err == nil || e.Session != "" || e.Kind != agents.TurnEnd {
			t.Errorf("session %v: %+v, %v", id, e, err)
		}
	}
}

func TestTrustAndFound(t *testing.T) {
	a, h := claudecode.New(), agenttest.Host(t, nil)
	if trusted, note := a.Trust(h, agents.Settings{}); trusted != "yes" || note != "" {
		t.Errorf("trusted %q %q", trusted, note)
	}
	dir := filepath.Join(h.Getenv("HOME"), ".claude")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if !a.Found(h) {
		t.Error("not found by its folder")
	}
	file := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(file, []byte("{ \"disableAllHooks\": true, }"), 0o644); err != nil {
		t.Fatal(err)
	}
	if trusted, note := a.Trust(h, agents.Settings{}); trusted != "no" || note != "disableAllHooks is set in "+file {
		t.Errorf("trusted %q %q", trusted, note)
	}
	other := agenttest.Host(t, map[string]string{"CLAUDE_CONFIG_DIR": "/c"})
	files := a.Files(other)
	if files[len(files)-1].Path != "/c/settings.json" {
		t.Errorf("files: %v", files)
	}
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, claudecode.New()) }
