package casebook_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLateWritersAreFlagged (B-10): what is changed after the end of a turn that left
// a process behind is said with that turn. It is the user's all the same, as nobody
// can tell; where nothing was left behind, nothing is said.
func TestLateWritersAreFlagged(t *testing.T) {
	t.Parallel()
	const flag = "changed after the end of the turn, while processes that it started may have run: "
	for name, c := range map[string]struct {
		tool, late, says string
	}{
		"detached":   {`"command":"nohup ./watch &"`, "echo late > late; echo late >> a", flag + "a, late"},
		"many":       {`"command":"nohup ./watch &"`, "for i in 1 2 3 4 5 6; do echo late > late$i; done", flag + "6 paths"},
		"quiet":      {`"command":"nohup ./watch &"`, "true", ""},
		"none left":  {`"command":"make"`, "echo late > late", ""},
		"no command": {"", "echo late > late", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBook(t)
			b.Write("a", "base\n")
			b.Commit("base")
			event := func(kind, id, more string) {
				t.Helper()
				b.hook(fmt.Sprintf(`{"event":%q,"thread":"T","turn_id":%q,"prompt":"x"%s}`, kind, id, more))
			}
			event("turn-start", "1", "")
			if c.tool != "" {
				event("post-tool", "1", `,"tool":"shell","call_id":"c",`+c.tool)
			}
			b.Write("a", "agent\n")
			event("turn-end", "1", "")
			before := b.ok("show", "1")
			b.sh(c.late)
			event("turn-start", "2", "")
			event("turn-end", "2", "")
			for range 2 { // as noted, and as the record has it after settling
				got := b.ok("show", "1")
				if strings.Contains(got, flag) != (c.says != "") || !strings.Contains(got, c.says) || c.says == "" && got != before {
					t.Errorf("turn 1:\n%s\nwant %q", got, c.says)
				}
				if turn := b.show("T", "1"); turn.names() != "a modified" || turn.Status != "ready" {
					t.Errorf("turn 1: %+v", turn)
				}
				b.ok("status")
				b.sh("for f in $(find .git/overturn/ledger -name 1.json); do : > $f; done")
			}
			if got := b.show("T", "2"); got.names() != "" || got.Status != "ready" {
				t.Errorf("turn 2: %+v", got)
			}
		})
	}
}
