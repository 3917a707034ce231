package trial_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"overturn/ui/cli/trial"
)

// TestEveryCrash kills each call that writes at its fail points: the first and the
// last pass of each (OVERTURN_TRIAL_ALL=1: every pass).
func TestEveryCrash(t *testing.T) {
	for _, scene := range trial.CrashScenes() {
		t.Run(strings.ReplaceAll(scene, " ", "_"), func(t *testing.T) {
			var tally trial.Tally
			round := func(_ context.Context, y *trial.Yard, _ uint64) error {
				c := trial.NewCrash(y, scene)
				if y.Err() != nil {
					return y.Err()
				}
				chosen := c.Passes
				if os.Getenv("OVERTURN_TRIAL_ALL") == "" {
					chosen = firstAndLast(c.Passes)
				}
				for _, pass := range chosen {
					c.Kill(pass)
				}
				t.Logf("%d passes, %d played, %d calls killed", len(c.Passes), len(chosen), c.Killed)
				if c.Killed < len(chosen)*9/10 {
					t.Errorf("only %d calls were killed", c.Killed)
				}
				return nil
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
		})
	}
}

// firstAndLast leaves the passes in between out.
func firstAndLast(passes []string) []string {
	last := map[string]string{}
	for _, pass := range passes {
		name, _, _ := strings.Cut(pass, ":")
		last[name] = pass
	}
	var chosen []string
	for _, pass := range passes {
		name, n, _ := strings.Cut(pass, ":")
		if n == "1" || last[name] == pass {
			chosen = append(chosen, pass)
		}
	}
	return chosen
}
