package agenthooks_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"overturn/model/durable"
	"overturn/ui/cli/clitest"
)

// guest runs one hook and holds it to a guest's manners: exit 0, nothing on
// stdout. It returns what stderr said.
func (r *replay) guest(stdin io.Reader, args ...string) string {
	r.t.Helper()
	cmd := exec.Command(clitest.Bin(), append([]string{"hook"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.repo.Root, r.env, stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stdout.Len() > 0 {
		r.t.Errorf("hook %q: %v, stdout %q, stderr %q", args, err, stdout.String(), stderr.String())
	}
	return stderr.String()
}

func ownEvent(event, thread, turn, more string) io.Reader {
	return strings.NewReader(fmt.Sprintf(`{"event":%q,"thread":%q,"turn_id":%q%s}`, event, thread, turn, more))
}

// TestHookDoesNotWaitForALock: the end of a session has little time. While
// another recording holds the lock the event is left for later, and the next
// look works it off.
func TestHookDoesNotWaitForALock(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "generic")
	r.guest(ownEvent("turn-start", "t", "1", `,"prompt":"x"`), "generic")
	r.repo.Write("b.txt", "made\n")
	lock, err := durable.Acquire(context.Background(), filepath.Join(r.repo.GitDir(), "overturn", "ledger.lock"), "a test")
	if err != nil {
		t.Fatal(err)
	}
	if said := r.guest(ownEvent("session-end", "t", "1", ""), "generic"); said != "" {
		t.Errorf("said %q", said)
	}
	if waiting, err := filepath.Glob(filepath.Join(r.repo.GitDir(), "overturn", "inbox", "*")); err != nil || len(waiting) != 1 {
		t.Errorf("inbox: %q, %v", waiting, err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	status := exec.Command(clitest.Bin(), "status") // works off what waits
	status.Dir, status.Env = r.repo.Root, r.env
	if out, err := status.CombinedOutput(); err != nil {
		t.Fatalf("status: %v\n%s", err, out)
	}
	if got := strings.Join(r.turns(), "\n"); got != "unknown ready b.txt=agent" {
		t.Errorf("turns: %s", got)
	}
}

// TestHooksAtOnce: an agent runs tools side by side, and a hook for each.
func TestHooksAtOnce(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "generic")
	r.guest(ownEvent("turn-start", "t", "1", `,"prompt":"x","reports_tools":true`), "generic")
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			call := fmt.Sprintf(`,"tool":"edit","call_id":"c%d","paths":["f%d.txt"]`, i, i)
			r.guest(ownEvent("pre-tool", "t", "1", call), "generic")
			if err := os.WriteFile(r.repo.Path(fmt.Sprintf("f%d.txt", i)), []byte("x\n"), 0o644); err != nil {
				t.Error(err)
			}
			r.guest(ownEvent("post-tool", "t", "1", call), "generic")
		})
	}
	all.Wait()
	r.guest(ownEvent("turn-end", "t", "1", ""), "generic")
	want := "completed ready f0.txt=agent f1.txt=agent f2.txt=agent f3.txt=agent f4.txt=agent f5.txt=agent"
	if got := strings.Join(r.turns(), "\n"); got != want {
		t.Errorf("turns: %s", got)
	}
}

// TestHookBoundsItsInput: a payload without end, and one that is far too long.
func TestHookBoundsItsInput(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "generic")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	if _, err := io.Copy(write, ownEvent("turn-start", "t", "1", `,"prompt":"half`)); err != nil {
		t.Fatal(err)
	}
	if said := r.guest(read, "generic"); !strings.Contains(said, "did not end in time") {
		t.Errorf("without end: %q", said)
	}
	long := io.MultiReader(strings.NewReader(`{"event":"turn-end","thread":"t","turn_id":"1","message":"`), io.LimitReader(letters{}, 50<<20), strings.NewReader(`"}`))
	if said := r.guest(long, "generic"); !strings.Contains(said, "too long") {
		t.Errorf("too long: %q", said)
	}
	if got := strings.Join(r.turns(), "\n"); got != "completed ready" {
		t.Errorf("turns: %s", got)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
