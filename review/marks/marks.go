package marks

import (
	"strings"
	"time"

	"overturn/model"
)

// TextLimit is how many bytes of what was read are kept with its mark.
const TextLimit = 16 << 10

// Change is something that can be read: a hunk, or a file's change that is not lines.
// Hash is over all of it; Text is its changed lines, each with its sign and a line
// feed, cut at TextLimit.
type Change struct {
	Path model.Path
	Hash string
	Text string
}

// Mark is a change that was read.
type Mark struct {
	Change
	At time.Time
}

// Set is the marks of a work tree as they were at one moment. It is not changed
// afterwards.
type Set struct {
	byPath map[model.Path][]Mark // in the order in which they were made
}

// Has tells whether exactly this change was read.
func (s *Set) Has(path model.Path, hash string) bool {
	if s == nil {
		return false
	}
	for _, m := range s.byPath[path] {
		if m.Hash == hash {
			return true
		}
	}
	return false
}

// Len is how many changes are marked.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	n := 0
	for _, list := range s.byPath {
		n += len(list)
	}
	return n
}

// State is what is known of a change: whether it was read, and, where it was not,
// the text of the one that was read in its stead and is there no more; "" for none.
type State struct {
	Read bool
	Was  string
}

// minAlike is the part, in per cent of the larger side, that a change must share with one that was read before to count as that one changed.
const minAlike = 30

// States tells of all changes of one file, in their order. A mark whose change is
// still there stands for no other.
func (s *Set) States(path model.Path, changes []Change) []State {
	states := make([]State, len(changes))
	if s == nil {
		return states
	}
	there := make(map[string]bool, len(changes))
	for i, c := range changes {
		there[c.Hash] = true
		states[i].Read = s.Has(path, c.Hash)
	}
	var gone []Mark
	for _, m := range s.byPath[path] {
		if !there[m.Hash] && m.Text != "" {
			gone = append(gone, m)
		}
	}
	for i, c := range changes {
		if !states[i].Read {
			states[i].Was = mostAlike(gone, c.Text)
		}
	}
	return states
}

// mostAlike is the text of the mark that shares most changed lines with text, the
// newest of equals.
func mostAlike(list []Mark, text string) string {
	best, found := 0, ""
	lines := count(text)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Text == text && len(text) < TextLimit {
			continue // a twin of it came: nothing in it changed
		}
		if n := alike(lines, len(text), list[i].Text); n > best {
			best, found = n, list[i].Text
		}
	}
	return found
}

// alike is the per cent of what is said that both say: of the bytes, or of the lines,
// whichever is more, since short hunks share lines and long lines share nothing; 0
// below minAlike.
func alike(lines map[string]int, size int, other string) int {
	common, same, n := 0, 0, 0
	for line, k := range count(other) {
		both := min(k, lines[line])
		common, same, n = common+both*(len(line)+1), same+both, n+k
	}
	of := 0
	for _, k := range lines {
		of += k
	}
	percent := max(common*100/max(size, len(other), 1), same*100/max(of, n, 1))
	if percent < minAlike {
		return 0
	}
	return percent
}

// count counts equal lines; blank ones say nothing.
func count(text string) map[string]int {
	lines := map[string]int{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(strings.TrimSpace(strings.TrimLeft(line, "+-"))) > 0 {
			lines[line]++
		}
	}
	return lines
}
