package ui_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/ui"
	"overturn/ui/keymap"
	"overturn/ui/uitest"
)

// message is a key of the catalogue as the terminal sends it.
func message(t *testing.T, key string) tea.KeyMsg {
	t.Helper()
	rest, alt := strings.CutPrefix(key, "alt+")
	for i := tea.KeyType(-100); i < 128; i++ {
		if i.String() == rest && i != tea.KeyRunes && rest != " " {
			return tea.KeyMsg{Type: i, Alt: alt}
		}
	}
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest), Alt: alt}
	if k.String() != key {
		t.Fatalf("%q cannot be sent: it would be %q", key, k.String())
	}
	return k
}

// ways lead to each place in which keys hold.
func ways() map[keymap.Place][]string {
	return map[keymap.Place][]string{
		keymap.Everywhere: {"j", "j"},
		keymap.InReview:   {"j", "j", "j"},
		keymap.InDiff:     {"j", "j", "j", "<enter>", "]", "j", "j"},
		keymap.InPlan:     {"j", "j", "X", "P"},
		keymap.InHistory:  {"o"},
		keymap.InHelp:     {"?"},
		keymap.InComments: {"j", "j", "j", "c", "why?", "<enter>", "C"},
	}
}

// Every key of the catalogue in the place in which it holds, those that hold everywhere
// in a small plan too: each frame on the way is whole (uitest.Show), and nothing is
// written. The screen shows that the key was taken.
func TestEveryKey(t *testing.T) {
	still := map[keymap.Intent]string{
		keymap.Suspend: "says so", keymap.Redraw: "the same screen again", keymap.Left: "nothing to the left", keymap.Refresh: "says so",
	}
	seen := map[keymap.Intent]bool{}
	for place, way := range ways() {
		for _, c := range keymap.New().Commands() {
			size := [2]int{120, 36}
			if c.Place == keymap.Everywhere && place == keymap.InPlan {
				size = [2]int{60, 12}
			} else if c.Place != place {
				continue
			}
			for _, key := range c.Keys {
				if pressed(t, way, size, message(t, key)) {
					seen[c.Intent] = true
				}
			}
		}
	}
	for _, c := range keymap.New().Commands() {
		if ways()[c.Place] == nil {
			t.Errorf("%s holds in a place that is not tried", c.Intent)
		}
		if !seen[c.Intent] && still[c.Intent] == "" {
			t.Errorf("%s (%s) does nothing that is seen", c.Intent, c.Shown)
		}
	}
}

// pressed presses a key behind a way, and tells whether the review changed.
func pressed(t *testing.T, way []string, size [2]int, key tea.KeyMsg) bool {
	t.Helper()
	e := uitest.Shop()
	r := uitest.Open(t, e, size[0], size[1], func(c *ui.Config) { c.Mouse = func(bool) {} })
	r.Press(way...)
	before := r.Text()
	styles := fmt.Sprint(r.Term.Snapshot(nil))
	r.After(600e6)
	r.Send(key)
	r.After(600e6)
	if len(e.Calls) > 0 {
		t.Errorf("%s wrote: %v", key, e.Calls)
	}
	return r.Quit || r.Text() != before || fmt.Sprint(r.Term.Snapshot(nil)) != styles
}
