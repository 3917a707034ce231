package agenthooks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestHookLeavesItsEvent: a hook that cannot come to an end in its time, whatever
// holds it, is gone by itself; its event waits in the inbox and is worked off by the
// next look.
func TestHookLeavesItsEvent(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "generic")
	r.guest(ownEvent("turn-start", "t", "1", `,"prompt":"x"`), "generic")
	r.repo.Write("b.txt", "made\n")
	env := r.env
	r.env = append(append([]string(nil), env...), "OVERTURN_FAIL_POINT=ledger.flushed=wait:"+filepath.Join(t.TempDir(), "never"))
	said := r.guest(ownEvent("session-end", "t", "1", ""), "generic")
	r.env = env
	if !strings.Contains(said, "given up") || strings.Contains(said, "lost") {
		t.Errorf("the hook says %q", said)
	}
	if waiting, err := os.ReadDir(filepath.Join(r.repo.GitDir(), "overturn", "inbox")); err != nil || len(waiting) != 1 {
		t.Errorf("inbox: %v, %v", waiting, err)
	}
	status := exec.Command(clitest.Bin(), "status")
	status.Dir, status.Env = r.repo.Root, r.env
	if out, err := status.CombinedOutput(); err != nil {
		t.Fatalf("status: %v\n%s", err, out)
	}
	if got := strings.Join(r.turns(), "\n"); got != "unknown ready b.txt=agent" {
		t.Errorf("turns: %s", got)
	}
}
