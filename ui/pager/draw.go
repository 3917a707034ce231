package pager

import (
	"fmt"
	"strings"

	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/view"
)

func (m *Model) draw() *frame.Frame {
	f := frame.New(m.w, m.h)
	n, whole, err := m.spool.Lines()
	body := f.All().Sub(0, 0, m.w, max(m.h-1, 0))
	m.win.Resize(n, body.H)
	for y := range body.H {
		i := m.win.Top + y
		if i >= n {
			body.Blank(y, m.st.Of(themes.Text))
			break
		}
		m.line(body.Row(y), i)
	}
	m.status(f.All().Sub(0, m.h-1, m.w, 1), n, whole, err)
	return f
}

func (m *Model) line(out *frame.Row, i int) {
	g := style.Plain
	line, k := m.spool.Line(i)
	switch {
	case i == m.win.Cursor:
		g = style.OnCursor
	case k == hunkHead:
		g = style.OnHunk
	}
	base := m.st.On(k.role(), g)
	c := frame.Content{Text: line, Left: m.left, Width: out.Room(), Tab: 8,
		Base: base, Mark: m.st.On(themes.Escape, g), Over: m.st.On(themes.Overflow, g)}
	if m.query.Len() > 0 {
		// A cell is seldom more than four bytes.
		limit := min(len(line), 4*(m.left+out.Room())+m.query.Len())
		for at := 0; ; {
			hit := m.query.Index(line[:limit], at)
			if hit < 0 {
				break
			}
			at = hit + m.query.Len()
			c.Spans = append(c.Spans, frame.Span{From: hit, To: at, Style: m.st.On(themes.Found, g)})
		}
	}
	out.Content(c)
	out.End(base)
}

// status draws where we are, or what was said or is typed.
func (m *Model) status(a frame.Area, n int, whole bool, err error) {
	bar := m.st.Of(themes.Bar)
	out := a.Row(0)
	switch {
	case m.typing != nil:
		out.Text(bar, " /"+*m.typing)
	case m.said != "":
		out.Text(bar, " "+m.said)
	case err != nil:
		out.Text(m.st.On(themes.Bad, style.OnBar), " "+err.Error())
	default:
		words := fmt.Sprintf("line %d of %d", min(m.win.Cursor+1, n), n)
		if !whole {
			words += "… "
		}
		words += "  ? keys  q quits "
		out.Text(bar, " ").CutLeft(bar, m.where(), max(out.Room()-frame.Width(words)-1, 6))
		out.Right(m.st.On(themes.Muted, style.OnBar), words)
	}
	out.End(bar)
}

// where is the file that the cursor is in.
func (m *Model) where() string {
	if m.win.Len == 0 {
		return "waiting for text"
	}
	at := m.spool.next(m.win.Cursor, -1, fileHead, commit)
	if at < 0 {
		return view.Count(m.win.Len, "line")
	}
	line, _ := m.spool.Line(at)
	return fileOf(string(line[:min(len(line), longestHead)]))
}

// longestHead is the bytes of a file's header that are looked at: two paths.
const longestHead = 8 << 10

// fileOf is the path in a header of git's, both where they differ, any other header
// as it is.
func fileOf(line string) string {
	paths, ok := strings.CutPrefix(line, "diff --git ")
	if half := len(paths) / 2; ok && len(paths) > 5 && paths[half] == ' ' && strings.HasPrefix(paths, "a/") &&
		strings.HasPrefix(paths[half+1:], "b/") && paths[2:half] == paths[half+3:] {
		return paths[2:half]
	}
	return paths
}
