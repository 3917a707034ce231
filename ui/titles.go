package ui

import (
	"fmt"
	"slices"
	"strings"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/view"
)

// drawFilesTitle says how many files and lines changed and how many hunks are left
// to read. A number that is cut is a lie: what is left is said shorter where the
// list is narrow, at last in the place of the lines.
func (m *Model) drawFilesTitle(a frame.Area) {
	g := m.titleGround(!m.inDiff)
	base, muted := m.st.On(themes.Text, g), m.st.On(themes.Muted, g)
	out := a.Row(0)
	count, whose := " "+view.Count(len(m.cmp.Files), "file"), ""
	if m.only {
		_, of := m.files.Position()
		count, whose = fmt.Sprintf(" %d of", of)+count, " agent's"
	}
	plus, minus, more := m.sumWords()
	left, short := m.leftWords()
	room := out.Room() - frame.Width(count+whose+plus+minus+more)
	switch {
	case frame.Width(left) <= room:
	case frame.Width(short) <= room:
		left = short
	default:
		left, room = short, room+frame.Width(plus+minus+more)
		plus, minus, more = "", "", ""
		if m.only && frame.Width(left) > room {
			count = strings.TrimSuffix(strings.TrimSuffix(count, "s"), " file")
		}
	}
	out.Text(base, count).Text(m.st.On(themes.Agent, g), whose)
	out.Text(m.st.On(themes.Plus, g), plus).Text(m.st.On(themes.Minus, g), minus)
	out.Text(muted, more).Text(muted, left)
	if n := len(m.cmp.LeftOut); n > 0 && !m.only {
		out.Right(m.st.On(themes.Warn, g), fmt.Sprintf("%d left out ", n))
	}
	out.End(base)
}

// sumWords are the lines that came and went, "" where they are not told; more says
// that some are not counted yet.
func (m *Model) sumWords() (plus, minus, more string) {
	t := m.sum
	if m.only || t.adds+t.dels == 0 {
		return "", "", ""
	}
	if !t.sure {
		more = " …"
	}
	return fmt.Sprintf("  +%d", t.adds), fmt.Sprintf(" −%d", t.dels), more
}

func (m *Model) drawDiffTitle(a frame.Area) {
	g := m.titleGround(m.inDiff)
	base, muted := m.st.On(themes.Text, g), m.st.On(themes.Muted, g)
	out := a.Row(0)
	doc := m.diff.Document()
	if m.shown.index < 0 && doc == nil || m.shown.path == "" {
		out.End(base)
		return
	}
	tail := ""
	if at, of := m.diff.Position(); of > 0 && !m.shown.waiting {
		tail = fmt.Sprintf("hunk %d/%d ", at, of)
		if doc.HiddenSpace > 0 {
			tail = fmt.Sprintf("%d whitespace hidden · ", doc.HiddenSpace) + tail
		}
	}
	room := out.Room() - frame.Width(tail) - 2
	out.Text(base, " ")
	if m.shown.waiting {
		out.Text(muted, "reading ")
	}
	out.CutLeft(base, string(m.shown.path), max(room, 10))
	if word := m.fileWords(out.Room() - frame.Width(tail) - 5); word != "" {
		out.Text(muted, "  "+word)
	}
	out.Right(muted, tail).End(base)
}

// fileWords says in words what the list says in letters, in at most room cells: what
// can be seen elsewhere goes first, the kind of the change last.
func (m *Model) fileWords(room int) string {
	if m.cmp == nil || m.shown.index < 0 || m.shown.index >= len(m.cmp.Files) {
		return ""
	}
	f := &m.cmp.Files[m.shown.index]
	kind := string(f.Change)
	if f.Change == model.ModeOnly {
		kind = "permissions"
	}
	from, commits := "", ""
	if f.OldPath != "" {
		from = " from " + string(f.OldPath)
	}
	switch {
	case f.Committed && f.Uncommitted:
		commits = "committed and uncommitted"
	case f.Committed:
		commits = "committed"
	case f.Uncommitted:
		commits = "uncommitted"
	}
	said := ""
	if n := len(m.remarksOn(f)); n > 0 {
		said = view.Count(n, "comment")
	}
	owner, staged := string(f.Owner), m.stagedWords(f)
	for _, words := range [][]string{
		{kind + from, owner, commits, said, staged},
		{kind + from, owner, said, staged},
		{kind, owner, said, staged},
		{kind, owner, staged},
		{kind, owner},
		{kind},
	} {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		if s := strings.Join(words, " · "); frame.Width(s) <= room {
			return s
		}
	}
	return ""
}

// stagedWords say what of a file is staged, and where it was.
func (m *Model) stagedWords(f *view.File) string {
	staged, ok := m.stagedPath(f.Path)
	switch {
	case !ok:
		return ""
	case !staged.Of(m.cmp.Scope):
		return "staged from " + staged.Scope
	case staged.Lines != "":
		return "staged lines " + staged.Lines
	case len(staged.Hunks) > 0:
		return "staged " + view.Count(len(staged.Hunks), "hunk")
	}
	return "staged"
}
