package prompt

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func typed(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
func alt(letter rune) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{letter}, Alt: true}
}
func of(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

// TestLineKeys plays keys on a line and holds its text and its cursor against what a
// shell's line has.
func TestLineKeys(t *testing.T) {
	home, end, left, right := of(tea.KeyHome), of(tea.KeyEnd), of(tea.KeyLeft), of(tea.KeyRight)
	for _, c := range []struct {
		name, text string
		keys       []tea.KeyMsg
		want       string
		at         int
	}{
		{"a letter goes before the cursor", "ac", []tea.KeyMsg{left, typed("b")}, "abc", 2},
		{"a blank is text", "a", []tea.KeyMsg{{Type: tea.KeySpace, Runes: []rune{' '}}, typed("b")}, "a b", 3},
		{"the word of one letter that the cursor stands before", "a", []tea.KeyMsg{home, alt('d')}, "", 0},
		{"the last letter of a word", "one two", []tea.KeyMsg{left, alt('d')}, "one tw", 6},
		{"the blanks before a word go with it", "one  two", []tea.KeyMsg{home, right, right, right, alt('d')}, "one", 3},
		{"blanks alone", "  ", []tea.KeyMsg{home, alt('d')}, "", 0},
		{"nothing behind the cursor", "one", []tea.KeyMsg{alt('d'), of(tea.KeyDelete)}, "one", 3},
		{"nothing before the cursor", "one", []tea.KeyMsg{home, left, of(tea.KeyBackspace), of(tea.KeyCtrlW), of(tea.KeyCtrlU)}, "one", 0},
		{"the word behind", "one two ", []tea.KeyMsg{of(tea.KeyCtrlW)}, "one ", 4},
		{"word by word", "one two", []tea.KeyMsg{alt('b'), alt('b'), alt('f'), typed("!")}, "one! two", 4},
		{"to the start and the end", "two", []tea.KeyMsg{of(tea.KeyCtrlA), typed("1"), end, typed("3")}, "1two3", 5},
		{"all before the cursor", "one two", []tea.KeyMsg{alt('b'), of(tea.KeyCtrlU)}, "two", 0},
		{"one rune of more than a byte", "äß", []tea.KeyMsg{of(tea.KeyBackspace)}, "ä", 1},
		{"past the ends", "a", []tea.KeyMsg{right, right, typed("b"), home, left, typed("c")}, "cab", 1},
		{"a paste is one line of text", "", []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("a\tb\nc\x1b[m\uFFFD"), Paste: true}}, "a b c[m", 7},
		{"a key without a meaning", "a", []tea.KeyMsg{of(tea.KeyCtrlV), of(tea.KeyTab), of(tea.KeyF5)}, "a", 1},
	} {
		p := Line("", c.text)
		for _, k := range c.keys {
			p.Key(k)
		}
		if p.Text() != c.want || p.input.at != c.at {
			t.Errorf("%s: %q with the cursor at %d, want %q at %d", c.name, p.Text(), p.input.at, c.want, c.at)
		}
	}
}
