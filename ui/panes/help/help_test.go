package help_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/panes/help"
	"overturn/ui/style"
	"overturn/ui/terminal"
	"overturn/ui/uitest/vt"
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

// Nothing in the help is wrapped, however narrow it is: each row begins with its key.
func TestHelpIsCutNotWrapped(t *testing.T) {
	keys, problems := keymap.Remap([]keymap.Bound{{Intent: keymap.Plan, Keys: []string{"ctrl+p", "alt+pgdown", "f5"}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	rows := 0
	for _, w := range []int{30, 46, 80, 93, 120, 140, 200} {
		var p help.Pane
		f := frame.New(w, 200)
		p.Draw(f.All(), style.New(themes.Mono(), termenv.Ascii), keys)
		term := vt.New(w, 200)
		term.Feed(terminal.Encode(nil, nil, f, false))
		text := term.Text()
		if w == 30 {
			rows = strings.Count(strings.TrimRight(text, "\n "), "\n")
		} else if w < 92 && strings.Count(strings.TrimRight(text, "\n "), "\n") != rows {
			t.Errorf("in %d columns the help has other rows than in 30:\n%s", w, text)
		}
		if w > 60 && !strings.Contains(text, "ctrl+p alt+PgDn F5 plan of what") {
			t.Errorf("%d columns:\n%s", w, text)
		}
	}
}

// A row is marked as cut where text is missing, not where blanks are.
func TestHelpMarksWhatIsCut(t *testing.T) {
	for w, want := range map[int][]string{40: {" 3 latest turn\n", " 1 working tree: HEAD to what is on di…\n"}, 44: {" 1 working tree: HEAD to what is on disk\n"}} {
		var p help.Pane
		f := frame.New(w, 40)
		p.Draw(f.All(), style.New(themes.Dusk(), termenv.TrueColor), keymap.New())
		term := vt.New(w, 40)
		term.Feed(terminal.Encode(nil, nil, f, false))
		for _, row := range want {
			if !strings.Contains(term.Text(), row) {
				t.Errorf("in %d columns %q is not among\n%s", w, row, term.Text())
			}
		}
	}
}
