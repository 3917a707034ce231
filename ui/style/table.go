package style

import (
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"overturn/themes"
)

// Reset ends every style.
const Reset = "\x1b[m"

// Ground is what lies under a row: nothing, or a highlight that every style in
// the row has to be drawn upon.
type Ground int

// The grounds.
const (
	Plain    Ground = iota
	OnCursor        // the cursor's row, pane in focus
	OnShadow        // the cursor's row, pane not in focus
	OnSelect        // inside a visual range
	OnBar           // header, timeline and status rows
	OnTitle         // a pane's title row
	OnTitleOn
	OnBox  // dialogs
	OnHunk // a hunk's header
	OnAdd  // an added line
	OnDel  // a removed line
	grounds
)

// Table holds the sequence of every role on every ground, each made when it is
// drawn first. It is the event loop's alone.
type Table struct {
	Theme    themes.Theme
	Profile  termenv.Profile
	under    [grounds]themes.Paint
	sgr      [themes.Roles][grounds]string
	renderer *lipgloss.Renderer
}

// New makes the table of a theme at a colour depth.
func New(theme themes.Theme, p termenv.Profile) *Table {
	t := &Table{Theme: theme, Profile: p}
	t.under = [grounds]themes.Paint{OnCursor: theme.Paints[themes.Cursor], OnShadow: theme.Paints[themes.Shadow],
		OnSelect: theme.Paints[themes.Select], OnBar: theme.Paints[themes.Bar], OnTitle: theme.Paints[themes.Title],
		OnTitleOn: theme.Paints[themes.TitleOn], OnBox: theme.Paints[themes.Box], OnHunk: theme.Paints[themes.Hunk],
		OnAdd: theme.Paints[themes.Add], OnDel: theme.Paints[themes.Del], Plain: {Bg: theme.Paints[themes.Text].Bg, Bg256: theme.Paints[themes.Text].Bg256}}
	return t
}

// Of is the sequence of a role on the terminal's own ground.
func (t *Table) Of(r themes.Role) string { return t.On(r, Plain) }

// On is the sequence of a role on a ground.
func (t *Table) On(r themes.Role, g Ground) string {
	s := &t.sgr[r][g]
	if *s == "" {
		p := upon(t.Theme.Paints[r], t.under[g], r, g)
		if t.Profile == termenv.ANSI256 {
			p = lower(p, !glanced(r))
		}
		*s = sequence(p, t.Profile)
	}
	return *s
}

// upon lays paint p over ground g. On the plain ground a role keeps a background
// of its own; words that differ and search hits keep theirs everywhere. A
// reversed ground is one colour, whatever stands on it, but for lines of a diff.
func upon(p, under themes.Paint, role themes.Role, g Ground) themes.Paint {
	marked := role == themes.AddMark || role == themes.DelMark || role == themes.Found
	if under.Bg != "" && !marked && (g != Plain || p.Bg == "") {
		p.Bg, p.Bg256 = under.Bg, under.Bg256
	}
	if (g == OnAdd || g == OnDel) && under.Bg == "" && source(role) {
		p.Fg = under.Fg // a changed line that has no ground shows by its colour alone
	}
	if under.Reverse && !marked && role != themes.Add && role != themes.Del {
		p.Fg, p.Faint = under.Fg, false
	}
	if p.Fg == "" {
		p.Fg = under.Fg
	}
	p.Reverse = p.Reverse != under.Reverse // two reversals would cancel out on the screen
	p.Underline = p.Underline || under.Underline
	return p
}

// source tells the roles of source text.
func source(r themes.Role) bool { return r >= themes.Keyword && r <= themes.Meta }

// glanced tells the roles that are seen rather than read.
func glanced(r themes.Role) bool {
	return r == themes.Rule || r == themes.Edge || r == themes.Number || r == themes.Gap
}

// lower is p in the palette of 256 colours.
func lower(p themes.Paint, read bool) themes.Paint {
	bg, known := parse(p.Bg)
	n := nearest(bg)
	if p.Bg256 != "" {
		n, _ = strconv.Atoi(p.Bg256)
	}
	if known {
		p.Bg = strconv.Itoa(n)
	}
	if fg, ok := parse(p.Fg); ok && known && read {
		p.Fg = strconv.Itoa(readable(fg, n))
	} else if ok {
		p.Fg = strconv.Itoa(nearest(fg))
	}
	return p
}

func sequence(p themes.Paint, depth termenv.Profile) string {
	codes := []string{"0"}
	for _, a := range []struct {
		on   bool
		code string
	}{{p.Bold, "1"}, {p.Faint, "2"}, {p.Italic, "3"}, {p.Underline, "4"}, {p.Reverse, "7"}} {
		if a.on {
			codes = append(codes, a.code)
		}
	}
	if c := colour(p.Fg, depth, false); c != "" {
		codes = append(codes, c)
	}
	if c := colour(p.Bg, depth, true); c != "" {
		codes = append(codes, c)
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

func colour(c string, depth termenv.Profile, background bool) string {
	if c == "" || depth == termenv.Ascii {
		return ""
	}
	return depth.Color(c).Sequence(background)
}

// Lipgloss is a role as lipgloss has it, for small fixed blocks that it lays out.
func (t *Table) Lipgloss(r themes.Role) lipgloss.Style {
	if t.renderer == nil {
		t.renderer = lipgloss.NewRenderer(io.Discard)
		t.renderer.SetColorProfile(t.Profile)
		t.renderer.SetHasDarkBackground(t.Theme.Dark)
	}
	p := t.Theme.Paints[r]
	if p.Bg == "" {
		p.Bg, p.Bg256 = t.under[Plain].Bg, t.under[Plain].Bg256
	}
	if t.Profile == termenv.ANSI256 {
		p = lower(p, !glanced(r))
	}
	s := t.renderer.NewStyle().Bold(p.Bold).Faint(p.Faint).Underline(p.Underline).Reverse(p.Reverse)
	if p.Fg != "" {
		s = s.Foreground(lipgloss.Color(p.Fg))
	}
	if p.Bg != "" {
		s = s.Background(lipgloss.Color(p.Bg))
	}
	return s
}
