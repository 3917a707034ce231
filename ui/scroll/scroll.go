// Package scroll keeps a cursor and a window over rows that are numbered from 0.
//
// Invariants: with rows there are, the cursor is on one of them and the window
// shows no more empty rows than it must; moving the cursor brings it into the
// window, scrolling leaves it where it is. A crash leaves nothing behind.
package scroll

// Window is a window of Height rows over Len rows.
type Window struct {
	Top, Cursor, Len, Height int
}

// Margin is the rows kept in view above and below a moving cursor.
const Margin = 3

// Resize tells how many rows there are and how many the window shows.
func (w *Window) Resize(length, height int) {
	if w.Len == length && w.Height == height {
		return
	}
	w.Len, w.Height = length, height
	w.Cursor = between(w.Cursor, 0, length-1)
	w.Top = between(w.Top, 0, length-height)
	if w.Cursor < w.Top || w.Cursor >= w.Top+height {
		w.follow()
	}
}

// Move moves the cursor by n rows.
func (w *Window) Move(n int) { w.To(w.Cursor + n) }

// To moves the cursor to row i.
func (w *Window) To(i int) {
	w.Cursor = between(i, 0, w.Len-1)
	w.follow()
}

// Place moves the cursor to row i and the window so that it stands on screen
// row y, as far as there are rows.
func (w *Window) Place(i, y int) {
	w.Cursor = between(i, 0, w.Len-1)
	w.Top = between(w.Cursor-y, 0, w.Len-w.Height)
	w.follow()
}

// Scroll moves the window by n rows and leaves the cursor, unless it would be
// out of the window: then it goes to the window's edge.
func (w *Window) Scroll(n int) {
	w.Top = between(w.Top+n, 0, w.Len-w.Height)
	w.Cursor = between(between(w.Cursor, w.Top, w.Top+w.Height-1), 0, w.Len-1)
}

// Page moves window and cursor by n windows' halves.
func (w *Window) Page(halves int) {
	n := halves * max(w.Height/2, 1)
	y := w.Cursor - w.Top
	w.Place(w.Cursor+n, y)
}

func (w *Window) follow() {
	margin := min(Margin, max((w.Height-1)/2, 0))
	w.Top = between(w.Top, w.Cursor-w.Height+1+margin, w.Cursor-margin)
	w.Top = between(w.Top, 0, w.Len-w.Height)
}

// between is i within lo and hi; lo where hi is smaller.
func between(i, lo, hi int) int { return max(min(i, hi), lo) }
