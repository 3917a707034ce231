package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	tea "github.com/charmbracelet/bubbletea"

	"overturn/model"
	"overturn/themes"
	"overturn/ui"
	"overturn/ui/frame"
	"overturn/ui/style"
	"overturn/ui/terminal"
	"overturn/ui/uitest"
	"overturn/ui/view"
)

// bulk is one text with an index of its lines.
type bulk struct {
	text []byte
	ends []uint32
}

func (b *bulk) Lines() int { return len(b.ends) }
func (b *bulk) Line(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.text[from : b.ends[i]-1]
}

func newBulk(n int, word string) *bulk {
	b := &bulk{}
	for i := range n {
		b.text = append(append(append(b.text, "\treturn fmt.Errorf(\""...), word...), ' ')
		b.text = append(strconv.AppendInt(b.text, int64(i), 10), ": %w\", id, err) // more words\n"...)
		b.ends = append(b.ends, uint32(len(b.text)))
	}
	return b
}

// huge is an engine with one file of n changed lines: runs of three lines
// replaced by three, seven equal lines between them.
type huge struct {
	*uitest.Engine
	doc *view.Document
}

func newHuge(n int) *huge {
	old, now := newBulk(n*5/3, "old"), newBulk(n*5/3, "old")
	copy(now.text, bytes.ReplaceAll(now.text, []byte("\"old"), []byte("\"new")))
	doc := &view.Document{Old: old, New: now, File: view.File{FileChange: model.FileChange{Path: "huge.go", Change: model.Modified}}}
	for at := 3; at+3 < old.Lines(); at += 10 {
		doc.Hunks = append(doc.Hunks, view.Hunk{Number: len(doc.Hunks) + 1, Owner: model.OwnerAgent, Turns: []int{1},
			Edits: []view.Edit{{OldFrom: at, OldTo: at + 3, NewFrom: at, NewTo: at + 3}}})
	}
	doc.Emphasis = func(a, b []byte) ([][2]int, [][2]int) { return [][2]int{{20, 23}}, [][2]int{{20, 23}} }
	return &huge{uitest.NewEngine(), doc}
}

func (h *huge) Compare(context.Context, model.Scope) (*view.Comparison, error) {
	return &view.Comparison{Base: "HEAD", Target: "on disk", Files: []view.File{h.doc.File}}, nil
}

func (h *huge) Summaries(_ context.Context, cmp *view.Comparison, list []int, _ ui.DocumentOptions) ([]view.Summary, error) {
	return []view.Summary{{Index: 0, Additions: 1, Deletions: 1, Owner: model.OwnerAgent}}, nil
}

func (h *huge) Document(context.Context, *view.Comparison, int, ui.DocumentOptions) (*view.Document, error) {
	return h.doc, nil
}

// sink encodes frames as the painter does and throws the bytes away.
type sink struct {
	shown *frame.Frame
	buf   []byte
	sent  int
}

func (s *sink) Raw([]byte) {}

func (s *sink) Show(f *frame.Frame) {
	s.buf = terminal.Encode(s.buf[:0], s.shown, f, true)
	s.sent += len(s.buf)
	s.shown = f
}

// openHuge opens the document with the focus in it, by hand: the loop's messages
// one by one.
func openHuge(tb testing.TB, n int, options ...uitest.Option) (*ui.Model, *sink) {
	return openEngine(tb, newHuge(n), options...)
}

func openEngine(tb testing.TB, e ui.Engine, options ...uitest.Option) (*ui.Model, *sink) {
	ctx, cancel := context.WithCancel(context.Background())
	tb.Cleanup(cancel)
	s := &sink{}
	cfg := ui.Config{Engine: e, Clock: uitest.Now, Screen: s, Theme: themes.Dusk(), Profile: termenv.TrueColor}
	for _, o := range options {
		o(&cfg)
	}
	m := ui.New(ctx, cfg, func(tea.Msg) {})
	var run func(tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		got := make(chan tea.Msg, 1)
		go func() { got <- cmd() }()
		select {
		case msg := <-got:
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					run(c)
				}
				return
			}
			_, next := m.Update(msg)
			run(next)
		case <-time.After(300 * time.Millisecond): // the watch
		}
	}
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	run(m.Init())
	_, cmd := m.Update(uitest.Key("<enter>"))
	run(cmd)
	m.View()
	if !bytes.Contains(s.buf, []byte("huge.go")) {
		tb.Fatalf("the document is not on the screen: %q", s.buf)
	}
	return m, s
}

