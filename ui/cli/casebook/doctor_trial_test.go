//go:build linux

package casebook_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/ui/cli/clitest"
)

// TestDoctorTrial runs a short trial as a user does: its figures are whole, it leaves
// the repository that it was called in as it was, and keeps what it is asked to.
func TestDoctorTrial(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.userWork()
	b.turn("T", b.agentWork)
	b.factsKept()
	before, own := b.world(), b.own()
	var d struct {
		Findings []finding
		Trial    map[string]json.RawMessage
	}
	b.json(0, &d, "doctor", "--trial", "--seeds", "1")
	b.same(before)
	if now := b.own(); now != own {
		t.Errorf("the trial left something in overturn's own state:\n%s\nbefore it was\n%s", now, own)
	}
	if len(d.Findings) == 0 || len(bad(d.Findings)) > 0 {
		t.Errorf("findings: %+v", d.Findings)
	}
	for name, zero := range map[string]bool{"protected_state_survival": false, "owned_state_recovery": false, "stale_review_rejection": false,
		"target_overreach": true, "residual_effects_reported": false, "trace_completeness": false} {
		var c struct{ Good, Of int }
		if err := json.Unmarshal(d.Trial[name], &c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		switch {
		case zero && (c.Good != 0 || c.Of == 0), !zero && c.Good != c.Of:
			t.Errorf("%s is %+v", name, c)
		}
	}

	keep := filepath.Join(b.Home, "kept")
	text := b.ok("doctor", "--trial", "--seeds", "1", "--keep", keep)
	if !strings.Contains(text, "target overreach") || !strings.Contains(text, "kept in "+keep) {
		t.Errorf("it says\n%s", text)
	}
	kept := filepath.Join(keep, "matrix-0")
	phases := read(t, filepath.Join(kept, "phases.txt"))
	if strings.Count(phases, "\n== ")+1 != 7 || !strings.Contains(phases, " tracked\n") {
		t.Errorf("the phases are\n%s", phases)
	}
	b.shell("sh " + filepath.Join(kept, "script.sh") + " " + filepath.Join(b.Home, "again"))
	b.sh("diff -r --exclude=.git " + filepath.Join(kept, "repo") + " " + filepath.Join(b.Home, "again", "repo"))
	b.shell("sh " + filepath.Join(keep, "crashes-0", "script.sh") + " " + filepath.Join(b.Home, "crashed"))
	read(t, filepath.Join(keep, "races-0", "phases.txt"))
	if _, err := os.Stat(filepath.Join(keep, "races-0", "script.sh")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a race has a script, which cannot play it again: %v", err)
	}
	b.exits(2, "doctor", "--trial", "--seeds", "1", "--keep", keep) // never among what is there
}

// TestDoctorTrialWrongUse: flags of the trial without it, and numbers that mean nothing.
func TestDoctorTrialWrongUse(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	for _, args := range [][]string{{"--seeds", "3"}, {"--minutes", "1"}, {"--keep", "x"}, {"--trial", "--seeds", "0"}, {"--trial", "--minutes", "-1"}, {"x"}} {
		b.exits(2, append([]string{"doctor"}, args...)...)
	}
	if b.Exists("x") {
		t.Error("a folder was made")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestDoctorTrialCancelled: a trial that is interrupted takes its folder with it.
func TestDoctorTrialCancelled(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	cmd := exec.CommandContext(t.Context(), clitest.Bin(), "doctor", "--trial", "--seeds", "100000")
	cmd.Dir, cmd.Env = b.dir, b.env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	yards := func() []string {
		list, _ := filepath.Glob(b.Path(".git/overturn/trial-*/*"))
		return list
	}
	for len(yards()) == 0 && t.Context().Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("it ended with %v", err)
	}
	if left, _ := filepath.Glob(b.Path(".git/overturn/trial-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
