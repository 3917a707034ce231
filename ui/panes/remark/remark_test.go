package remark_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/panes/remark"
	"overturn/ui/style"
)

func keys() map[string]tea.KeyMsg {
	return map[string]tea.KeyMsg{
		"<enter>": {Type: tea.KeyEnter}, "<esc>": {Type: tea.KeyEsc}, "<alt+enter>": {Type: tea.KeyEnter, Alt: true}, "<c-j>": {Type: tea.KeyCtrlJ},
		"<c-s>": {Type: tea.KeyCtrlS}, "<left>": {Type: tea.KeyLeft}, "<right>": {Type: tea.KeyRight}, "<up>": {Type: tea.KeyUp}, "<down>": {Type: tea.KeyDown},
		"<bs>": {Type: tea.KeyBackspace}, "<del>": {Type: tea.KeyDelete}, "<c-w>": {Type: tea.KeyCtrlW}, "<c-u>": {Type: tea.KeyCtrlU}, "<c-k>": {Type: tea.KeyCtrlK},
		"<home>": {Type: tea.KeyHome}, "<end>": {Type: tea.KeyEnd},
		"<paste>": {Type: tea.KeyRunes, Paste: true, Runes: []rune("q\r\nesc")}, "<space>": {Type: tea.KeySpace, Runes: []rune{' '}},
	}
}

func TestWriting(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"hello", "hello"},
		{"a<alt+enter>b<c-j>c", "a\nb\nc"},
		{"one<space>two<c-w>2", "one 2"},
		{"ab<left>X<home>Y<end>Z", "YaXbZ"},
		{"ab<bs><bs><bs>c", "c"},
		{"abc<home><del>", "bc"},
		{"abc<alt+enter>d<up>X", "aXbc\nd"},
		{"abc<alt+enter>defg<up><up><down><end>!", "abc\ndefg!"},
		{"abc<alt+enter>def<c-u>x", "abc\nx"},
		{"abc<home><right><c-k>", "a"},
		{"x<paste>", "xq\nesc"},
		{"é漢", "é漢"},
	} {
		b := remark.Open("t", "")
		rest := c.typed
		for rest != "" {
			k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(rest)[:1]}
			n := len(string(k.Runes))
			for name, key := range keys() {
				if strings.HasPrefix(rest, name) {
					k, n = key, len(name)
				}
			}
			if v := b.Key(k); v != remark.Waits {
				t.Errorf("%q: verdict %d", c.typed, v)
			}
			rest = rest[n:]
		}
		if b.Text() != c.want {
			t.Errorf("%q gave %q, want %q", c.typed, b.Text(), c.want)
		}
	}
	for key, want := range map[string]remark.Verdict{"<enter>": remark.Kept, "<c-s>": remark.Kept, "<esc>": remark.Left} {
		if got := remark.Open("t", "x").Key(keys()[key]); got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}

// Whatever is typed on whatever screen, nothing breaks, and the cursor is in the frame.
func TestDrawing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	st := style.New(themes.Mono(), termenv.Ascii)
	var all []tea.KeyMsg
	for name, k := range keys() {
		if name != "<enter>" && name != "<esc>" && name != "<c-s>" {
			all = append(all, k)
		}
	}
	for range 300 {
		b := remark.Open(strings.Repeat("long title ", rng.IntN(20)), "")
		for range rng.IntN(60) {
			if rng.IntN(2) == 0 {
				b.Key(all[rng.IntN(len(all))])
			} else {
				b.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune([]string{"a", "漢", "\x1b", "\t", "word ", "👍🏽"}[rng.IntN(6)])})
			}
		}
		f := frame.New(rng.IntN(60)+1, rng.IntN(20)+1)
		for y := range f.H {
			f.All().Blank(y, "")
		}
		b.Draw(f.All(), st)
		if f.CursorX < 0 || f.CursorX >= f.W || f.CursorY < 0 || f.CursorY >= f.H {
			t.Fatalf("the cursor is at %d,%d of %d×%d", f.CursorX, f.CursorY, f.W, f.H)
		}
	}
}
