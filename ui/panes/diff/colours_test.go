package diff

import (
	"fmt"
	"strings"
	"testing"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/view"
)

type texts []string

func (t texts) Lines() int        { return len(t) }
func (t texts) Line(i int) []byte { return []byte(t[i]) }

// numbered has a run for each line, as long as the line's number in it says.
func numbered(l texts) view.Coloured {
	var c view.Coloured
	for _, s := range l {
		c.Runs = append(c.Runs, view.Run{To: uint32(len(s)), Role: uint8(themes.Keyword)})
		c.Ends = append(c.Ends, uint32(len(c.Runs)))
	}
	return c
}

// Lines at both ends that stay keep their colours, the others have none.
func TestCarry(t *testing.T) {
	lines := func(s string) texts { return strings.Fields(s) }
	for _, c := range []struct{ before, after, kept string }{
		{"a bb ccc", "a bb ccc", "1 1 1"},
		{"a bb ccc", "a x bb ccc", "1 0 1 1"},
		{"a bb ccc", "a ccc", "1 1"},
		{"a bb ccc", "x bb y", "0 0 0"},
		{"a a a", "a a", "1 1"},
		{"a a", "a a a", "1 1 0"},
		{"a bb", "", ""},
		{"", "a", "0"},
	} {
		before, after := lines(c.before), lines(c.after)
		known := numbered(before)
		got := carry(known, before, after)
		var kept []string
		for i, s := range after {
			runs := got.Line(i)
			kept = append(kept, fmt.Sprint(len(runs)))
			if len(runs) > 0 && int(runs[0].To) != len(s) {
				t.Errorf("%q → %q: line %d has the runs of another: %v", c.before, c.after, i, runs)
			}
		}
		want := c.kept
		if len(known.Ends) == 0 {
			want = strings.Repeat("0 ", len(after))
		}
		if strings.Join(kept, " ") != strings.TrimSpace(want) {
			t.Errorf("%q → %q: kept %v, want %s", c.before, c.after, kept, want)
		}
	}
}

// What is laid over cuts what lies below, and nothing is lost or doubled.
func TestOverlay(t *testing.T) {
	spell := func(spans []frame.Span) string {
		out := []byte("..........")
		at := 0
		for _, s := range spans {
			if s.From < at || s.From >= s.To {
				return fmt.Sprintf("not in order: %v", spans)
			}
			at = s.To
			for i := s.From; i < s.To; i++ {
				out[i] = s.Style[0]
			}
		}
		return string(out)
	}
	for _, c := range []struct {
		below []frame.Span
		hits  [][2]int
		want  string
	}{
		{nil, nil, ".........."},
		{[]frame.Span{{From: 1, To: 4, Style: "a"}}, nil, ".aaa......"},
		{nil, [][2]int{{2, 3}, {5, 9}}, "..#..####."},
		{[]frame.Span{{From: 0, To: 10, Style: "a"}}, [][2]int{{2, 3}, {5, 9}}, "aa#aa####a"},
		{[]frame.Span{{From: 0, To: 3, Style: "a"}, {From: 3, To: 6, Style: "b"}, {From: 8, To: 10, Style: "c"}}, [][2]int{{2, 4}}, "aa##bb..cc"},
		{[]frame.Span{{From: 0, To: 3, Style: "a"}, {From: 4, To: 6, Style: "b"}}, [][2]int{{0, 10}}, "##########"},
		{[]frame.Span{{From: 3, To: 6, Style: "b"}}, [][2]int{{0, 3}, {6, 7}}, "###bbb#..."},
	} {
		if got := spell(overlay(nil, c.below, c.hits, "#")); got != c.want {
			t.Errorf("%v over %v: %s, want %s", c.hits, c.below, got, c.want)
		}
	}
}

// An equal line has the colours of the new side where the text is the same, else
// of the side that it is drawn from; a changed line those of its own.
func TestRunsOfASide(t *testing.T) {
	old, now := texts{"same", "a  b", "gone"}, texts{"same", "a b", "come"}
	p := New()
	p.Show(&view.Document{Marker: func(b []byte) bool { return strings.HasPrefix(string(b), "<<<<<<<") }, Old: old, New: now, Hunks: []view.Hunk{{Number: 1, Edits: []view.Edit{{OldFrom: 2, OldTo: 3, NewFrom: 2, NewTo: 3}}}}})
	p.SetColours(view.Colours{Old: numbered(old), New: numbered(now)})
	p.colours.New.Runs[0].Role = uint8(themes.String)
	for _, c := range []struct {
		text string
		row  row
		role themes.Role
		want string
	}{
		{"same", row{kind: equal, old: 0, new: 0}, themes.Text, fmt.Sprint([]view.Run{{To: 4, Role: uint8(themes.String)}})},
		{"a  b", row{kind: equal, old: 1, new: 1}, themes.Text, fmt.Sprint([]view.Run{{To: 4, Role: uint8(themes.Keyword)}})},
		{"a b", row{kind: equal, old: 1, new: 1}, themes.Text, fmt.Sprint([]view.Run{{To: 3, Role: uint8(themes.Keyword)}})},
		{"gone", row{kind: removed, old: 2, new: -1}, themes.Del, fmt.Sprint([]view.Run{{To: 4, Role: uint8(themes.Keyword)}})},
		{"come", row{kind: added, old: -1, new: 2}, themes.Add, fmt.Sprint([]view.Run{{To: 4, Role: uint8(themes.Keyword)}})},
		{"<<<<<<< HEAD", row{kind: added, old: -1, new: 2}, themes.Add, "[]"},
		{"", row{kind: note, old: -1, new: 2}, themes.Muted, "[]"},
	} {
		if got := fmt.Sprint(p.runs([]byte(c.text), c.row, c.role)); got != c.want {
			t.Errorf("%q in %+v: %s, want %s", c.text, c.row, got, c.want)
		}
	}
}
