package view

import (
	"testing"

	"overturn/model"
)

// A range of one turn is that turn.
func TestScopeWords(t *testing.T) {
	for text, want := range map[string]string{"3": "turn 3", "2..3": "turn 3", "0..1": "turn 1", "0..3": "turns 1 to 3", "working": "working", "latest": "latest"} {
		s, err := model.ParseScope(text)
		if got := ScopeWords(s); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", text, got, want, err)
		}
	}
}

// A number alone is that of a turn of the thread that is looked at.
func TestTurnsOf(t *testing.T) {
	for _, c := range []struct {
		list  []int
		in    model.ThreadID
		shown model.ThreadID
		want  string
	}{
		{nil, "", "", ""},
		{nil, "a", "b", ""},
		{[]int{3}, "a", "a", "turn 3"},
		{[]int{3, 5}, "a", "a", "turns 3 5"},
		{[]int{3}, "a", "b", "turn 3 of thread a"},
		{[]int{3}, "a", "", "turn 3 of thread a"},
		{[]int{3, 4}, "01234567-89", "b", "turns 3 4 of thread 01234567"},
		{[]int{3}, "", "a", "turns of several threads"},
		{[]int{3}, "", "", "turns of several threads"},
	} {
		if got := TurnsOf(c.list, c.in, c.shown); got != c.want {
			t.Errorf("%v in %q seen from %q: %q, want %q", c.list, c.in, c.shown, got, c.want)
		}
	}
}
