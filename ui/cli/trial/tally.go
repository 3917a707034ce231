package trial

import (
	"fmt"
	"slices"
	"time"
)

// Count is how many of a number of chances came out as they should.
type Count struct {
	Good int `json:"good"`
	Of   int `json:"of"`
}

// Add counts one chance.
func (c *Count) Add(good bool) {
	c.Of++
	if good {
		c.Good++
	}
}

// Whole tells whether every chance came out as it should.
func (c Count) Whole() bool { return c.Good == c.Of }

func (c Count) plus(d Count) Count { return Count{c.Good + d.Good, c.Of + d.Of} }

// Tally are the seven measures, over any number of rounds.
type Tally struct {
	Rounds int
	// Survival: things of the user's (files, links, folders, git's own files) that
	// were looked at after a phase, and those that were as before.
	Survival Count
	// Recovery: targets, and those that a rollback or recovery brought to the state
	// that was asked for.
	Recovery Count
	// Stale: confirmations of a review that the work tree has left behind, and those
	// that were rejected with nothing written.
	Stale Count
	// Overreach: paths that a rollback wrote, and those of them that were targets.
	Overreach Count
	// Residual: effects that a rollback could not take back, and those that it named.
	Residual Count
	// Trace: events that had to be recorded, and those that were.
	Trace Count
	// Took is the time of each recovery, from the confirmation to its report.
	Took []time.Duration
	// Faults says in words what did not come out as it should, with the round.
	Faults []string
}

// Faultf adds a fault.
func (t *Tally) Faultf(format string, args ...any) {
	t.Faults = append(t.Faults, fmt.Sprintf(format, args...))
}

// Add adds what another tally counted.
func (t *Tally) Add(o *Tally) {
	t.Rounds += o.Rounds
	t.Survival, t.Recovery, t.Stale = t.Survival.plus(o.Survival), t.Recovery.plus(o.Recovery), t.Stale.plus(o.Stale)
	t.Overreach, t.Residual, t.Trace = t.Overreach.plus(o.Overreach), t.Residual.plus(o.Residual), t.Trace.plus(o.Trace)
	t.Took, t.Faults = append(t.Took, o.Took...), append(t.Faults, o.Faults...)
}

// Passed tells whether everything came out as it should.
func (t *Tally) Passed() bool {
	for _, c := range []Count{t.Survival, t.Recovery, t.Stale, t.Overreach, t.Residual, t.Trace} {
		if !c.Whole() {
			return false
		}
	}
	return len(t.Faults) == 0
}

// Times is the median and the maximum time to recover, 0 when nothing was.
func (t *Tally) Times() (median, most time.Duration) {
	if len(t.Took) == 0 {
		return 0, 0
	}
	sorted := slices.Sorted(slices.Values(t.Took))
	return sorted[len(sorted)/2], sorted[len(sorted)-1]
}
