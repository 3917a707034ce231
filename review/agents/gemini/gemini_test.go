package gemini_test

import (
	"reflect"
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/gemini"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, gemini.New(), false)
	agenttest.Installer(t, gemini.New())
}

func TestScenario(t *testing.T) {
	want := []string{"SessionStart session-start source=startup", "BeforeAgent turn-start", "PreCompress ignored",
		"BeforeTool pre-tool tool=write_file writes=/work-repo/b.txt", "AfterTool post-tool tool=write_file writes=/work-repo/b.txt", "PreCompress ignored",
		"BeforeTool pre-tool tool=run_shell_command command=echo two >> a.txt", "AfterTool post-tool tool=run_shell_command command=echo two >> a.txt", "PreCompress ignored",
		"AfterAgent turn-end state=completed", "SessionEnd session-end source=exit"}
	var got []string
	for _, f := range agenttest.Recorded(t)["edit"] {
		e, err := gemini.New().Parse(f.Payload())
		if err != nil || e.Home() != "/work-repo" || e.At.Year() != 2026 {
			t.Fatalf("%+v, %v", e, err)
		}
		got = append(got, agenttest.Line(e))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	e, err := gemini.New().Parse(agents.Payload{Raw: []byte(`{"session_id":"s","hook_event_name":"AfterTool","tool_name":"x","tool_response":{"error":{"message":"no"}}}`)})
	if err != nil || !e.Failed {
		t.Errorf("%+v, %v", e, err)
	}
}
