package files

import (
	"strconv"
	"strings"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Draw draws the body of the pane.
func (p *Pane) Draw(a frame.Area, st *style.Table, focus bool) {
	p.win.Resize(len(p.rows), a.H)
	for y := range a.H {
		i := p.win.Top + y
		if i >= len(p.rows) {
			a.Blank(y, st.Of(themes.Text))
			return
		}
		g := style.Plain
		if i == p.win.Cursor {
			g = style.OnShadow
			if focus {
				g = style.OnCursor
			}
		}
		p.draw(a.Row(y), st, p.rows[i], g)
	}
}

func (p *Pane) draw(out *frame.Row, st *style.Table, r row, g style.Ground) {
	base, muted := st.On(themes.Text, g), st.On(themes.Muted, g)
	switch {
	case r.noted >= 0:
		n := p.cmp.LeftOut[r.noted]
		out.Text(muted, "  – ").CutLeft(muted, r.name, max(out.Room()/2, 8))
		out.Text(muted, " left out: "+n.Reason).End(base)
	case r.folder:
		sign := "▾"
		if r.folded {
			sign = "▸"
		}
		out.Text(base, strings.Repeat(" ", indent(r.depth))).Glyph(muted, sign).Text(muted, " ")
		p.folder(out, st, r, g)
	default:
		p.file(out, st, r, g)
	}
}

// indent is the blanks before a row; deep trees must not push names away.
func indent(depth int) int { return min(depth, 8) }

// file draws a file: staged mark, what changed, name; counts and owner at the
// right.
func (p *Pane) file(out *frame.Row, st *style.Table, r row, g style.Ground) {
	f := p.cmp.Files[r.file]
	base := st.On(themes.Text, g)
	out.Text(base, strings.Repeat(" ", indent(r.depth)))
	mark := " "
	if s, ok := p.staged[f.Path]; ok {
		mark = "◐"
		if s.Whole() {
			mark = "●"
		}
	}
	role := themes.Staged
	if mark == " " && f.Done() && f.Hunks > 0 {
		mark, role = "✓", themes.Good
	}
	out.Glyph(st.On(role, g), mark)
	out.Text(st.On(changeRole(f.Change), g), view.ChangeLetter(f.Change)).Text(base, " ")
	tail := p.tail(f)
	width := widthOf(tail)
	name := r.name
	if f.Change == model.Renamed && f.OldPath != "" {
		name = string(f.OldPath) + " → " + r.name
	}
	if out.Room()-width < 10 { // too narrow for counts: the name says most
		tail, width = tail[len(tail)-1:], 2
	}
	out.CutLeft(base, name, out.Room()-width)
	out.To(base, out.Col()+out.Room()-width)
	for _, t := range tail {
		out.Text(st.On(t.role, g), t.text)
	}
	out.End(base)
}

type piece struct {
	role themes.Role
	text string
}

// tail is what stands at the right of a file's name, the owner last.
func (p *Pane) tail(f view.File) []piece {
	var list []piece
	if f.Committed || f.Uncommitted {
		word := "  "
		switch {
		case f.Committed && f.Uncommitted:
			word = "cu"
		case f.Committed:
			word = "c "
		case f.Uncommitted:
			word = " u"
		}
		list = append(list, piece{themes.Muted, " " + word})
	}
	if f.Read > 0 && !f.Done() {
		list = append(list, piece{themes.Good, " " + strconv.Itoa(f.Read) + "/" + strconv.Itoa(f.Hunks)})
	}
	switch {
	case f.Binary:
		list = append(list, piece{themes.Muted, " bin"})
	case f.Additions < 0:
		list = append(list, piece{themes.Muted, " ·"})
	default:
		list = counts(list, f.Additions, f.Deletions)
	}
	return append(list, piece{ownerRole(f.Owner), " " + view.OwnerLetter(f.Owner)})
}

// short is a count in at most four cells.
func short(n int) string {
	switch {
	case n < 10000:
		return strconv.Itoa(n)
	case n < 1000000:
		return strconv.Itoa(n/1000) + "k"
	}
	return strconv.Itoa(n/1000000) + "M"
}

func changeRole(c model.Change) themes.Role {
	switch c {
	case model.Added:
		return themes.Plus
	case model.Deleted:
		return themes.Minus
	}
	return themes.Warn
}

func ownerRole(o model.Owner) themes.Role {
	switch o {
	case model.OwnerAgent:
		return themes.Agent
	case model.OwnerUser:
		return themes.User
	case model.OwnerMixed:
		return themes.Mixed
	}
	return themes.Unknown
}
