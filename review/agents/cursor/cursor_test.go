package cursor_test

import (
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/cursor"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, cursor.New(), true)
	agenttest.Installer(t, cursor.New())
}

func TestStates(t *testing.T) {
	for status, want := range map[string]string{"completed": "completed", "aborted": "interrupted", "error": "failed", "odd": "unknown"} {
		e, err := cursor.New().Parse(agents.Payload{Raw: []byte(`{"conversation_id":"c","hook_event_name":"stop","status":"` + status + `"}`)})
		if err != nil || string(e.State) != want {
			t.Errorf("%s: %q, %v", status, e.State, err)
		}
	}
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, cursor.New()) }
