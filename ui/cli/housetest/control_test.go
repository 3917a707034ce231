package housetest_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTrapsSpring: the traps are traps: the user's own git runs into them.
func TestTrapsSpring(t *testing.T) {
	y := newYard(t)
	y.build("attributes and hooks", func(h *house) {
		attributes(h)
		hooksAndSubmodules(h)
	})
	for _, args := range [][]string{{"status"}, {"diff"}, {"diff", "--no-ext-diff"}, {"log", "-p", "-1"}, {"checkout", "-q", "main"}, {"update-ref", "refs/x", "HEAD"},
		{"-c", "core.hooksPath=/dev/null", "commit", "-m", "x", "--allow-empty"}, {"st"}} {
		cmd := exec.Command("git", append([]string{"-c", "diff.orderFile=/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = y.repo(), y.user()
		out, err := cmd.CombinedOutput()
		t.Logf("git %q: %v, %.200q", args, err, out) // that it fails is what traps are for
	}
	ran := strings.Join(y.ran(), "\n")
	for _, name := range []string{"config-core-fsmonitor", "config-diff-trap-command", "config-diff-trap-textconv", "config-trace2-eventTarget", "config-trace2-normalTarget",
		"config-trace2-perfTarget", "reference-transaction", "config-gpg-program", "config-alias-st"} {
		if !strings.Contains(ran, name+": ") {
			t.Errorf("%s was not sprung", name)
		}
	}
	y.build("variables and folder", func(h *house) {
		programVariables(h)
		programsInTheFolder(h)
		cmd := exec.Command("/bin/sh", "-c", "git status; GIT_PAGER= git diff")
		cmd.Dir, cmd.Env = h.repo(), h.env
		cmd.Run()
	})
	if ran := strings.Join(y.ran(), "\n"); !strings.Contains(ran, "cwd-git") {
		t.Errorf("the git of the folder was not run: %s", ran)
	}
}
