package confirm

import (
	"strconv"
	"strings"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
)

// Draw draws the dialog in the middle of a.
func (d *Dialog) Draw(a frame.Area, st *style.Table) {
	w := min(a.W-2, 86)
	if w < 24 {
		w = a.W
	}
	inner := max(w-4, 1)
	lines := d.ask.Lines(inner)
	extra := 0
	if d.running() != "" || d.ask.Other != nil {
		extra = 1
	}
	body := min(len(lines), max(a.H-7-extra, 1))
	h := min(body+6+extra, a.H)
	box := a.Sub((a.W-w)/2, (a.H-h)/2, w, h).Overlay()
	edge, text := st.On(themes.Edge, style.OnBox), st.On(themes.Text, style.OnBox)
	rule := strings.Repeat("─", max(w-2, 0))
	box.Row(0).Text(edge, "╭"+rule+"╮").End(edge)
	framed(box, 1, edge, text, func(r *frame.Row) { r.Text(st.On(themes.Strong, style.OnBox), d.ask.Title) })
	framed(box, 2, edge, text, func(*frame.Row) {})
	for y := range body {
		i := min(y+d.top(len(lines), body), len(lines)-1)
		framed(box, 3+y, edge, text, func(r *frame.Row) {
			for _, word := range lines[i].Words {
				r.Text(st.On(word.Role, style.OnBox), word.Text)
			}
		})
	}
	framed(box, 3+body, edge, text, func(*frame.Row) {})
	if extra > 0 {
		framed(box, 4+body, edge, text, func(r *frame.Row) { d.when(r, st) })
	}
	framed(box, 4+body+extra, edge, text, func(r *frame.Row) { d.question(r, st) })
	if h > body+5+extra {
		box.Row(5+body+extra).Text(edge, "╰"+rule+"╯").End(edge)
	}
}

// top follows the list's own window, whose size is only known here.
func (d *Dialog) top(lines, height int) int { return d.list.Top(lines, height) }

// framed draws a row between the borders.
func framed(box frame.Area, y int, edge, text string, draw func(*frame.Row)) {
	if y >= box.H {
		return
	}
	box.Sub(0, y, 2, 1).Row(0).Text(edge, "│ ").End(edge)
	in := box.Sub(2, y, box.W-4, 1)
	if in.W > 0 {
		r := in.Row(0)
		draw(r)
		r.End(text)
	}
	box.Sub(max(box.W-2, 2), y, 2, 1).Row(0).Text(edge, " │").End(edge)
}

// when says whether it is done at once or waits, or what may be asked instead.
func (d *Dialog) when(r *frame.Row, st *style.Table) {
	text, key := st.On(themes.Text, style.OnBox), st.On(themes.Accent, style.OnBox)
	if d.ask.Other != nil {
		r.Text(key, d.ask.Other.Key).Text(text, " "+d.ask.Other.Words)
		return
	}
	if d.Waits() {
		r.Text(st.On(themes.Staged, style.OnBox), "● at the end of "+d.running()+", by this review").Text(text, "   ").Text(key, "w").Text(text, " at once instead")
		return
	}
	r.Text(st.On(themes.Warn, style.OnBox), d.running()+" runs").Text(text, "   ").Text(key, "w").Text(text, " waits for its end")
}

// question says what confirms; Cancel is what is chosen.
func (d *Dialog) question(r *frame.Row, st *style.Table) {
	text, key := st.On(themes.Text, style.OnBox), st.On(themes.Accent, style.OnBox)
	number := strconv.Itoa(d.ask.Number)
	if shortest := len("type : ") + 2*len(number) + 1; d.ask.Number == 0 || r.Room() >= len(" Cancel  Esc    ")+shortest {
		r.Text(st.Of(themes.TitleOn), " Cancel ").Text(text, " Esc    ")
	}
	if d.ask.Number == 0 {
		r.Text(key, "y").Text(text, " "+d.verb())
		if d.latin {
			r.Text(st.On(themes.Warn, style.OnBox), "   y confirms, in Latin letters")
		}
		return
	}
	words := fitting(r.Room()-2*len(number)-1, " to "+d.verb()+", without Enter: ", " to "+d.verb()+": ", ": ")
	r.Text(text, "type ").Text(key, number).Text(text, words)
	r.Text(st.On(themes.Strong, style.OnBox), d.input.Value()+"▏")
}

// fitting is the first of the wordings that fits into room cells after "type ", the last
// where none does.
func fitting(room int, wordings ...string) string {
	for _, w := range wordings {
		if frame.Width("type "+w) <= room {
			return w
		}
	}
	return wordings[len(wordings)-1]
}

func (d *Dialog) verb() string {
	if d.Waits() {
		return d.ask.Verb + " then"
	}
	return d.ask.Verb
}
