//go:build unix

package faulttest_test

import (
	"context"
	"os"
	"testing"

	"overturn/ui/cli/clitest"
	"overturn/ui/cli/faulttest"
	"overturn/ui/cli/trial"
)

// TestMain builds the real binary once; it is what is killed.
func TestMain(m *testing.M) {
	faulttest.Child()
	os.Exit(clitest.Main(m))
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
	return trial.Options{Bin: clitest.Bin(), Dir: dir, Environ: os.Environ()}
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
