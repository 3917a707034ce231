package scroll_test

import (
	"math/rand/v2"
	"testing"

	"overturn/ui/scroll"
)

func TestWindowNeverLeavesItsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var w scroll.Window
		for range 30 {
			switch rng.IntN(5) {
			case 0:
				w.Resize(rng.IntN(50), rng.IntN(20))
			case 1:
				w.Move(rng.IntN(41) - 20)
			case 2:
				w.Scroll(rng.IntN(41) - 20)
			case 3:
				w.Page(rng.IntN(5) - 2)
			case 4:
				w.Place(rng.IntN(60), rng.IntN(20))
			}
			if w.Top < 0 || w.Top > max(w.Len-w.Height, 0) {
				t.Fatalf("window off its rows: %+v", w)
			}
			if w.Len > 0 && (w.Cursor < 0 || w.Cursor >= w.Len) {
				t.Fatalf("cursor off its rows: %+v", w)
			}
			if w.Len > 0 && w.Height > 0 && (w.Cursor < w.Top || w.Cursor >= w.Top+w.Height) {
				t.Fatalf("cursor out of the window: %+v", w)
			}
		}
	}
}

func TestMarginAndScroll(t *testing.T) {
	var w scroll.Window
	w.Resize(100, 20)
	w.To(18)
	if w.Top != 2 {
		t.Errorf("no margin is kept below: %+v", w)
	}
	w.Scroll(5)
	if w.Cursor != 18 || w.Top != 7 {
		t.Errorf("scrolling moved the cursor: %+v", w)
	}
	w.Scroll(50)
	if w.Cursor != 57 {
		t.Errorf("the cursor did not stay in the window: %+v", w)
	}
	w.To(99)
	if w.Top != 80 {
		t.Errorf("empty rows are shown: %+v", w)
	}
}
