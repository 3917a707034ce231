package agents_test

import (
	"encoding/json"
	"strings"
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/claudecode"
	"overturn/review/agents/codex"
)

// What is said is one JSON object on one line, and only the hook of a prompt says it.
func TestTell(t *testing.T) {
	text := "line one\n\"two\" <b> \u2028 é"
	for _, a := range []agents.Agent{claudecode.New(), codex.New()} {
		teller := a.(agents.Teller)
		out, ok := teller.Tell(agents.Event{Kind: agents.TurnStart, Name: "UserPromptSubmit"}, text, "3 comments")
		var got struct {
			SystemMessage      string
			HookSpecificOutput struct{ HookEventName, AdditionalContext string }
		}
		if err := json.Unmarshal(out, &got); err != nil || !ok {
			t.Fatalf("%s: %s: %v", a.Name(), out, err)
		}
		if got.HookSpecificOutput.AdditionalContext != text || got.HookSpecificOutput.HookEventName != "UserPromptSubmit" || got.SystemMessage != "3 comments" {
			t.Errorf("%s: %+v", a.Name(), got)
		}
		if strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: not one line: %q", a.Name(), out)
		}
		for _, e := range []agents.Event{{Kind: agents.TurnEnd, Name: "Stop"}, {Kind: agents.SessionStart, Name: "SessionStart"}, {Kind: agents.TurnStart, Name: "other"}} {
			if out, ok := teller.Tell(e, text, ""); ok || out != nil {
				t.Errorf("%s %s: said %q", a.Name(), e.Name, out)
			}
		}
	}
}
