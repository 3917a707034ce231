//go:build linux || darwin

package trial

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// found is a file or link that lies somewhere when all is over.
type found struct {
	thing
	name string // absolute
	kept bool   // in the folder for displaced files
}

// everything lists all that lies in the work tree, in what was moved out of it, and
// in the kept folders.
func (r *Racing) everything(moved []string) []found {
	var list []found
	walk := func(top string, kept bool) {
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() && name == r.Path(".git"):
				if name == top {
					return nil
				}
				return fs.SkipDir
			case !d.IsDir():
				list = append(list, found{at(name), name, kept})
			}
			return nil
		})
		if err != nil && r.Err() == nil {
			r.Fail(err)
		}
	}
	walk(r.Root, false)
	for _, folder := range moved {
		walk(folder, false)
	}
	walk(r.Path(".git/overturn/kept"), true)
	return list
}

// judge holds a call that another process acted in against what must be true.
func (r *Racing) judge(a *racer, c call, said Said, before State) {
	if r.Err() != nil {
		return
	}
	var result Result
	if said.Stdout != "" {
		if err := json.Unmarshal([]byte(said.Stdout), &result); err != nil {
			r.Faultf("%v: %s", err, said.Stdout)
		}
	}
	r.Outcomes[a.race.Verb+": "+result.Outcome]++
	r.told(a, said, result)
	r.said = said.Stdout
	r.whole(a, said.Stdout+said.Stderr)
	r.aside(a, before)
	r.true(a, c, result)
	r.index(a)
}

// told holds the exit code against the outcome, and that nothing is left to settle.
func (r *Racing) told(a *racer, said Said, result Result) {
	codes := map[string][]int{
		"complete": {0}, "undone": {0}, "partial": {3}, "stale": {4}, "refused": {5, 1}, "cancelled": {130}, "": {1, 4, 5},
	}
	if !slices.Contains(codes[result.Outcome], said.Code) {
		r.Faultf("exit code %d with outcome %q: %s%s", said.Code, result.Outcome, said.Stdout, said.Stderr)
	}
	if said.Code == 1 {
		if left := r.interrupted(); left != "" {
			r.Faultf("rollback %s is left to be settled: %s", left, said.Stderr)
			if r.Overturn("recover", "--unwind").Code != 0 {
				r.Overturn("recover", "--unwind")
			}
		}
	}
	if a.stale {
		r.Tally.Stale.Add(said.Code == 4 || said.Code == 5 || said.Code == 3 || said.Code == 1)
		if said.Code == 0 {
			r.Faultf("the review was left behind, and it was carried out: %s", said.Stdout)
		}
	}
}

// whole holds that every byte that was saved is somewhere, in whole files alone.
func (r *Racing) whole(a *racer, report string) {
	all := r.everything(a.movedTo)
	for _, f := range all {
		name := filepath.Base(f.name)
		told := strings.HasPrefix(a.race.Verb, "recover") && strings.Contains(report+r.said, name)
		if strings.HasPrefix(name, ".overturn-") && !told { // it may have been moved between the crash and now
			r.Faultf("left behind: %s", f.name)
		}
		if (f.kind == "file" || f.kind == "link") && !r.versions[f.text] {
			r.Faultf("%s holds what nobody saved: %q", f.name, f.text)
		}
	}
	for _, s := range a.saves {
		r.findable(s, all, report)
	}
}

func (r *Racing) findable(s save, all []found, report string) {
	var kept, named bool
	for _, f := range all {
		if f.kind != s.kind || f.text != s.text || s.perm != 0 && s.perm != f.perm {
			continue
		}
		if !f.kept {
			r.Tally.Survival.Add(true)
			return
		}
		kept = true
		named = named || s.late || strings.Contains(report, f.name)
	}
	r.Tally.Survival.Add(kept && named)
	switch {
	case !kept:
		r.Faultf("lost: %o %q, saved at %s; report: %s", s.perm, s.text, s.path, report)
	case !named:
		r.Faultf("kept, but the report does not say where: %q, saved at %s; report: %s", s.text, s.path, report)
	default:
		r.shelved[s.text] = true
	}
}

