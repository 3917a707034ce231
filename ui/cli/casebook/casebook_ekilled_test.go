package casebook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"overturn/ui/cli/clitest"
)

// slowFilter makes *.slow go through a filter that waits, once armed, and says where
// it stands; its process is the child of git.
func (b *book) slowFilter() (armed, here string) {
	b.t.Helper()
	dir := b.t.TempDir()
	armed, here = filepath.Join(dir, "armed"), filepath.Join(dir, "here")
	script := filepath.Join(dir, "clean")
	text := fmt.Sprintf("#!/bin/sh\nif [ -e '%s' ]; then echo $PPID > '%s.new'; mv '%s.new' '%s'; while [ -e '%s' ]; do sleep 0.02; done; fi\nexec cat\n", armed, here, here, here, armed)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
	b.Git("config", "filter.slow.clean", script)
	b.Write(".gitattributes", "*.slow filter=slow\n")
	b.Write("x.slow", "x\n")
	b.Write("a", "a\n")
	return armed, here
}

// arm makes the filter wait from now on; disarm lets it go.
func (b *book) arm(armed string) (disarm func()) {
	b.t.Helper()
	if err := os.WriteFile(armed, nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return func() { os.Remove(armed) }
}

// caseKilledChild: a git that overturn runs in a capture is killed, and overturn
// itself is: no lock stays, and the next capture is whole.
func caseKilledChild(b *book) {
	armed, here := b.slowFilter()
	b.Commit("base")
	for i, victim := range []string{"git", "overturn"} {
		thread := victim
		b.start(thread)
		b.Write("x.slow", fmt.Sprint("agent ", i, "\n"))
		b.Write("a", fmt.Sprint("agent ", i, "\n"))
		disarm := b.arm(armed)
		os.Remove(here)
		cmd := exec.Command(clitest.Bin(), "turn", "end", "--thread", thread)
		cmd.Dir, cmd.Env = b.dir, b.env
		if err := cmd.Start(); err != nil {
			b.t.Fatal(err)
		}
		b.untilThere(here)
		pid, err := strconv.Atoi(strings.TrimSpace(b.readFile(here)))
		if err != nil {
			b.t.Fatal(err)
		}
		if victim == "overturn" {
			pid = cmd.Process.Pid
		}
		kill(b.t, pid)
		disarm()
		cmd.Wait() // how it ends is told by the turn
		if locks, _ := filepath.Glob(b.Path(".git/*.lock")); len(locks) > 0 {
			b.t.Errorf("%s was killed: %q stay", victim, locks)
		}
		if victim == "overturn" {
			b.end(thread)
		}
		// What the turn claims to hold it holds, or it says that it does not.
		if turn := b.newest(thread); turn.Status == "ready" && turn.leftOutOf("x.slow") == "" {
			if got, want := b.Git("show", turn.Ref+":x.slow"), fmt.Sprint("agent ", i); got != want {
				b.t.Errorf("%s was killed, and the snapshot holds %q", victim, got)
			}
		}
		b.turn("next", func() { b.Write("x.slow", fmt.Sprint("next ", i, "\n")) })
		if turn := b.newest("next"); turn.Status != "ready" || len(turn.LeftOut) > 0 || turn.names() != "x.slow modified" {
			b.t.Errorf("after %s was killed: %s %s, left out %v", victim, turn.Status, turn.names(), turn.LeftOut)
		}
		b.rollback("latest")
		b.reads("x.slow", fmt.Sprint("agent ", i, "\n"))
	}
}

func (b *book) readFile(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

func kill(t testing.TB, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// leftOutOf is the reason why a turn left a path out, "" where it did not.
func (t turnOf) leftOutOf(path string) string {
	for _, n := range t.LeftOut {
		if n.Path == path {
			return n.Reason
		}
	}
	return ""
}
