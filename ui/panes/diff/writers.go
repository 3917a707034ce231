package diff

import (
	"strconv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// writers is the gutter that says who wrote each line.
type writers struct {
	on   bool
	of   *view.Origins // nil while they are looked for
	wide int           // cells of a name
}

// Wrote is who wrote a line: By, where it is known.
type Wrote struct {
	Line   int // from 1
	Old    bool
	By     view.Writer
	Before bool // before the first capture
	Known  bool
}

// ToggleWriters shows who wrote each line, or hides it again; it tells which.
func (p *Pane) ToggleWriters() bool {
	p.wrote.on = !p.wrote.on
	p.fitWrapped()
	return p.wrote.on
}

// Writers tells whether it is shown who wrote each line.
func (p *Pane) Writers() bool { return p.wrote.on }

// SetWriters tells who wrote the lines of the document; nil is not known yet.
func (p *Pane) SetWriters(o *view.Origins) {
	p.wrote.of, p.wrote.wide = o, len("you")
	if o == nil {
		return
	}
	for _, w := range o.By {
		name, _ := p.wrote.spell(w, p.thread)
		p.wrote.wide = max(p.wrote.wide, frame.Width(name))
	}
}

// spell is a writer in a few cells: the turn's number, with a stroke before it where
// the turn is another thread's; "you"; "?" where nobody knows.
func (w *writers) spell(by view.Writer, thread model.ThreadID) (string, themes.Role) {
	switch {
	case by.Owner == model.OwnerUser:
		return "you", themes.User
	case by.Owner != model.OwnerAgent:
		return "?", themes.Unknown
	case thread != "" && by.Thread != thread:
		return "'" + strconv.Itoa(by.Turn), themes.Mixed
	}
	return strconv.Itoa(by.Turn), themes.Agent
}

// cells is the width of the gutter, with the blank behind it.
func (w *writers) cells() int {
	if !w.on {
		return 0
	}
	return max(w.wide, len("you")) + 1
}

// find is what is known of a line of one side, from 0.
func (w *writers) find(line int, old bool) int32 {
	if w.of == nil {
		return view.Untraced
	}
	side := w.of.New
	if old {
		side = w.of.Old
	}
	if line < 0 || line >= len(side) {
		return view.Untraced
	}
	return side[line]
}

// writer draws the gutter of a row, for its line of one side.
func (c *canvas) writer(out *frame.Row, g style.Ground, r row, old, first bool) {
	w := &c.p.wrote
	if !w.on {
		return
	}
	line := r.new
	if old {
		line = r.old
	}
	name, role := "", themes.Muted
	if i := w.find(line, old); first && line >= 0 && w.of != nil {
		switch {
		case i >= 0:
			name, role = w.spell(w.of.By[i], c.p.thread)
		case i == view.BeforeRecords:
			name = "·"
		default:
			name, role = "?", themes.Unknown
		}
	}
	to := out.Col() + w.cells()
	out.To(c.st.On(role, g), to-1-frame.Width(name))
	out.Text(c.st.On(role, g), name+" ")
}

// Wrote is who wrote the line under the cursor; false where there is none, or where
// it is not shown.
func (p *Pane) Wrote() (Wrote, bool) {
	r := p.row()
	if !p.wrote.on || p.wrote.of == nil || r.kind != equal && r.kind != removed && r.kind != added && r.kind != pair {
		return Wrote{}, false
	}
	line, old := r.new, false
	if r.kind == removed {
		line, old = r.old, true
	}
	i := p.wrote.find(line, old)
	w := Wrote{Line: line + 1, Old: old, Before: i == view.BeforeRecords, Known: i >= 0}
	if i >= 0 {
		w.By = p.wrote.of.By[i]
	}
	return w, true
}

// SetBack tells which hunks, by their exact numbers, are not on disk any more.
func (p *Pane) SetBack(numbers []int) {
	p.back = map[int]bool{}
	for _, n := range numbers {
		p.back[n] = true
	}
}
