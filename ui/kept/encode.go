package kept

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"overturn/model"
)

// format is the number of the encoding; others are not read.
const format = 1

type file struct {
	Format  int    `json:"format"`
	Theme   text   `json:"theme,omitempty"`
	List    bool   `json:"list,omitempty"`
	Split   *bool  `json:"split,omitempty"`
	Wrap    bool   `json:"wrap,omitempty"`
	Exact   bool   `json:"whitespace,omitempty"`
	Context *int   `json:"context,omitempty"`
	Folded  []text `json:"folded,omitempty"`
	Last    *spot  `json:"last,omitempty"`
	Spots   []spot `json:"spots,omitempty"`
}

type spot struct {
	Scope  text `json:"scope"`
	Thread text `json:"thread,omitempty"`
	Path   text `json:"path"`
	Folder bool `json:"folder,omitempty"`
	Key    text `json:"key,omitempty"`
	Line   int  `json:"line,omitempty"`
	Old    bool `json:"old,omitempty"`
	Head   bool `json:"head,omitempty"`
}

// text is any bytes: quoted as Go does it where JSON would not give them back.
type text string

// MarshalText never fails.
func (t text) MarshalText() ([]byte, error) {
	if s := string(t); !utf8.ValidString(s) || strings.HasPrefix(s, `"`) {
		return []byte(strconv.Quote(s)), nil
	}
	return []byte(t), nil
}

// UnmarshalText never fails: what is quoted badly is nothing.
func (t *text) UnmarshalText(b []byte) error {
	*t = text(b)
	if strings.HasPrefix(string(b), `"`) {
		s, _ := strconv.Unquote(string(b)) // "" when it is not quoted well
		*t = text(s)
	}
	return nil
}

// Encode spells a state. What is too much of it, or nothing that Parse would take, is
// left out.
func Encode(s State) []byte {
	s = clean(s)
	f := file{Format: format, Theme: text(s.Theme), List: s.List, Split: s.Split, Wrap: s.Wrap, Exact: s.Exact, Context: s.Context}
	for _, p := range s.Folded {
		f.Folded = append(f.Folded, text(p))
	}
	for _, o := range s.Spots {
		f.Spots = append(f.Spots, wire(o))
	}
	if s.Last != nil {
		last := wire(*s.Last)
		f.Last = &last
	}
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil { // of these types nothing can fail
		return nil
	}
	return append(data, '\n')
}

// Parse reads a state. Of bytes that are none it is the zero State.
func Parse(data []byte) State {
	var f file
	if len(data) > Limit || json.Unmarshal(data, &f) != nil || f.Format != format {
		return State{}
	}
	s := State{Theme: string(f.Theme), List: f.List, Split: f.Split, Wrap: f.Wrap, Exact: f.Exact, Context: f.Context}
	for _, p := range f.Folded {
		s.Folded = append(s.Folded, model.Path(p))
	}
	for _, o := range f.Spots {
		s.Spots = append(s.Spots, unwire(o))
	}
	if f.Last != nil {
		last := unwire(*f.Last)
		s.Last = &last
	}
	return clean(s)
}

func wire(o Spot) spot {
	return spot{text(o.Scope), text(o.Thread), text(o.Path), o.Folder, text(o.Key), o.Line, o.Old, o.Head}
}

func unwire(o spot) Spot {
	return Spot{string(o.Scope), model.ThreadID(o.Thread), model.Path(o.Path), o.Folder, string(o.Key), o.Line, o.Old, o.Head}
}

// clean leaves out what no review would have left, and what is too much.
func clean(s State) State {
	left := mostBytes - len(s.Theme)
	if left < 0 {
		s.Theme, left = "", mostBytes
	}
	if s.Context != nil && (*s.Context < 0 || *s.Context > mostContext) {
		s.Context = nil
	}
	if s.Last != nil && !s.Last.sound(&left) {
		s.Last = nil
	}
	var spots []Spot
	for _, o := range s.Spots {
		known := slices.ContainsFunc(spots, func(k Spot) bool { return k.Scope == o.Scope && k.Thread == o.Thread })
		if len(spots) < mostSpots && !known && o.sound(&left) {
			spots = append(spots, o)
		}
	}
	s.Spots = spots
	folded := slices.Clone(s.Folded)
	slices.Sort(folded)
	s.Folded = nil
	for _, p := range slices.Compact(folded) {
		if p == "" || len(s.Folded) == mostFolded || len(p) > left {
			continue
		}
		left -= len(p)
		s.Folded = append(s.Folded, p)
	}
	return s
}

// sound tells whether a spot can be one, and fits what is left of the bytes.
func (s *Spot) sound(left *int) bool {
	size := len(s.Scope) + len(s.Thread) + len(s.Path) + len(s.Key)
	if scope, err := model.ParseScope(s.Scope); err != nil || scope.String() != s.Scope || s.Path == "" || s.Line < 0 || s.Line > mostLine || size > *left {
		return false
	}
	*left -= size
	return true
}
