package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Crashes kills the program (SIGKILL, as a power cut or the system does when memory
// is short) at one of the places where it changes the disk: the seed says in which
// verb and at which of them. Then it is killed again while that is put in order, and
// at last let through: everything must stand as before, or as it was to be.
func Crashes(_ context.Context, y *Yard, seed uint64) error {
	scenes := CrashScenes()
	c := NewCrash(y, scenes[seed%uint64(len(scenes))])
	if y.Err() == nil {
		c.Kill(c.Passes[y.Rand.IntN(len(c.Passes))])
	}
	return y.Err()
}

// CrashScenes are the names of what is cut short.
func CrashScenes() []string {
	var names []string
	for _, s := range crashScenes() {
		names = append(names, s.name)
	}
	return names
}

// Crash is one call of the program that is to be killed.
type Crash struct {
	// Passes are the fail points that the call passes, in order, as it takes to be
	// killed there: NAME:N for the Nth time.
	Passes []string
	// Killed counts the calls that were.
	Killed int

	*Yard
	scene    crashScene
	from, to ends // everything before the call, and after it
	targets  []string
	staged   int // how many targets the plan has when all is staged
	runs     int
}

// crashScene leads to a call and says what must be true when it was cut short.
type crashScene struct {
	name  string
	begin func(c *Crash)
	args  func(y *Yard) []string
	check func(c *Crash, y *Yard) // after it was cut short
	done  func(c *Crash, y *Yard) // after it said that it was done
	back  string                  // the verb that takes the call back
	only  []string                // fail points; all when there are none
	input func(y *Yard) string
	aged  bool // what the call reads is older than the clock's grain
}

// NewCrash makes the scene in the yard and finds out where the call can be killed.
func NewCrash(y *Yard, name string) *Crash {
	c := &Crash{Yard: y}
	for _, s := range crashScenes() {
		if s.name == name {
			c.scene = s
		}
	}
	c.scene.begin(c)
	if c.Passes = c.passes(y, c.scene.args(y)); len(c.Passes) == 0 {
		y.Fail(fmt.Errorf("overturn %s passes no fail point", strings.Join(c.scene.args(y), " ")))
	}
	return c
}

// passes runs a call in a copy and lists the points that it passes.
func (c *Crash) passes(y *Yard, args []string) []string {
	copied := c.copied(y)
	defer copied.gone()
	list := filepath.Join(filepath.Dir(copied.Root), "points")
	c.fed(copied).With("OVERTURN_FAIL_POINT=list:" + list).OK(args...)
	if y.Err() != nil {
		return nil
	}
	names, err := os.ReadFile(list)
	if err != nil {
		return nil // a call that changed nothing
	}
	seen := map[string]int{}
	var passes []string
	for name := range strings.FieldsSeq(string(names)) {
		seen[name]++
		if len(c.scene.only) == 0 || slices.Contains(c.scene.only, name) {
			passes = append(passes, fmt.Sprintf("%s:%d", name, seen[name]))
		}
	}
	return passes
}

// copied is a yard of its own, to be removed with gone.
func (c *Crash) copied(y *Yard) *Yard {
	c.runs++
	copied := y.Copy(fmt.Sprintf("crash-%d", c.runs))
	if c.scene.aged {
		time.Sleep(150 * time.Millisecond)
	}
	return copied
}

// fed is the yard with what the call reads.
func (c *Crash) fed(y *Yard) *Yard {
	if c.scene.input == nil {
		return y
	}
	return y.Fed(c.scene.input(y))
}

func (y *Yard) gone() { os.RemoveAll(filepath.Dir(y.Root)) }

// Kill kills the call at a pass, in a copy, and sees that all is well after it.
func (c *Crash) Kill(pass string) {
	c.Play("killed at "+pass, func(y *Yard, args []string) bool {
		c.cut(y, pass, args...)
		return false
	})
}

// Play lets cut do to a copy what cutting the call short would do, and sees that all
// is well after it; and where cut says that the call had reported its success, that
// it is done.
func (c *Crash) Play(what string, cut func(y *Yard, args []string) (reported bool)) {
	y := c.copied(c.Yard)
	defer y.gone()
	faults := len(y.Tally.Faults)
	if cut(y, c.scene.args(y)) && c.scene.done != nil {
		c.scene.done(c, y)
	}
	c.scene.check(c, y)
	for i := faults; i < len(y.Tally.Faults); i++ {
		y.Tally.Faults[i] = c.scene.name + " " + what + ": " + y.Tally.Faults[i]
	}
	if err := y.Err(); err != nil {
		y.Faultf("%s %s: %v", c.scene.name, what, err)
		y.book.err = nil // the next one has a copy of its own
	}
}

// cut runs a call that is killed at a pass, if it gets there: syncs run beside each
// other, so that their order is not the same every time.
func (c *Crash) cut(y *Yard, pass string, args ...string) {
	said := c.fed(y).With("OVERTURN_FAIL_POINT=" + pass).Overturn(args...)
	if said.Code == -1 {
		c.Killed++
	}
}

// cutAgain is cut at any of the passes of a call.
func (c *Crash) cutAgain(y *Yard, args ...string) {
	if passes := c.passes(y, args); len(passes) > 0 {
		c.cut(y, passes[y.Rand.IntN(len(passes))], args...)
	}
}

// Try hands the call over to run, in a copy that is not looked at afterwards.
func (c *Crash) Try(run func(y *Yard, args []string)) {
	y := c.copied(c.Yard)
	defer y.gone()
	run(y, c.scene.args(y))
}

// ends is everything of the user's, and the index by its entries.
type ends struct {
	State
	index string
}

func (y *Yard) ends() ends { return ends{y.State(), y.Git("ls-files", "-s")} }

// stands tells whether the yard is as at want: targets to the byte and the mode,
// all else untouched, times too.
func (c *Crash) stands(y *Yard, want ends) bool {
	now := y.ends()
	return y.Err() == nil && now.index == want.index && len(c.wrong(now, want)) == 0
}

func (c *Crash) wrong(now, want ends) []Change {
	targets := now.Timeless()
	changes := c.from.Diff(now.State, append(c.targets, ".git/index")...)
	for _, change := range want.Timeless().Diff(targets, ".git") {
		if Below(change.Path, c.targets) {
			changes = append(changes, change)
		}
	}
	return changes
}

// holds counts what stands against want, and says what does not.
func (c *Crash) holds(y *Yard, want ends, when string) {
	if y.Err() != nil {
		return
	}
	now := y.ends()
	wrong := map[string]bool{}
	for _, change := range c.wrong(now, want) {
		wrong[change.Path] = true
		y.Faultf("%s: %s", when, change)
	}
	if now.index != want.index {
		y.Faultf("%s: the index is\n%s\nnot\n%s", when, now.index, want.index)
	}
	for name := range want.State {
		count := &y.Tally.Survival
		if Below(name, c.targets) {
			count = &y.Tally.Recovery
		}
		count.Add(!wrong[name])
	}
	for name := range wrong { // something that should not be there
		if _, known := want.State[name]; !known {
			y.Tally.Survival.Add(false)
		}
	}
}

// sound holds that nothing is left to be put in order.
func (y *Yard) sound() {
	if at := y.interrupted(); at != "" {
		y.Faultf("rollback %s is still to be settled", at)
	}
	y.Git("fsck", "--no-dangling", "--no-progress")
	y.wellButFor("stat-table") // a power cut tears it, and the next capture makes it anew
}

// wellButFor holds that doctor finds nothing wrong, but in the checks named: there
// it may say that something is not recorded, never that something is damaged.
func (y *Yard) wellButFor(checks ...string) {
	said := y.Overturn("--json", "doctor")
	var report struct {
		Findings []struct {
			Check, Detail, Repair string
			OK                    bool
		}
	}
	if y.Err() != nil {
		return
	}
	if err := json.Unmarshal([]byte(said.Stdout), &report); err != nil || len(report.Findings) == 0 {
		y.Faultf("doctor says nothing: %s%s", said.Stdout, said.Stderr)
	}
	for _, f := range report.Findings {
		words := f.Detail + f.Repair
		lost := f.Check != "stat-table" && (strings.Contains(words, "damaged") || strings.Contains(words, "not stored any more"))
		if !f.OK && (lost || !slices.Contains(checks, f.Check)) {
			y.Faultf("doctor: %s: %s; %s", f.Check, f.Detail, f.Repair)
		}
	}
}

// interrupted is the id of the rollback that status says is to be settled.
func (y *Yard) interrupted() string {
	var s struct {
		Interrupted *struct{ ID string }
	}
	y.JSON(0, &s, "status")
	if s.Interrupted == nil {
		return ""
	}
	return s.Interrupted.ID
}

// recovers settles an interrupted rollback one way, which ends whole at want, once
// and for all.
func (c *Crash) recovers(y *Yard, way string, want ends) {
	var r struct {
		Found   bool
		Way     string
		Skipped []Noted
	}
	began := time.Now()
	y.JSON(0, &r, "recover", "--"+way)
	y.Tally.Took = append(y.Tally.Took, time.Since(began))
	if y.Err() == nil && (!r.Found || r.Way != way || len(r.Skipped) > 0) {
		y.Faultf("recover --%s: %+v", way, r)
	}
	c.holds(y, want, "after recover --"+way)
	y.JSON(0, &r, "recover", "--"+way)
	if y.Err() == nil && r.Found {
		y.Faultf("there is something to recover again: %+v", r)
	}
	c.holds(y, want, "after recover --"+way+" again")
	y.sound()
}
