package ui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui"
	"overturn/ui/frame"
	"overturn/ui/highlight"
	"overturn/ui/style"
	"overturn/ui/terminal"
	"overturn/ui/uitest"
	"overturn/ui/uitest/vt"
)

func withColours(c *ui.Config) { c.Colours = highlight.New() }

// ink is the colour in which text stands on the screen, at its first appearance.
func ink(t *testing.T, term *vt.Term, text string) string {
	t.Helper()
	for _, row := range term.Cells() {
		var line strings.Builder
		for _, c := range row {
			line.WriteRune(c.R)
		}
		if at := strings.Index(line.String(), text); at >= 0 {
			return fmt.Sprintf("#%06x", row[len([]rune(line.String()[:at]))].Style.FG&0xffffff)
		}
	}
	t.Fatalf("no %q on the screen:\n%s", text, term.Text())
	return ""
}

// of is the colour of a role in a theme, as a terminal has it.
func of(theme themes.Theme, r themes.Role) string {
	term := vt.New(1, 1)
	term.Feed([]byte(style.New(theme, termenv.TrueColor).Of(r) + "x"))
	return fmt.Sprintf("#%06x", term.Cells()[0][0].Style.FG&0xffffff)
}

// Source text has its colours, in whatever shape; the words that differ and what
// was searched for stand above them, and T paints them anew.
func TestColours(t *testing.T) {
	theme := themes.Dusk()
	r := uitest.Open(t, uitest.Shop(), 140, 40, withColours)
	want := func(text string, role themes.Role) {
		t.Helper()
		if got := ink(t, r.Term, text); got != of(theme, role) {
			t.Errorf("%q is %s, want %s (role %d)\n%s", text, got, of(theme, role), role, r)
		}
	}
	r.Press("<enter>", ".")
	r.Want("package client")
	want("package", themes.Keyword)
	want("\"time\"", themes.String)
	want("// wait is", themes.Comment)
	want("wait(n int)", themes.Function)
	want("50 *", themes.Value)
	want("+package", themes.Add) // the sign
	r.Press("s")
	want("package", themes.Keyword)
	r.Press("w")
	want("// wait is", themes.Comment)
	r.Press("/", "package", "<enter>")
	want("package", themes.Found)
	r.Press("<esc>", ".", ".")
	want("// TODO", themes.Comment)
	r.Press(",", ",")
	theme = themes.Paper()
	r.Press("T")
	want("package", themes.Keyword)
	want("\"time\"", themes.String)
}

// Sixteen colours are too few for both: a changed line is green or red as a whole,
// and text without colours shows what is a comment by its weight alone.
func TestColoursOfFewColours(t *testing.T) {
	r := uitest.Open(t, uitest.Shop(), 140, 40, withColours, uitest.WithTheme(themes.Ansi(), termenv.ANSI))
	r.Press("<enter>", ".")
	if a, b := ink(t, r.Term, "package client"), ink(t, r.Term, "// wait is"); a != b {
		t.Errorf("an added line is %s and %s", a, b)
	}
	r = uitest.Open(t, uitest.Shop(), 140, 40, withColours, uitest.WithTheme(themes.Mono(), termenv.Ascii))
	r.Press("<enter>", ".")
	r.Want("package client", "// wait is")
}

// byHand is a review whose messages are given to it one by one.
type byHand struct {
	t     *testing.T
	model *ui.Model
	term  *vt.Term
	shown *frame.Frame
	held  []tea.Msg // those that colours came in
	hold  bool
}

func (b *byHand) Show(f *frame.Frame) {
	b.term.Feed(terminal.Encode(nil, b.shown, f, true))
	b.shown = f
}

// Raw is for what is no frame.
func (b *byHand) Raw([]byte) {}

// run carries a command out, and what follows from it.
func (b *byHand) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			b.run(c)
		}
		return
	}
	b.take(msg)
}

// unwatched is an engine that cannot watch: none of its calls waits for anything.
type unwatched struct{ *uitest.Engine }

func (unwatched) Watch(context.Context) error { return errors.ErrUnsupported }

func (b *byHand) take(msg tea.Msg) {
	if b.hold && strings.Contains(fmt.Sprintf("%T", msg), "prepared") {
		return // what is read ahead comes with its colours
	}
	if b.hold && strings.Contains(fmt.Sprintf("%T", msg), "coloured") {
		b.held = append(b.held, msg)
		return
	}
	_, cmd := b.model.Update(msg)
	b.model.View()
	b.run(cmd)
}

