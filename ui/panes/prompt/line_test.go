package prompt

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestCutAWordForward cuts the word behind the cursor: one of a single letter at the
// end of the line too.
func TestCutAWordForward(t *testing.T) {
	home, left := tea.KeyMsg{Type: tea.KeyHome}, tea.KeyMsg{Type: tea.KeyLeft}
	cut := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'d'}, Alt: true}
	for _, c := range []struct {
		name, text string
		keys       []tea.KeyMsg
		want       string
		at         int
	}{
		{"a word of one letter", "a", []tea.KeyMsg{home, cut}, "", 0},
		{"a letter of more than a byte", "é", []tea.KeyMsg{home, cut}, "", 0},
		{"a blank alone", " ", []tea.KeyMsg{home, cut}, "", 0},
		{"the last letter of a word", "one two", []tea.KeyMsg{left, cut}, "one tw", 6},
		{"one word of two", "one two", []tea.KeyMsg{home, cut}, " two", 0},
		{"nothing behind the cursor", "one", []tea.KeyMsg{cut}, "one", 3},
		{"nothing at all", "", []tea.KeyMsg{cut}, "", 0},
	} {
		p := Line("", c.text)
		for _, k := range c.keys {
			p.Key(k)
		}
		if p.Text() != c.want || p.input.Position() != c.at {
			t.Errorf("%s: %q with the cursor at %d, want %q at %d", c.name, p.Text(), p.input.Position(), c.want, c.at)
		}
	}
}
