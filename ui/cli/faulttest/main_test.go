//go:build unix

package faulttest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"overturn/ui/cli/faulttest"
	"overturn/ui/cli/trial"
)

// TestMain builds the real binary once; it is what is killed.
func TestMain(m *testing.M) {
	faulttest.Child()
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "overturn-faults-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "overturn"), "overturn")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build overturn:", err)
		return 1
	}
	os.Setenv("OVERTURN_TEST_BIN", filepath.Join(dir, "overturn"))
	return m.Run()
}

// options are those of rounds on the disk that is memory, where there is one: a
// round syncs dozens of files.
func options(t testing.TB) trial.Options {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "overturn-faults-")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return trial.Options{Bin: os.Getenv("OVERTURN_TEST_BIN"), Dir: dir, Environ: os.Environ()}
}

// play plays rounds in one yard, and holds that nothing went wrong in them.
func play(t *testing.T, scene string, rounds func(c *trial.Crash)) *trial.Tally {
	t.Helper()
	var tally trial.Tally
	round := func(_ context.Context, y *trial.Yard, _ uint64) error {
		c := trial.NewCrash(y, scene)
		if y.Err() == nil {
			rounds(c)
		}
		return y.Err()
	}
	if err := trial.Run(t.Context(), options(t), "crash", round, 1, &tally); err != nil {
		t.Fatal(err)
	}
	for _, fault := range tally.Faults {
		t.Error(fault)
	}
	if tally.Survival.Of == 0 || !tally.Survival.Whole() || !tally.Recovery.Whole() {
		t.Errorf("survival %v, recovery %v", tally.Survival, tally.Recovery)
	}
	return &tally
}
