package trial_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"overturn/ui/cli/trial"
)

// TestMain builds the real binary once; every round is played with it.
func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "overturn-trial-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "overturn")
	build := exec.Command("go", "build", "-o", bin, "overturn")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build overturn:", err)
		return 1
	}
	os.Setenv("OVERTURN_TEST_BIN", bin)
	return m.Run()
}

// options are those of rounds on the disk that is memory, where there is one: a
// round syncs dozens of files.
func options(t testing.TB) trial.Options {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "overturn-trial-")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return trial.Options{Bin: os.Getenv("OVERTURN_TEST_BIN"), Dir: dir, Environ: os.Environ()}
}
