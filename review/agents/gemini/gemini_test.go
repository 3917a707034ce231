package gemini_test

import (
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/gemini"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, gemini.New(), false)
	agenttest.Installer(t, gemini.New())
}

// TestFailedTool: a tool's answer with an error in it.
func TestFailedTool(t *testing.T) {
	e, err := gemini.New().Parse(agents.Payload{Raw: []byte(`{"session_id":"s","hook_event_name":"AfterTool","tool_name":"x","tool_response":{"error":{"message":"no"}}}`)})
	if err != nil || !e.Failed {
		t.Errorf("%+v, %v", e, err)
	}
}
func FuzzParse(f *testing.F) { agenttest.Fuzz(f, gemini.New()) }
