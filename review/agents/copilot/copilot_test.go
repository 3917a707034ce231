package copilot_test

import (
	"reflect"
	"testing"

	"overturn/review/agents/agenttest"
	"overturn/review/agents/copilot"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, copilot.New(), false)
	agenttest.OwnFile(t, copilot.New())
}

func TestScenario(t *testing.T) {
	for scenario, want := range map[string][]string{
		"edit": {"sessionStart session-start source=new", "userPromptSubmitted turn-start",
			"preToolUse pre-tool tool=create writes=/work-repo/b.txt", "permissionRequest ignored", "postToolUse post-tool tool=create writes=/work-repo/b.txt",
			"preToolUse pre-tool tool=bash command=echo two >> a.txt", "permissionRequest ignored", "postToolUse post-tool tool=bash command=echo two >> a.txt",
			"agentStop turn-end state=completed", "sessionEnd session-end source=complete"},
		"modelfail": {"sessionStart session-start source=new", "userPromptSubmitted turn-start", "errorOccurred turn-end state=failed", "sessionEnd session-end source=error"},
	} {
		var got []string
		for _, f := range agenttest.Recorded(t)[scenario] {
			e, err := copilot.New().Parse(f.Payload())
			if err != nil || e.At.Year() != 2026 {
				t.Fatalf("%+v, %v", e, err)
			}
			got = append(got, agenttest.Line(e))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q", scenario, got)
		}
	}
}
