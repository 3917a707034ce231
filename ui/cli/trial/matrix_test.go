//go:build unix

package trial_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/ui/cli/trial"
)

// TestRecoveryMatrix plays every row. After each phase the hashes of all files and
// git's own status must be those of testdata/matrix (written anew with
// UPDATE_GOLDEN=1). `go test ./ui/cli/trial -run RecoveryMatrix -v` prints the figures.
func TestRecoveryMatrix(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	var tally trial.Tally
	for seed := range trial.MatrixRows() {
		var phases string
		round := func(ctx context.Context, y *trial.Yard, seed uint64) error {
			err := trial.Matrix(ctx, y, seed)
			phases = y.Phases()
			return err
		}
		if err := trial.Run(t.Context(), options(t), "matrix", round, uint64(seed), &tally); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "matrix", fmt.Sprintf("%02d-%s.txt", seed, trial.MatrixRow(seed))), phases)
	}
	whole(t, &tally, trial.MatrixRows())
}

// TestMatrixInOddFolders plays the rows again in folders with names that quoting,
// globbing and encoding trip over: every folder with one row, every row once.
func TestMatrixInOddFolders(t *testing.T) {
	var tally trial.Tally
	rows := trial.MatrixRows()
	for n := range rows {
		if err := trial.Run(t.Context(), options(t), "matrix", trial.Matrix, uint64((n+1)*rows+n), &tally); err != nil {
			t.Fatal(err)
		}
	}
	whole(t, &tally, rows)
}

// whole holds that nothing went wrong, and that something was looked at.
func whole(t *testing.T, tally *trial.Tally, rounds int) {
	t.Helper()
	median, most := tally.Times()
	t.Logf("rounds %d, survival %v, recovery %v, stale %v, overreach %v, residual %v, trace %v, %v, at most %v",
		tally.Rounds, tally.Survival, tally.Recovery, tally.Stale, tally.Overreach, tally.Residual, tally.Trace, median, most)
	if !tally.Passed() {
		t.Errorf("faults:\n%s", strings.Join(tally.Faults, "\n"))
	}
	for _, c := range []trial.Count{tally.Survival, tally.Recovery, tally.Stale, tally.Overreach, tally.Residual, tally.Trace} {
		if c.Of == 0 {
			t.Errorf("a measure was never taken: %+v", tally)
		}
	}
	if tally.Rounds != rounds || len(tally.Took) != rounds {
		t.Errorf("%d rounds and %d recoveries, want %d", tally.Rounds, len(tally.Took), rounds)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("the phases are not those of %s, but\n%s", file, got)
	}
}
