package frame

// Part is a stretch of a row, ready for the terminal. Wild: terminals may
// disagree on its width while it is drawn. Over: it covers what lies below it.
type Part struct {
	Col, End   int
	Text       []byte // not to be changed
	Wild, Over bool
}

// Frame is one picture. Draw into areas, then hand it on; it is not changed
// afterwards.
type Frame struct {
	W, H    int
	rows    [][]Part
	row     Row
	store   []byte // where the texts of parts are kept
	CursorX int    // where the terminal's own cursor is shown, or -1
	CursorY int
}

// New makes an empty picture. A size below 1×1 is 1×1.
func New(w, h int) *Frame {
	w, h = max(w, 1), max(h, 1)
	f := &Frame{W: w, H: h, rows: make([][]Part, h), CursorX: -1}
	parts := make([]Part, 4*h)
	for i := range f.rows {
		f.rows[i] = parts[4*i : 4*i : 4*i+4]
	}
	return f
}

// storeSize is the bytes that are asked for at once to keep texts in.
const storeSize = 16 << 10

// keep copies b to where it stays.
func (f *Frame) keep(b []byte) []byte {
	if len(f.store)+len(b) > cap(f.store) {
		f.store = make([]byte, 0, max(storeSize, len(b)))
	}
	from := len(f.store)
	f.store = append(f.store, b...)
	return f.store[from:len(f.store):len(f.store)]
}

// Parts are the parts of row y, in the order in which they are to be drawn.
func (f *Frame) Parts(y int) []Part { return f.rows[y] }

// All is the area of the whole frame.
func (f *Frame) All() Area { return Area{f: f, W: f.W, H: f.H} }

// Area is a rectangle to draw in, by its own coordinates.
type Area struct {
	f    *Frame
	X, Y int
	W, H int
	over bool
}

// Sub is a rectangle within a, cut to it.
func (a Area) Sub(x, y, w, h int) Area {
	x, y = min(max(x, 0), a.W), min(max(y, 0), a.H)
	w, h = min(max(w, 0), a.W-x), min(max(h, 0), a.H-y)
	return Area{a.f, a.X + x, a.Y + y, w, h, a.over}
}

// Overlay is a, drawn above what is there.
func (a Area) Overlay() Area {
	a.over = true
	return a
}

// Contains tells whether the cell of the screen lies in a.
func (a Area) Contains(x, y int) bool { return x >= a.X && x < a.X+a.W && y >= a.Y && y < a.Y+a.H }

// Row begins row y of the area; End finishes it. There is one row at a time. A
// row outside of the area is drawn nowhere.
func (a Area) Row(y int) *Row {
	r := &a.f.row // its fields are set one by one: it is done for every row
	r.frame, r.y, r.from, r.col, r.limit = a.f, a.Y+y, a.X, a.X, a.X+a.W
	r.buf, r.sgr, r.wild, r.over = r.buf[:0], "", false, a.over
	return r
}

// Blank fills rows from to H with the style. They are one text.
func (a Area) Blank(from int, style string) {
	if from >= a.H {
		return
	}
	a.Row(from).End(style)
	rows := a.f.rows
	first := rows[a.Y+from]
	for y := from + 1; y < a.H; y++ {
		rows[a.Y+y] = append(rows[a.Y+y], first[len(first)-1])
	}
}

// Rule draws a one-cell glyph of our own down the first column.
func (a Area) Rule(style, glyph string) {
	for y := range a.H {
		a.Row(y).Glyph(style, glyph).End(style)
	}
}

// Cursor shows the terminal's cursor at a cell of the area.
func (a Area) Cursor(x, y int) {
	if x < a.W && y < a.H {
		a.f.CursorX, a.f.CursorY = a.X+x, a.Y+y
	}
}
