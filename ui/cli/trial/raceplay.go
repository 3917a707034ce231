//go:build linux || darwin

package trial

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// call is one call of overturn in a round: the staged paths go from one scenery to
// the other. Pass is where it stands still, "" for a call that runs freely.
type call struct {
	args     []string
	from, to scenery
	pass     string
}

// Play plays one round, and again when its moment did not come: what runs on several
// threads does not pass its points in the same order every time.
func (r *Racing) Play(race Race) {
	for range 3 {
		missed := r.Missed
		if r.play(race); r.Missed == missed || r.Err() != nil {
			return
		}
	}
}

func (r *Racing) play(race Race) {
	if r.Err() != nil {
		return
	}
	faults := len(r.Tally.Faults)
	a := r.racer(race)
	pass := ""
	if race.Moment != momentReview && race.Moment != momentFree {
		pass = r.passOf(a)
		race = a.race
	}
	c := r.lead(race)
	c.pass = pass
	if a.do.prepare != nil {
		a.fails(a.do.prepare(a))
	}
	before := r.State()
	said := r.run(a, &c, &before)
	r.judge(a, c, said, before)
	if said.Code == 0 || said.Code == 3 {
		r.backAgain(a)
	}
	a.end()
	for i := faults; i < len(r.Tally.Faults); i++ {
		r.Tally.Faults[i] = race.String() + " at " + c.pass + ": " + r.Tally.Faults[i]
	}
	if err := r.Err(); err != nil {
		r.Fail(fmt.Errorf("%s: %w", race, err))
		r.Faultf("%s at %s: %v", race, c.pass, err)
	}
}

func (r *Racing) racer(race Race) *racer {
	a := &racer{Racing: r, race: race, do: actOf(race.Act), over: make(chan struct{})}
	targets := slices.Clone(shapeOf(race.Shape).targets)
	if a.do.parent {
		targets = slices.DeleteFunc(targets, func(t string) bool { return !strings.Contains(t, "/") })
	}
	a.path = targets[r.Rand.IntN(len(targets))]
	return a
}

func (a *racer) fails(err error) {
	if err != nil {
		a.Fail(fmt.Errorf("%s: the other process: %w", a.race, err))
	}
}

// end lets go of what the other process holds and made outside.
func (a *racer) end() {
	if a.handle != nil {
		a.handle.Close()
	}
	for _, name := range a.made {
		delete(a.sentinels, strings.TrimPrefix(name, a.out))
		os.RemoveAll(name)
	}
}

// lead brings the yard to right before the call.
func (r *Racing) lead(race Race) call {
	r.set(r.last)
	for name, data := range r.git {
		if err := os.WriteFile(r.Path(".git/"+name), data, 0o644); err != nil && r.Err() == nil {
			r.Fail(err)
		}
	}
	r.OK("unstage")
	var p Plan
	r.JSON(0, &p, append([]string{"stage", "latest", "--"}, shapeOf(race.Shape).targets...)...)
	rollback := []string{"rollback", "--expect", p.Fingerprint}
	c := call{args: rollback, from: r.last, to: r.first}
	switch race.Verb {
	case "rollback --partial":
		c.args = append(rollback, "--partial")
	case "undo", "redo":
		r.OK(rollback...)
		c.args, c.from, c.to = []string{race.Verb}, r.first, r.last
		if race.Verb == "redo" {
			r.OK("undo")
			c.from, c.to = r.last, r.first
		}
	case "recover --finish", "recover --unwind":
		cuts := []string{"rollback.swapped", "rollback.beside"}
		if race.Verb == "recover --unwind" {
			cuts[1], c.to = "rollback.applied", r.last
		}
		r.With("OVERTURN_FAIL_POINT=" + cuts[race.N%2]).Overturn(rollback...)
		c.args = strings.Fields(race.Verb)
	}
	return c
}

// run makes the call and lets the other process act in it. before becomes what
// stood right after that, where the call stood still.
func (r *Racing) run(a *racer, c *call, before *State) Said {
	key := a.race.Moment + " " + a.race.Act
	switch {
	case r.Err() != nil:
		return Said{}
	case c.pass != "":
		return r.standing(a, c, before)
	case a.race.Moment != momentFree:
		r.Met[key]++
		was := a.stand()
		a.fails(a.do.act(a))
		a.stale = a.leftBehind(was, *c)
		if a.do.name != "saves again and again" {
			*before = r.State()
		}
		return a.finish(r.Overturn(append([]string{"--json"}, c.args...)...))
	}
	r.Met[key]++
	done := make(chan Said, 1)
	go func() { done <- r.Overturn(append([]string{"--json"}, c.args...)...) }()
	time.Sleep(time.Duration(r.Rand.IntN(30_000)) * time.Microsecond)
	err := a.do.act(a)
	said := <-done
	a.fails(err)
	return a.finish(said)
}

// standing makes a call that stands still at its pass.
func (r *Racing) standing(a *racer, c *call, before *State) Said {
	leave := filepath.Join(filepath.Dir(r.Root), "leave")
	os.Remove(leave)
	os.Remove(leave + ".here")
	done := make(chan Said, 1)
	go func() {
		done <- r.With("OVERTURN_FAIL_POINT=" + c.pass + "=wait:" + leave).Overturn(append([]string{"--json"}, c.args...)...)
	}()
	for {
		if _, err := os.Lstat(leave + ".here"); err == nil {
			break
		}
		select {
		case said := <-done:
			r.Missed++
			return a.finish(said)
		case <-time.After(100 * time.Microsecond):
		}
	}
	r.Met[a.race.Moment+" "+a.race.Act]++
	err := a.do.act(a)
	if a.do.name != "saves again and again" {
		*before = r.State()
	}
	if werr := os.WriteFile(leave, nil, 0o600); err == nil {
		err = werr
	}
	said := <-done
	a.fails(err)
	return a.finish(said)
}

// finish waits for what the other process still does.
func (a *racer) finish(said Said) Said {
	close(a.over)
	a.beside.Wait()
	a.fails(a.besideUp)
	if a.do.later != nil {
		a.fails(a.do.later(a))
	}
	return said
}

// MetAll lists the pairs of moment and act that no round met.
func (r *Racing) MetAll(others ...*Racing) (none []string) {
	met := maps.Clone(r.Met)
	for _, o := range others {
		for key, n := range o.Met {
			met[key] += n
		}
	}
	for _, moment := range RaceMoments() {
		for _, act := range RaceActs() {
			if met[moment+" "+act] == 0 {
				none = append(none, moment+" "+act)
			}
		}
	}
	slices.Sort(none)
	return none
}
