//go:build system && unix

package gitops_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// TestForeignOwner becomes another user, which root alone can: what git
// refuses is refused, facts or not (C-09, L-12, L-14).
func TestForeignOwner(t *testing.T) {
	r := gittest.New(t)
	warm(t, r)
	base := filepath.Dir(r.Root)
	for dir := base; strings.HasPrefix(dir, os.TempDir()+"/"); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(base, "probe")
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(exe, data, 0o755); err != nil {
		t.Fatal(err)
	}
	probe := func() (string, error) {
		cmd := exec.Command(exe)
		cmd.Env = append(append([]string(nil), r.Env.Environ...), "GITOPS_CHILD="+r.Root)
		cmd.SysProcAttr = asUser(65534)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := probe()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 10 || !strings.Contains(out, "safe.directory") {
		t.Errorf("another owner: %v %s", err, out)
	}
	r.Git("config", "--global", "safe.directory", r.Root)
	if err := os.Chmod(filepath.Join(r.Home, ".gitconfig"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := probe(); err != nil || !strings.Contains(out, "state folder: ") {
		t.Errorf("trusted, and .git not writable: %v %s", err, out)
	}
}
