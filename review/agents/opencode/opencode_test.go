package opencode_test

import (
	"strings"
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/opencode"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, opencode.New(), true)
	agenttest.OwnFile(t, opencode.New())
}

// TestCommandIsQuoted: a path with quotes cannot break out of the plugin's text.
func TestCommandIsQuoted(t *testing.T) {
	command := agents.HookCommand("/a \"b\"\n'c'/overturn", "opencode", true)
	out, err := opencode.New().Put(nil, command)
	if err != nil || !strings.Contains(string(out), `const command = "'/a \"b\"\n'\\''c'\\''/overturn' hook opencode --if-enabled"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
