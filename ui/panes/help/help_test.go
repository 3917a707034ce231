package help_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/keymap"
	"overturn/ui/panes/help"
	"overturn/ui/style"
)

// TestShortKeepsTheLastKey: where there is no room, the keys in the middle go, and
// the one that leads to all others stays.
func TestShortKeepsTheLastKey(t *testing.T) {
	keys, st := keymap.New(), style.New(themes.Mono(), termenv.Ascii)
	intents := []keymap.Intent{keymap.Open, keymap.StageFile, keymap.Plan, keymap.Card, keymap.Help}
	all := ansi.Strip(help.Short(keys, st, 200, intents...))
	for width := ansi.StringWidth(all); width >= 6; width-- {
		text := ansi.Strip(help.Short(keys, st, width, intents...))
		if ansi.StringWidth(text) > width || !strings.HasSuffix(text, "? help") {
			t.Errorf("%d cells: %q", width, text)
		}
	}
}
