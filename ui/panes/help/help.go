package help

import (
	"strings"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/scroll"
	"overturn/ui/style"
)

// Pane is the help.
type Pane struct {
	win   scroll.Window
	rows  []string
	made  *style.Table // the table and width that rows were made for
	width int
	notes []string // what of the user's settings does not hold
	query string
	found []found // the commands that the query means, best first
}

// SetNotes tells what of the user's settings does not hold.
func (p *Pane) SetNotes(notes []string) { p.notes, p.made = notes, nil }

// Draw draws the help of a catalogue.
func (p *Pane) Draw(a frame.Area, st *style.Table, m *keymap.Map) {
	if p.query != "" {
		p.drawFound(a, st)
		return
	}
	if p.made != st || p.width != a.W {
		p.rows, p.made, p.width = render(m, st, a.W, p.notes), st, a.W
	}
	p.win.Resize(len(p.rows), a.H)
	for y := range a.H {
		out := a.Row(y)
		if i := p.win.Top + y; i < len(p.rows) {
			out.Text(st.Of(themes.Text), " ").Styled(st.Of(themes.Text), p.rows[i])
		}
		out.End(st.Of(themes.Text))
	}
}

// Scroll moves the window by n rows.
func (p *Pane) Scroll(n int) { p.win.Scroll(n) }

// Page moves by halves of the window.
func (p *Pane) Page(halves int) { p.win.Scroll(halves * max(p.win.Height/2, 1)) }

// To shows the first row, or the last for -1.
func (p *Pane) To(i int) {
	if i < 0 {
		i = p.win.Len
	}
	p.win.Scroll(i - p.win.Top)
}

// render lays the groups out in as many columns as fit.
func render(m *keymap.Map, st *style.Table, width int, notes []string) []string {
	var blocks []string
	for _, g := range keymap.Groups() {
		blocks = append(blocks, block(m, st, g))
	}
	const narrowest = 46 // of a column, where there is more than one
	cols := max(min(width/narrowest, 3), 1)
	column := max(width/cols-1, 1)
	per := (len(blocks) + cols - 1) / cols
	var parts []string
	for len(blocks) > 0 {
		n := min(per, len(blocks))
		parts = append(parts, lipgloss.NewStyle().Width(column).Render(cut(lipgloss.JoinVertical(lipgloss.Left, blocks[:n]...), column-1)))
		blocks = blocks[n:]
	}
	text := lipgloss.JoinHorizontal(lipgloss.Top, parts...)
	rows := strings.Split(text, "\n")
	muted, warn := st.Lipgloss(themes.Muted), st.Lipgloss(themes.Warn)
	if len(notes) > 0 {
		rows = append(rows, warn.Render("Settings that do not hold (overturn config tells more):"))
	}
	for _, n := range notes {
		rows = append(rows, "  "+frame.Safe(n))
	}
	return append(rows,
		"",
		muted.Render("Owners:  A  agent   U  user   X  mixed   ?  unknown"),
		muted.Render("Turns:   R  ready   M  missing   E  error   O  open"),
		muted.Render("Branch:  c  committed   u  uncommitted   cu  both"),
		muted.Render("Hold Shift (Option in iTerm2) to select text with the mouse."))
}

// cut cuts lines that are longer than width: wrapped they would part a key from its
// title. The blanks that fill a column up are styled too, and no text that is missed.
func cut(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		tail := "…"
		if ansi.StringWidth(strings.TrimRight(ansi.Strip(l), " ")) <= width {
			tail = ""
		}
		lines[i] = ansi.Truncate(l, width, tail)
	}
	return strings.Join(lines, "\n")
}

// block is a group: bubbles' help renders its keys.
func block(m *keymap.Map, st *style.Table, g keymap.Group) string {
	var list []key.Binding
	for _, c := range m.Commands() {
		if c.Group == g {
			list = append(list, c.Binding())
		}
	}
	h := help.New()
	h.Styles.FullKey = st.Lipgloss(themes.Accent)
	h.Styles.FullDesc = st.Lipgloss(themes.Text)
	h.ShowAll = true
	return st.Lipgloss(themes.Strong).Render(string(g)) + "\n" + h.FullHelpView([][]key.Binding{list}) + "\n"
}

// Short is the most useful keys of a place in one line, at most width cells.
func Short(m *keymap.Map, st *style.Table, width int, intents ...keymap.Intent) string {
	var list []key.Binding
	for _, i := range intents {
		if c, ok := m.Command(i); ok {
			list = append(list, c.Short())
		}
	}
	h := help.New()
	bar := st.Lipgloss(themes.Bar)
	h.Styles.ShortKey, h.Styles.ShortDesc = st.Lipgloss(themes.BarKey), bar
	h.Styles.ShortSeparator, h.Styles.Ellipsis = bar, bar
	h.ShortSeparator = "  "
	for {
		text := h.ShortHelpView(list)
		if len(list) < 2 || lipgloss.Width(text) <= width {
			h.Width = width
			return h.ShortHelpView(list)
		}
		// The last leads on (all keys, or back): the ones before it go first.
		list = append(list[:len(list)-2], list[len(list)-1])
	}
}
