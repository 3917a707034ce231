package keymap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Bound is an intent with the keys that the user wants for it; none leaves it without.
type Bound struct {
	Intent Intent
	Keys   []string // as people spell them
}

// Problem is what does not hold as the user wants it.
type Problem struct {
	Intent Intent
	Reason string
}

func (p Problem) String() string { return string(p.Intent) + ": " + p.Reason }

// Remap makes the map of the catalogue with the user's keys over it. The user's keys
// win over those of the catalogue; what cannot be has a problem that names it, and the
// catalogue's keys hold there. Fixed are Esc and Ctrl+C, and the keys that answer a
// dialog: no key that opens one is Enter, y or a digit.
func Remap(bound []Bound) (*Map, []Problem) {
	r := remap{commands: catalogue(), mine: map[Intent][]string{}}
	bound = slices.Clone(bound)
	slices.SortStableFunc(bound, func(a, b Bound) int { return cmp.Compare(a.Intent, b.Intent) })
	for _, b := range bound {
		r.bind(b)
	}
	r.clashes()
	r.settle()
	m := &Map{commands: r.commands, byKey: map[Place]map[string]Intent{}, mine: r.mine}
	m.index()
	return m, r.problems
}

// remap is a catalogue on its way to a map.
type remap struct {
	commands []Command
	mine     map[Intent][]string // the user's keys, as Bubble Tea spells them
	problems []Problem
}

func (r *remap) tell(i Intent, format string, args ...any) {
	r.problems = append(r.problems, Problem{i, fmt.Sprintf(format, args...)})
}

func (r *remap) command(i Intent) *Command {
	for k := range r.commands {
		if r.commands[k].Intent == i {
			return &r.commands[k]
		}
	}
	return nil
}

// bind takes the user's keys of an intent, those that can be.
func (r *remap) bind(b Bound) {
	switch {
	case r.command(b.Intent) == nil:
		r.tell(b.Intent, "there is no such intent%s", r.near(b.Intent))
		return
	case b.Intent == Kill || b.Intent == Back:
		r.tell(b.Intent, "its key is fixed: %s", r.command(b.Intent).Shown)
		return
	}
	var keys []string
	for _, k := range b.Keys {
		key, err := Spell(k)
		switch {
		case err != nil:
			r.tell(b.Intent, "%v", err)
		case key == "esc" || key == "ctrl+c":
			r.tell(b.Intent, "%s is fixed: it leads out", Shown(key))
		case asks(b.Intent) && answers(key):
			r.tell(b.Intent, "%s cannot open a dialog: a key that answers one never opens it", Shown(key))
		case !slices.Contains(keys, key):
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 || len(b.Keys) == 0 {
		r.mine[b.Intent] = keys
	}
}

// near names the intent that a misspelt one may mean: the one that takes the fewest
// changes of a letter, if those are few.
func (r *remap) near(i Intent) string {
	best, few := "", len(i)/3+1
	for _, c := range r.commands {
		if n := distance(string(i), string(c.Intent)); n < few {
			best, few = string(c.Intent), n
		}
	}
	if best != "" {
		return "; is it " + best + "?"
	}
	return "; `overturn config keys` lists them"
}

// distance is how many letters are to be changed, put in or taken out to make b of a
// (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// asks holds the intents that open a dialog.
func asks(i Intent) bool {
	return i == Confirm || i == Undo || i == Redo || i == Revert || i == RevertAll || i == Remove || i == RemoveTold
}

// answers holds the keys that mean something in a dialog.
func answers(key string) bool {
	return key == "enter" || key == "y" || key == "n" || key == "q" || len(key) == 1 && key[0] >= '0' && key[0] <= '9'
}

// together tells whether keys of two places are looked up at one time, so that one
// would hide the other. The keys of other screens come before those of everywhere on
// purpose.
func together(a, b Place) bool {
	review := func(p Place) bool { return p == Everywhere || p == InReview || p == InDiff }
	return a == b || review(a) && review(b)
}

// clashes settles keys that the user gave to two intents: the first keeps it.
func (r *remap) clashes() {
	taken := []Command{}
	for _, c := range r.commands {
		keys, ok := r.mine[c.Intent]
		if !ok {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(keys), func(k string) bool {
			i := slices.IndexFunc(taken, func(t Command) bool { return together(t.Place, c.Place) && slices.Contains(t.Keys, k) })
			if i >= 0 {
				r.tell(c.Intent, "%s is the key of %s already", Shown(k), taken[i].Intent)
			}
			return i >= 0
		})
		if len(kept) == 0 && len(keys) > 0 {
			delete(r.mine, c.Intent) // the catalogue's are tried
			continue
		}
		r.mine[c.Intent] = kept
		taken = append(taken, Command{Intent: c.Intent, Keys: kept, Place: c.Place})
	}
}

// settle gives every command its keys: the user's, else those of the catalogue that
// the user has not given to another.
func (r *remap) settle() {
	for i := range r.commands {
		c := &r.commands[i]
		if keys, ok := r.mine[c.Intent]; ok {
			c.Keys, c.Shown = keys, shown(keys)
			continue
		}
		by := None
		left := slices.DeleteFunc(slices.Clone(c.Keys), func(k string) bool {
			other := r.owner(k, c.Place)
			if other != None {
				by = other
			}
			return other != None
		})
		if len(left) == len(c.Keys) {
			continue
		}
		if len(left) == 0 {
			r.tell(c.Intent, "it has no key any more: %s is %s; give it another, or %q", shown(c.Keys), by, "none")
		}
		c.Keys, c.Shown = left, shown(left)
	}
}

// owner is the intent that the user gave a key to, as it is looked up in place.
func (r *remap) owner(key string, place Place) Intent {
	for _, c := range r.commands {
		if together(c.Place, place) && slices.Contains(r.mine[c.Intent], key) {
			return c.Intent
		}
	}
	return None
}

func shown(keys []string) string {
	var list []string
	for _, k := range keys {
		list = append(list, Shown(k))
	}
	return strings.Join(list, " ")
}