func openByHand(t *testing.T, e *uitest.Engine) *byHand {
	b := &byHand{t: t, term: vt.New(140, 40), hold: true}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	b.model = ui.New(ctx, ui.Config{Engine: unwatched{e}, Clock: uitest.Now, Screen: b, Theme: themes.Dusk(), Profile: termenv.TrueColor, Colours: highlight.New()}, func(tea.Msg) {})
	b.take(tea.WindowSizeMsg{Width: 140, Height: 40})
	b.run(b.model.Init())
	return b
}

// Colour never delays text: a document is on the screen before its colours are
// known; they come quietly; and those of a document that is gone never do.
func TestColourNeverDelaysText(t *testing.T) {
	dusk := themes.Dusk()
	e := uitest.Shop()
	e.Changes["7"] = slices.DeleteFunc(e.Changes["7"], func(c uitest.Change) bool { return c.Binary }) // it has no colours to wait for
	b := openByHand(t, e)
	b.take(uitest.Key("<enter>"))
	if got := ink(t, b.term, "package client"); got != of(dusk, themes.Add) {
		t.Errorf("text was drawn in %s while no colour had come", got)
	}
	b.take(uitest.Key("."))
	const word = "func (c *Client) Get9" // in the next file
	if got := ink(t, b.term, word); got != of(dusk, themes.Text) {
		t.Errorf("text was drawn in %s while no colour had come", got)
	}
	if len(b.held) != 2 {
		t.Fatalf("%d times colours came", len(b.held))
	}
	b.hold = false
	before := b.term.Text()
	b.take(b.held[0])
	if got := ink(t, b.term, word); got != of(dusk, themes.Text) {
		t.Errorf("colours of another document came: %s", got)
	}
	b.take(b.held[1])
	if got := ink(t, b.term, word); got != of(dusk, themes.Keyword) {
		t.Errorf("colours did not come: %s", got)
	}
	if after := b.term.Text(); after != before {
		t.Errorf("colours changed the text:\n%s\n%s", before, after)
	}
	b.take(uitest.Key(","))
	if got := ink(t, b.term, "package client"); got != of(dusk, themes.Keyword) {
		t.Errorf("what was coloured once is %s on the way back", got)
	}
}

// A file that changes keeps the colours of the lines that stay until there are new
// ones: it does not flash.
func TestColoursStayWhileAFileChanges(t *testing.T) {
	e := uitest.Shop()
	b := openByHand(t, e)
	b.hold = false
	b.take(uitest.Key("<enter>"))
	b.take(uitest.Key("."))
	dusk := themes.Dusk()
	if got := ink(t, b.term, "package client"); got != of(dusk, themes.Keyword) {
		t.Fatalf("no colours: %s", got)
	}
	c := &e.Changes["7"][1]
	c.New = []byte(strings.Replace(string(c.New), "import \"time\"\n", "import \"time\"\n\nvar news = 1\n", 1))
	b.hold, b.held = true, nil
	b.take(tea.FocusMsg{})
	if len(b.held) == 0 || !strings.Contains(b.term.Text(), "var news") {
		t.Fatalf("the change is not there:\n%s", b.term.Text())
	}
	for text, role := range map[string]themes.Role{"package client": themes.Keyword, "// wait is": themes.Comment, "var news": themes.Add} {
		if got := ink(t, b.term, text); got != of(dusk, role) {
			t.Errorf("%q is %s, want %s", text, got, of(dusk, role))
		}
	}
	b.hold = false
	b.take(b.held[len(b.held)-1])
	if got := ink(t, b.term, "var news"); got != of(dusk, themes.Keyword) {
		t.Errorf("the new line has no colour: %s", got)
	}
}

// A long file is coloured from its beginning on in several frames, and the review
// comes to rest.
func TestColoursOfALongFile(t *testing.T) {
	e := uitest.Shop()
	var long strings.Builder
	long.WriteString("package long\n")
	for i := range 1500 {
		fmt.Fprintf(&long, "func f%d() error { return fmt.Errorf(\"no %d\") } // %d\n", i, i, i)
	}
	e.Changes["7"] = []uitest.Change{{Path: "long.go", New: []byte(long.String()), Owner: model.OwnerAgent}}
	r := uitest.Open(t, e, 140, 40, withColours)
	r.Press("<enter>")
	if got := ink(t, r.Term, "package long"); got != of(themes.Dusk(), themes.Keyword) {
		t.Errorf("the beginning has no colours: %s", got)
	}
	r.Absent("failed", "defect")
}
