package kept

import (
	"slices"

	"overturn/model"
)

// Limit is how many bytes an encoded State has at most; a file that is longer is none.
const Limit = 1 << 20

// Bounds of what is kept: many times what a work tree needs, and little to read.
const (
	mostSpots   = 64
	mostFolded  = 512
	mostBytes   = 96 << 10 // of all texts together; each byte is at most seven encoded
	mostContext = 100_000  // lines; more is the whole file, which is not kept
	mostLine    = 1 << 30
)

// State is what a review leaves. The zero value is that of a first review.
type State struct {
	Theme   string       // chosen with T, or ""
	List    bool         // files as a list, not as a tree
	Split   *bool        // split or unified, nil while the width decides
	Wrap    bool         // long lines are wrapped
	Exact   bool         // whitespace changes are shown
	Context *int         // lines around a change, nil where the user did not say
	Folded  []model.Path // folders of the tree, ascending
	Last    *Spot        // where the review ended
	Spots   []Spot       // where the cursor stood, one a scope, the newest first
}

// Spot is a place in a scope.
type Spot struct {
	Scope  string         // as model.ParseScope reads it, a turn in place of latest
	Thread model.ThreadID // of a scope of turns
	Path   model.Path
	Folder bool   // the path is a folder of the tree
	Key    string // of both contents: a line is one of these alone
	Line   int    // from 1, of the new side unless Old; 0 where there is none
	Old    bool
	Head   bool // on the header of the hunk whose first changed line Line is
}

// Put takes s in as the newest spot of its scope.
func (s *State) Put(spot Spot) {
	s.Spots = slices.DeleteFunc(s.Spots, func(o Spot) bool { return o.Scope == spot.Scope && o.Thread == spot.Thread })
	s.Spots = slices.Insert(s.Spots, 0, spot)
	if len(s.Spots) > mostSpots {
		s.Spots = s.Spots[:mostSpots]
	}
}

// At is the spot of a scope.
func (s *State) At(scope string, thread model.ThreadID) (Spot, bool) {
	i := slices.IndexFunc(s.Spots, func(o Spot) bool { return o.Scope == scope && o.Thread == thread })
	if i < 0 {
		return Spot{}, false
	}
	return s.Spots[i], true
}
