package opencode_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
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

// TestRecordingsAreOfThisPlugin: what the tests read is what the plugin tells, given the
// events that OpenCode was recorded with (testdata/plugin).
func TestRecordingsAreOfThisPlugin(t *testing.T) {
	const played = "testdata/overturn.mjs"
	text, err := opencode.New().Put(nil, agents.HookCommand("overturn", "opencode", false))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(played, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(played); err != nil || string(kept) != string(text) {
		t.Errorf("%s is not the plugin (%v): UPDATE_GOLDEN=1 go test ./review/agents/opencode, then node review/agents/opencode/testdata/play.mjs", played, err)
	}
	sum := sha256.Sum256(text)
	events, err := filepath.Glob("testdata/plugin/*.json")
	if err != nil || len(events) < 7 {
		t.Fatalf("%d recordings, %v", len(events), err)
	}
	for _, name := range events {
		raw, err := os.ReadFile(filepath.Join("testdata", filepath.Base(name)))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Plugin string }
		if err := json.Unmarshal(raw, &file); err != nil || file.Plugin != hex.EncodeToString(sum[:]) {
			t.Errorf("%s was told by another plugin (%v): node review/agents/opencode/testdata/play.mjs", filepath.Base(name), err)
		}
	}
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, opencode.New()) }