// scroll is a key, its frame and its bytes, in the middle of the document.
func scroll(b *testing.B, n int, options ...uitest.Option) {
	m, s := openHuge(b, n, options...)
	m.Update(uitest.Key("G"))
	for range 12 {
		m.Update(uitest.Key("<c-u>"))
	}
	m.View()
	keys := []tea.KeyMsg{uitest.Key("<pgup>"), uitest.Key("<pgdn>")}
	word := style.New(themes.Dusk(), termenv.TrueColor).On(themes.String, style.OnAdd)
	if coloured := bytes.Contains(s.buf, []byte(word)); coloured != (len(options) > 0) {
		b.Fatalf("the frame has colours: %v", coloured)
	}
	s.sent = 0
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		m.Update(keys[i%2])
		m.View()
		i++
	}
	b.ReportMetric(float64(s.sent)/float64(b.N), "bytes/key")
}

func BenchmarkFrame1kLines(b *testing.B) { scroll(b, 1_000) }
func BenchmarkFrame1MLines(b *testing.B) { scroll(b, 1_000_000) }

// BenchmarkFrameColoured is a frame of source text in its colours.
func BenchmarkFrameColoured(b *testing.B) { scroll(b, 200, withColours) }

// BenchmarkFrameLipgloss draws the same window with lipgloss, a Render a line.
func BenchmarkFrameLipgloss(b *testing.B) {
	doc := newHuge(1_000).doc
	r := lipgloss.NewRenderer(nil)
	r.SetColorProfile(termenv.TrueColor)
	num := r.NewStyle().Foreground(lipgloss.Color("#5c6470"))
	add := r.NewStyle().Foreground(lipgloss.Color("#c4dfb8")).Background(lipgloss.Color("#1c2b23")).Width(110).MaxWidth(110)
	b.ReportAllocs()
	for b.Loop() {
		for i := range 46 {
			line := string(bytes.ReplaceAll(doc.New.Line(100+i), []byte("\t"), []byte("    ")))
			_ = num.Render(fmt.Sprintf("%4d %4d ", i, i)) + add.Render(ansi.Truncate(line, 110, ""))
		}
	}
}

// BenchmarkKeyCursor is a key that moves the cursor and nothing else.
func BenchmarkKeyCursor(b *testing.B) {
	m, s := openHuge(b, 1_000_000)
	keys := []tea.KeyMsg{uitest.Key("j"), uitest.Key("k")}
	s.sent = 0
	i := 0
	for b.Loop() {
		m.Update(keys[i%2])
		m.View()
		i++
	}
	b.ReportMetric(float64(s.sent)/float64(b.N), "bytes/key")
}

// counted counts the lines that are read.
type counted struct {
	of   view.Lines
	read *int
}

func (c counted) Lines() int        { return c.of.Lines() }
func (c counted) Line(i int) []byte { *c.read++; return c.of.Line(i) }

// A frame costs the window, not the diff: in a thousand times the lines it reads
// as many lines, asks for as much memory, and sends as many bytes. (How long it
// takes is what the benchmarks above measure.)
func TestFrameCostsTheWindow(t *testing.T) {
	type cost struct {
		read   int
		allocs float64
		sent   int
	}
	measure := func(n int, keys ...string) (c cost) {
		h := newHuge(n)
		h.doc.Old, h.doc.New = counted{h.doc.Old, &c.read}, counted{h.doc.New, &c.read}
		m, s := openEngine(t, h)
		for _, key := range append(keys, "G") {
			m.Update(uitest.Key(key))
		}
		for range 12 {
			m.Update(uitest.Key("<c-u>"))
		}
		m.View()
		c.read, s.sent = 0, 0
		i := 0
		c.allocs = testing.AllocsPerRun(20, func() {
			m.Update([]tea.KeyMsg{uitest.Key("<pgup>"), uitest.Key("<pgdn>")}[i%2])
			m.View()
			i++
		})
		c.sent = s.sent / i
		c.read /= i
		return c
	}
	for _, keys := range [][]string{nil, {"w"}, {"Z"}, {"w", "Z"}, {"s"}} { // wrapped, the whole file, in one column or two
		small, large := measure(1_000, keys...), measure(1_000_000, keys...)
		if small.read == 0 || large.read > small.read+4 || large.allocs > small.allocs*1.2 || float64(large.sent) > float64(small.sent)*1.2 {
			t.Errorf("%v: over a million lines a frame costs %+v, over a thousand %+v", keys, large, small)
		}
	}
}
