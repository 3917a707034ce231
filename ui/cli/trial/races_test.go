//go:build linux || darwin

package trial_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"overturn/ui/cli/trial"
)

// TestRaces plays 300 rounds, or OVERTURN_TRIAL_RACES of them from the round
// OVERTURN_TRIAL_FROM on.
func TestRaces(t *testing.T) {
	rounds, from := number("OVERTURN_TRIAL_RACES", 300), number("OVERTURN_TRIAL_FROM", 0)
	var tally trial.Tally
	var yards []*trial.Racing
	for n := from; n < from+rounds; {
		round := func(_ context.Context, y *trial.Yard, _ uint64) error {
			r := trial.NewRacing(y)
			for end := min(n+150, from+rounds); n < end; n++ {
				r.Play(trial.PickRace(n))
			}
			yards = append(yards, r)
			return y.Err()
		}
		if err := trial.Run(t.Context(), options(t), "races", round, n, &tally); err != nil {
			t.Fatal(err)
		}
	}
	for _, fault := range tally.Faults {
		t.Error(fault)
	}
	missed, outcomes := 0, map[string]int{}
	for _, r := range yards {
		missed += r.Missed
		for name, n := range r.Outcomes {
			outcomes[name] += n
		}
	}
	for _, name := range slices.Sorted(maps.Keys(outcomes)) {
		t.Logf("%4d %s", outcomes[name], name)
	}
	if rounds >= 300 && (tally.Stale.Of < 10 || !tally.Stale.Whole()) {
		t.Errorf("of the reviews that were left behind, %v were rejected", tally.Stale)
	}
	t.Logf("%d rounds, %d times a moment did not come; survival %v, recovery %v, stale %v", rounds, missed, tally.Survival, tally.Recovery, tally.Stale)
	if none := yards[0].MetAll(yards[1:]...); rounds >= 300 && len(none) > 0 {
		t.Errorf("never met: %q", none)
	}
}

func number(name string, usual uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return usual
}
