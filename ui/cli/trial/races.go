//go:build linux || darwin

package trial

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// RacesEach is how many rounds one seed plays, in one yard.
const RacesEach = 25

// Races lets another process work on the very paths that overturn is writing, at
// every moment between the review and the last byte. One seed is RacesEach rounds;
// a round is one call of overturn, one moment in it, and one thing that the other
// process does at that moment. All that anyone saved must be found after it, whole.
func Races(_ context.Context, y *Yard, seed uint64) error {
	r := NewRacing(y)
	for i := range uint64(RacesEach) {
		if y.Err() != nil {
			break
		}
		r.Play(PickRace(seed*RacesEach + i))
	}
	r.keptStays()
	return y.Err()
}

// Race is one round.
type Race struct {
	N      uint64
	Verb   string // the call of overturn
	Moment string // phase of it in which the other process acts
	Act    string // what that one does
	Shape  string // what kind of change is being taken back
}

func (r Race) String() string {
	return fmt.Sprintf("race %d: %s of %s, %s, %s", r.N, r.Verb, r.Shape, r.Moment, r.Act)
}

// RaceMoments are the phases of a call in which the other process acts. In all but
// the last the call stands still while it does; there both run freely.
func RaceMoments() []string {
	return []string{
		momentReview, momentChecked, momentWriting, momentBefore, momentSwapped, momentBetween, momentKeeping, momentReading, momentIndex, momentFree,
	}
}

const (
	momentReview  = "after the review"
	momentChecked = "while it is checked and saved" // until the journal is there
	momentWriting = "while new files are written"
	momentBefore  = "right before a swap"
	momentSwapped = "right after a swap" // and before what came out is looked at
	momentBetween = "between two swaps"
	momentKeeping = "while old files are put away"
	momentReading = "while it is read back"
	momentIndex   = "around the index"
	momentFree    = "at any time"
)

// raceVerbs are the calls, as often as they are to be chosen.
func raceVerbs() []string {
	return []string{
		"rollback", "rollback", "rollback", "rollback --partial", "rollback", "undo", "rollback", "recover --finish", "undo", "recover --unwind", "redo",
	}
}

// PickRace is the round n: every act meets every moment once in as many rounds as
// there are pairs; all else is drawn from n.
func PickRace(n uint64) Race {
	moments, acts := RaceMoments(), RaceActs()
	draw := rand.New(rand.NewPCG(n, 2))
	r := Race{N: n}
	r.Act = acts[n%uint64(len(acts))]
	r.Moment = moments[(n/uint64(len(acts))+n%uint64(len(acts)))%uint64(len(moments))]
	r.Verb = raceVerbs()[draw.IntN(len(raceVerbs()))]
	shapes := raceShapes()
	r.Shape = shapes[draw.IntN(len(shapes))].name
	switch {
	case actOf(r.Act).parent: // needs a target in a folder; the last shape has all
		if r.Moment == momentIndex || !strings.Contains(strings.Join(shapeOf(r.Shape).targets, ""), "/") {
			r.Shape = shapes[len(shapes)-1].name
		}
	case r.Moment == momentIndex:
		r.Shape = "staged"
	}
	return r
}

// Racing is the rounds of one yard.
type Racing struct {
	// Met counts the rounds by moment, a space, and act; Missed those whose moment
	// did not come.
	Met    map[string]int
	Missed int
	// Outcomes counts how the calls ended.
	Outcomes map[string]int

	*Yard
	first, last scenery           // before the turn, and after it
	git         map[string][]byte // what a commit or an add would change
	passes      map[string][]string
	said        string // by the call that is judged
	out         string // folder outside the work tree
	sentinels   State
	versions    map[string]bool // every content that anyone ever saved
	shelved     map[string]bool // those that are in no place but a kept folder
}

// NewRacing makes the scene: a commit, and a turn on it that changes a path of each
// kind.
func NewRacing(y *Yard) *Racing {
	r := &Racing{
		Met: map[string]int{}, Outcomes: map[string]int{}, Yard: y, first: firstScenery(), last: lastScenery(),
		passes: map[string][]string{}, out: filepath.Join(filepath.Dir(y.Root), "outside"), versions: map[string]bool{}, shelved: map[string]bool{},
	}
	for _, s := range []scenery{r.first, r.last} {
		for _, t := range s {
			r.versions[t.text] = true
		}
	}
	y.Unscripted()
	r.set(r.first)
	y.Sh("git add -A -- ':!untracked' && git commit -qm base && git branch other")
	y.Start("T")
	r.set(r.last)
	y.Sh("git add staged")
	y.End("T")
	if err := r.outside(); err != nil {
		y.Fail(err)
	}
	r.git = map[string][]byte{}
	for _, name := range []string{"index", "HEAD", "refs/heads/main"} {
		data, err := os.ReadFile(y.Path(".git/" + name))
		if err != nil {
			y.Fail(err)
		}
		r.git[name] = data
	}
	return r
}

// outside makes the folder that no rollback may write to, with the names that are
// in the work tree.
func (r *Racing) outside() error {
	for path := range r.last {
		name := filepath.Join(r.out, filepath.Base(path))
		if err := os.MkdirAll(name+".d", 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte("outside\n"), 0o644); err != nil {
			return err
		}
	}
	r.versions["outside\n"] = true
	sentinels, err := stateOf(r.out)
	r.sentinels = sentinels
	return err
}

// stateOf is what stands in a folder that is not a work tree.
func stateOf(folder string) (State, error) {
	s := State{}
	err := filepath.WalkDir(folder, func(file string, _ os.DirEntry, err error) error {
		if err == nil {
			s[strings.TrimPrefix(file, folder)], err = Standing(file)
		}
		return err
	})
	return s, err
}
