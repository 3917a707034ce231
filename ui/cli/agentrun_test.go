//go:build linux || darwin

package cli

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

func runner() agentRunner {
	return agentRunner{env: gitops.Env{Getenv: os.Getenv, Environ: os.Environ(), Clock: time.Now}}
}

func TestAnAgentsProgramTalksOverPipes(t *testing.T) {
	dir := t.TempDir()
	run, err := runner().Start(context.Background(), agents.Program{Name: "sh", Dir: dir, Env: []string{"MARK=here"},
		Args: []string{"-c", `read line; echo "$line $MARK $PWD"; echo words >&2; cat >/dev/null`}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Write([]byte("hello\n")); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(run).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "hello here ") || !strings.HasSuffix(strings.TrimSpace(line), filepath.Base(dir)) {
		t.Errorf("it said %q, %v", line, err)
	}
	if err := run.Close(); err != nil || run.Close() != nil {
		t.Errorf("its end: %v", err)
	}
	if run.Said() != "words\n" {
		t.Errorf("its words: %q", run.Said())
	}
}

// TestAnAgentsProgramEndsWithAllItStarted: one that does not end when its input
// does, and a process it left behind, are gone after Close.
func TestAnAgentsProgramEndsWithAllItStarted(t *testing.T) {
	run, err := runner().Start(context.Background(), agents.Program{Name: "sh", Dir: t.TempDir(),
		Args: []string{"-c", `sleep 1000 & echo $!; trap "" HUP; while :; do sleep 1000; done`}})
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(run).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err == nil {
		t.Error("an end by a signal is no error")
	}
	pid := number(t, line)
	for i := 0; syscall.Kill(pid, 0) == nil && !zombie(pid); i++ {
		if i == 200 {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAnAgentsProgramThatIsMissing(t *testing.T) {
	_, err := runner().Start(context.Background(), agents.Program{Name: "no-such-agent-4711", Dir: t.TempDir()})
	if !errors.Is(err, exec.ErrNotFound) || model.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

func TestTheEndOfItsWordsIsKept(t *testing.T) {
	var said tail
	for range 1000 {
		said.Write([]byte(strings.Repeat("x", 99) + "\n"))
	}
	said.Write([]byte("the end"))
	if got := said.text(); len(got) != saidLimit || !strings.HasSuffix(got, "x\nthe end") {
		t.Errorf("%d bytes, %q", len(got), got[len(got)-20:])
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// zombie tells whether pid has ended and nobody asked for its end yet: in a
// container there may be no init that does.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
