package trial_test

import (
	"os"
	"testing"

	"overturn/ui/cli/clitest"
	"overturn/ui/cli/trial"
)

// TestMain builds the real binary once; every round is played with it.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }

// options are those of rounds on the disk that is memory, where there is one: a
// round syncs dozens of files.
func options(t testing.TB) trial.Options {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "overturn-trial-")
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return trial.Options{Bin: clitest.Bin(), Dir: dir, Environ: os.Environ()}
}
