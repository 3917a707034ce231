//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/ui/cli/clitest"
)

// TestRunPassesSignalsOn sends a signal to overturn alone, as a supervisor does:
// the command gets it, its code comes back, and the turn has an end.
func TestRunPassesSignalsOn(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a.txt", "one\n")
	repo.Commit("base")
	env := append(os.Environ(), clitest.Hermetic(t.TempDir())...)
	run := exec.Command(clitest.Bin(), "run", "--", "sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.02; done")
	run.Dir, run.Env = repo.Root, env
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := run.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 9 {
		t.Errorf("run ended with %v", err)
	}
	show := exec.Command(clitest.Bin(), "show", "1", "--json")
	show.Dir, show.Env = repo.Root, env
	raw, err := show.Output()
	if err != nil {
		t.Fatal(err)
	}
	var turn model.Turn
	if err := json.Unmarshal(raw, &turn); err != nil || turn.State != model.TurnInterrupted || turn.Status != model.StatusReady {
		t.Errorf("state %q, status %q, %v", turn.State, turn.Status, err)
	}
}

// TestClosedTerminalCancels: a terminal that closes ends a verb as an interrupt
// does, by its own way out.
func TestClosedTerminalCancels(t *testing.T) {
	// Started by nohup the tests hand an ignored SIGHUP on; one that is caught here is at its default in a child.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	repo := gittest.New(t)
	repo.Commit("base")
	env := append(os.Environ(), clitest.Hermetic(t.TempDir())...)
	record := exec.Command(clitest.Bin(), "run", "--", "true")
	record.Dir, record.Env = repo.Root, env
	if out, err := record.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	follow := exec.Command(clitest.Bin(), "trace", "--follow")
	follow.Dir, follow.Env = repo.Root, env
	out, err := follow.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := follow.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := follow.Wait(); err != nil {
		t.Errorf("trace ended with %v", err)
	}
}
