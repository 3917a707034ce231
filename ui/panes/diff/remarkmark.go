package diff

import (
	"bytes"
	"slices"
	"strings"

	"overturn/model/legible"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
)

// remarkMark stands in the gutter of a line that was commented on.
const remarkMark = "◆"

// mark draws the first cell of a row: that it was commented on, else what is staged.
func (c *canvas) mark(out *frame.Row, g style.Ground, staged string, remarked bool) {
	if remarked {
		out.Glyph(c.st.On(themes.Accent, g), remarkMark)
		return
	}
	out.Glyph(c.st.On(themes.Staged, g), staged)
}

// onHalf tells whether a line of one half of a split row was commented on; line is -1
// where the half shows none.
func (m *remarks) onHalf(r row, old bool, line int) bool {
	if len(m.list) == 0 || line < 0 || !old && line != r.new {
		return false
	}
	return len(m.lines[spot{old, line}]) > 0
}

// goesOn tells whether comment i stands on the line above too: its words stand there.
func (m *remarks) goesOn(r row, i int) bool {
	above := func(old bool, line int) bool {
		return slices.Contains(m.lines[spot{old, line}], i) && slices.Contains(m.lines[spot{old, line - 1}], i)
	}
	return above(false, r.new) || above(true, r.old)
}

// Cells that a comment needs behind its line to be worth showing, and the gap before it.
const (
	saidLeast = 14
	saidGap   = 1
)

// said is the first words of the comment on a row, where there is room for them behind
// the line's text, and the cells that the text keeps.
func (c *canvas) said(r row, l line) (text string, width int) {
	on := c.p.remarks.of(r)
	if len(on) == 0 || c.p.remarks.goesOn(r, on[0]) {
		return "", c.text
	}
	shown := l.text[:min(len(l.text), 4*c.text)]
	need := max(frame.Width(string(shown))+Tab*bytes.Count(shown, []byte{'\t'})-c.p.left, 0) + saidGap
	if c.text-need < saidLeast {
		return "", c.text
	}
	words := strings.Join(strings.Fields(c.p.remarks.list[on[0]].Text), " ")
	return "  " + remarkMark + " " + legible.Line(words), need
}
