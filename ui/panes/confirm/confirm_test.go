package confirm_test

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui/panes/confirm"
	"overturn/ui/sheet"
)

// TestFirstKeys: in the first moments nothing confirms or closes a question but Esc, which
// may have been held since before it came.
func TestFirstKeys(t *testing.T) {
	opened := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	letter := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }
	esc, enter := tea.KeyMsg{Type: tea.KeyEsc}, tea.KeyMsg{Type: tea.KeyEnter}
	for _, c := range []struct {
		name  string
		key   tea.KeyMsg
		after time.Duration
		want  confirm.Verdict
	}{
		{"Esc at once", esc, 0, confirm.Closed},
		{"Esc in the grace", esc, confirm.Grace / 2, confirm.Closed},
		{"Esc later", esc, 2 * confirm.Grace, confirm.Closed},
		{"y in the grace", letter('y'), confirm.Grace / 2, confirm.Waits},
		{"q in the grace", letter('q'), confirm.Grace / 2, confirm.Waits},
		{"Enter in the grace", enter, confirm.Grace / 2, confirm.Waits},
		{"y later", letter('y'), 2 * confirm.Grace, confirm.Armed},
		{"Enter later", enter, 2 * confirm.Grace, confirm.Closed},
	} {
		ask := confirm.Ask{Title: "Roll back?", Verb: "roll back", Lines: func(int) []sheet.Line { return nil }}
		d := confirm.Open(ask, opened)
		if got := d.Key(c.key, opened.Add(c.after)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
