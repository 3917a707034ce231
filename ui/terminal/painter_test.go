package terminal_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"overturn/ui/frame"
	"overturn/ui/terminal"
	"overturn/ui/uitest/vt"
)

var words = []string{"plain", "wörter", "日本語", "👨‍👩‍👧 ok", "esc \x1b[2J", "e\u0301a", "x", "", "⚠️ sign"}

// picture draws two panes of random words, now and then with a box above them.
func picture(rng *rand.Rand, w, h int) *frame.Frame {
	f := frame.New(w, h)
	left := f.All().Sub(0, 0, w/3, h)
	right := f.All().Sub(w/3, 0, w-w/3, h)
	for y := range h {
		for _, a := range []frame.Area{left, right} {
			style := fmt.Sprintf("\x1b[0;3%dm", rng.IntN(3)+1)
			a.Row(y).Text(style, words[rng.IntN(len(words))]+" "+words[rng.IntN(len(words))]).End(style)
		}
	}
	if rng.IntN(3) == 0 {
		box := f.All().Sub(w/4, h/4, w/2, h/2).Overlay()
		for y := range box.H {
			box.Row(y).Text("\x1b[0;7m", words[rng.IntN(len(words))]).End("\x1b[0;7m")
		}
	}
	if rng.IntN(2) == 0 {
		f.All().Cursor(rng.IntN(w), rng.IntN(h))
	}
	return f
}

// Whatever was on the screen, the changed parts alone give the same picture as
// the whole frame.
func TestChangedPartsGiveTheWholePicture(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		steps := vt.New(40, 8)
		steps.Feed([]byte("\x1b[?7l"))
		var shown *frame.Frame
		for step := range 30 {
			next := picture(rng, 40, 8)
			if rng.IntN(4) == 0 && shown != nil {
				next = shown
			}
			steps.Feed(terminal.Encode(nil, shown, next, true))
			whole := vt.New(40, 8)
			whole.Feed([]byte("\x1b[?7l"))
			whole.Feed(terminal.Encode(nil, nil, next, true))
			if got, want := cells(steps), cells(whole); got != want {
				t.Fatalf("seed %d step %d: the screen is\n%s\nnot\n%s", seed, step, steps.Text(), whole.Text())
			}
			shown = next
		}
	}
}

func cells(t *vt.Term) string { return fmt.Sprint(t.Snapshot(nil)) }

func TestNothingNewSendsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	a := picture(rng, 30, 5)
	rng = rand.New(rand.NewPCG(1, 1))
	b := picture(rng, 30, 5)
	if out := terminal.Encode(nil, a, b, true); len(out) != 0 && a.CursorX < 0 {
		t.Errorf("%q was sent", out)
	}
}

func TestFramesAreBracketed(t *testing.T) {
	f := picture(rand.New(rand.NewPCG(1, 2)), 30, 5)
	out := string(terminal.Encode(nil, nil, f, true))
	if !strings.HasPrefix(out, "\x1b[?2026h") || !strings.HasSuffix(out, "\x1b[?2026l") {
		t.Errorf("no synchronised output: %q", out)
	}
	if out := string(terminal.Encode(nil, nil, f, false)); strings.Contains(out, "2026") {
		t.Errorf("synchronised output was turned off: %q", out)
	}
}
