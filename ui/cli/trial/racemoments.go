//go:build linux || darwin

package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// passOf draws a fail point of the call that lies in the moment. A call that has no
// such moment gives way to one that has all: a race is met at every moment.
func (r *Racing) passOf(a *racer) string {
	for _, other := range []Race{a.race, {Verb: a.race.Verb, Shape: "several"}, {Verb: "rollback", Shape: "several"}, {Verb: "rollback", Shape: "all"}} {
		if other.Verb != a.race.Verb || other.Shape != a.race.Shape {
			a.race.Verb, a.race.Shape = other.Verb, other.Shape
			*a = *r.racer(a.race)
		}
		if found := phases(r.passesOf(a.race))[a.race.Moment]; len(found) > 0 {
			return found[r.Rand.IntN(len(found))]
		}
	}
	r.Fail(fmt.Errorf("%s: no fail point lies there", a.race))
	return ""
}

// passesOf lists the fail points that a call passes.
func (r *Racing) passesOf(race Race) []string {
	key := race.Verb + " " + race.Shape
	if strings.HasPrefix(race.Verb, "recover") {
		key += fmt.Sprint(race.N % 2)
	}
	if known, ok := r.passes[key]; ok {
		return known
	}
	c := r.lead(race)
	list := filepath.Join(filepath.Dir(r.Root), "points")
	os.Remove(list)
	r.With("OVERTURN_FAIL_POINT=list:" + list).Overturn(c.args...)
	names, err := os.ReadFile(list)
	if err != nil && r.Err() == nil {
		r.Fail(err)
	}
	seen := map[string]int{}
	var passes []string
	for name := range strings.FieldsSeq(string(names)) {
		seen[name]++
		passes = append(passes, fmt.Sprintf("%s:%d", name, seen[name]))
	}
	r.passes[key] = passes
	return passes
}

// phases sorts the passes of one call by the moments that they lie in.
func phases(passes []string) map[string][]string {
	found := map[string][]string{}
	phase := momentChecked
over:
	for _, pass := range passes {
		name, _, _ := strings.Cut(pass, ":")
		verb, step, _ := strings.Cut(name, ".")
		moment := phase
		switch {
		case strings.HasPrefix(name, "rollback.index."):
			moment = momentIndex
		case phase == momentBetween && (verb == "worktree" && (strings.HasSuffix(step, ".rename") || strings.HasPrefix(step, "chmod."))):
			moment = momentBefore
		case phase == momentBetween && verb == "restore":
			moment = momentSwapped
		}
		if phase == momentReading && name == "journal.end.write" {
			break over // from here on all is over, and the report written
		}
		if step == "applied" || name == "recover.settled" {
			moment = momentReading
		}
		found[moment] = append(found[moment], pass)
		switch name {
		case "rollback.prepared", "undo.prepared", "redo.prepared", "recover.begun":
			phase = momentWriting
		case "rollback.beside", "undo.beside", "redo.beside", "recover.tidied":
			phase = momentBetween
		case "restore.keep.mkdir", "rollback.index.after", "recover.swapped":
			phase = momentKeeping
		case "rollback.applied", "undo.applied", "redo.applied", "recover.settled":
			phase = momentReading
		}
	}
	return found
}
