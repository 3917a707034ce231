//go:build unix

package casebook_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestOtherName: a program that is not called overturn knows its own hooks, records by
// them, and takes them out without a trace; hooks of others that look alike stay.
func TestOtherName(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	program := filepath.Join(t.TempDir(), "ot-1.2")
	b.sh("cp '" + clitest.Bin() + "' '" + program + "'")
	const others = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/entire hook claude-code"}]}]}}` + "\n"
	b.Write(".claude/settings.local.json", others)
	b.Write("a", "a\n")
	other := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = b.dir, b.env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	other("enable", "claude-code")
	other("enable", "claude-code") // once more changes nothing
	text := b.readFile(b.Path(".claude/settings.local.json"))
	if n := strings.Count(text, program+" hook claude-code --overturn"); n == 0 || n != strings.Count(text, program) || !strings.Contains(text, "/opt/entire hook claude-code") {
		t.Fatalf("enabled:\n%s", text)
	}
	if said := other("doctor"); !strings.Contains(said, "ok   agent claude-code") {
		t.Errorf("doctor: %s", said)
	}
	b.ok("disable", "claude-code") // also of the one that has the name
	if text := b.readFile(b.Path(".claude/settings.local.json")); text != others {
		t.Errorf("disabled:\n%s\nwant\n%s", text, others)
	}
	if s := b.fed(`{"hook_event_name":"UserPromptSubmit","session_id":"S","prompt":"p"}`, "hook", "claude-code", "--overturn"); s.code != 0 || s.stdout != "" {
		t.Errorf("hook: %+v", s)
	}
	b.Write("a", "agent\n")
	b.fed(`{"hook_event_name":"Stop","session_id":"S"}`, "hook", "claude-code", "--overturn")
	if turn := b.newest("S"); turn.names() != "a modified" || turn.Status != "ready" {
		t.Errorf("recorded: %+v", turn)
	}
}