// aside holds that all that is no target stayed as the user and the other process
// left it, in the work tree and out of it.
func (r *Racing) aside(a *racer, before State) {
	sh := shapeOf(a.race.Shape)
	except := append(append(slices.Clone(sh.targets), sh.area...), a.touched...)
	if slices.Contains(sh.targets, "staged") || a.do.git {
		except = append(except, ".git/index") // looked at by its entries
	}
	if a.do.git {
		except = append(except, ".git/HEAD", ".git/refs/heads", ".git/logs", ".git/COMMIT_EDITMSG")
	}
	maps.DeleteFunc(before, func(name, _ string) bool { return strings.HasPrefix(filepath.Base(name), ".overturn-") })
	r.Held(before, except...)
	now, err := stateOf(r.out)
	if err != nil {
		r.Faultf("%v", err)
	}
	for _, change := range r.sentinels.Diff(now) {
		r.Faultf("outside the work tree: %s", change)
	}
}

// true holds the outcome against what stands at the targets.
func (r *Racing) true(a *racer, c call, result Result) {
	skipped := map[string]bool{}
	for _, n := range result.Skipped {
		skipped[n.Path] = true
	}
	done := result.Outcome == "complete" || result.Outcome == "undone"
	recovering := strings.HasPrefix(a.race.Verb, "recover")
	if recovering && !done && result.Outcome != "partial" {
		return
	}
	after := a.race.Moment == momentFree || recovering && a.race.Moment == momentReading || a.do.later != nil || a.do.name == "opens, and appends a little later" || a.do.name == "saves again and again"
	for _, path := range shapeOf(a.race.Shape).targets {
		now, from, to := r.target(path), c.from[path], c.to[path]
		if path == "fold" && now.kind == "folder" {
			now = thing{} // it is what holds fold/x
		}
		touched := Below(path, a.touched)
		switch {
		case done && !touched, done && !after, result.Outcome == "partial" && !skipped[path] && !touched:
			r.Tally.Recovery.Add(now == to)
			if now != to {
				r.Faultf("%s is told as done, but %s is %+v, not %+v", result.Outcome, path, now, to)
			}
		case touched:
		case recovering:
			if now != from && now != to {
				r.Faultf("%s after %s: %s is %+v", result.Outcome, a.race.Verb, path, now)
			}
		case now != from:
			r.Faultf("%q, but %s is %+v, not %+v", result.Outcome, path, now, from)
		}
	}
}

// index holds that an entry that the other process staged stayed.
func (r *Racing) index(a *racer) {
	if !a.staged {
		return
	}
	if now := r.Git("ls-files", "-s", "--", a.path); now != a.entry {
		r.Faultf("the other process left the entry %q of the index, it is %q", a.entry, now)
	}
}

// backAgain takes back what was done: what the other process saved must still be
// there.
func (r *Racing) backAgain(a *racer) {
	if r.Err() != nil {
		return
	}
	verb := "undo"
	if a.race.Verb == "undo" {
		verb = "redo"
	}
	said := r.Overturn("--json", verb)
	if !slices.Contains([]int{0, 1, 2, 3, 4, 5}, said.Code) {
		r.Faultf("%s after it: exit code %d: %s", verb, said.Code, said.Stderr)
	}
	faults := len(r.Tally.Faults)
	r.whole(a, said.Stdout+said.Stderr+r.keptNames())
	for i := faults; i < len(r.Tally.Faults); i++ {
		r.Tally.Faults[i] = fmt.Sprintf("after %s: %s", verb, r.Tally.Faults[i])
	}
	if said.Code != 1 {
		return
	}
	if left := r.interrupted(); left != "" {
		r.Faultf("rollback %s is left to be settled after %s: %s", left, verb, said.Stderr)
		r.Overturn("recover", "--unwind")
	}
}

// keptNames are the names of all kept files: what was named once needs not be
// named again.
func (r *Racing) keptNames() string {
	var names []string
	for _, f := range r.everything(nil) {
		if f.kept {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, "\n")
}

// keptStays holds that what is in no place but a kept folder was not tidied away by
// later rollbacks.
func (r *Racing) keptStays() {
	if r.Err() != nil {
		return
	}
	there := map[string]bool{}
	for _, f := range r.everything(nil) {
		there[f.text] = there[f.text] || f.kept
	}
	for text := range r.shelved {
		r.Tally.Survival.Add(there[text])
		if !there[text] {
			r.Faultf("%q was kept and is not any more", text)
		}
	}
	if _, err := os.Lstat(r.Path(".git/overturn/kept")); err != nil && len(r.shelved) > 0 {
		r.Faultf("%v", err)
	}
}
