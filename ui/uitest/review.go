package uitest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui"
	"overturn/ui/frame"
	"overturn/ui/terminal"
	"overturn/ui/uitest/vt"
)

// Review is a review without a terminal, on a clock of its own.
type Review struct {
	t      testing.TB
	Engine *Engine
	Model  *ui.Model
	Term   *vt.Term // what the user sees
	W, H   int
	Frames int // drawn so far
	Quit   bool
	Bytes  int    // sent to the terminal so far
	Sent   []byte // meant for the terminal itself

	now     time.Time
	shown   *frame.Frame
	msgs    chan tea.Msg
	pending atomic.Int32
	cancel  context.CancelFunc
}

// Option changes how a review is opened.
type Option func(*ui.Config)

// WithTheme opens the review in a theme at a colour depth.
func WithTheme(t themes.Theme, p termenv.Profile) Option {
	return func(c *ui.Config) { c.Theme, c.Profile = t, p }
}

// WithScope opens the review on a scope.
func WithScope(s model.Scope) Option { return func(c *ui.Config) { c.Scope = &s } }

// Open opens a review of e on a screen of w×h and waits for it to come to rest.
func Open(t testing.TB, e *Engine, w, h int, options ...Option) *Review {
	t.Helper()
	r := &Review{t: t, Engine: e, W: w, H: h, now: Now(), msgs: make(chan tea.Msg, 1024)}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	t.Cleanup(cancel)
	cfg := ui.Config{Engine: e, Clock: func() time.Time { return r.now }, Screen: r, Theme: themes.Dusk(), Profile: termenv.TrueColor}
	cfg.Kept = e.Kept(ctx)
	for _, o := range options {
		o(&cfg)
	}
	r.Model = ui.New(ctx, cfg, func(m tea.Msg) { r.pending.Add(1); r.msgs <- m })
	r.Term = vt.New(w, h)
	r.Term.Feed([]byte("\x1b[?7l"))
	r.run(r.Model.Init())
	r.Send(tea.WindowSizeMsg{Width: w, Height: h})
	return r
}

// Show checks a frame and feeds it to the terminal as the painter would.
func (r *Review) Show(f *frame.Frame) {
	r.t.Helper()
	r.Frames++
	Check(r.t, f, r.W, r.H)
	out := terminal.Encode(nil, r.shown, f, true)
	r.Bytes += len(out)
	r.Term.Feed(out)
	r.shown = f
	for what, n := range r.Term.Notable {
		r.t.Errorf("the terminal was told %q %d times", what, n)
	}
	for what := range r.Term.Unknown {
		r.t.Errorf("the terminal does not know %q", what)
	}
}

// Raw keeps what is meant for the terminal itself.
func (r *Review) Raw(bytes []byte) { r.Sent = append(r.Sent, bytes...) }

// run starts a command beside the loop.
func (r *Review) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	r.pending.Add(1)
	go func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				r.run(c)
			}
			msg = nil
		}
		if msg != nil {
			r.msgs <- msg
			return // counted until it is taken
		}
		r.pending.Add(-1)
	}()
}

// Send gives a message to the review and waits until nothing is under way but
// what is blocked.
func (r *Review) Send(msg tea.Msg) {
	r.t.Helper()
	r.take(msg)
	r.Drain()
}

func (r *Review) take(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		r.Quit = true
		if err := r.Engine.Keep(context.Background(), r.Model.Kept()); err != nil {
			r.t.Error(err)
		}
		r.cancel() // a review that is opened next shares the engine
		return
	}
	if size, ok := msg.(tea.WindowSizeMsg); ok && (size.Width != r.W || size.Height != r.H) {
		r.W, r.H = size.Width, size.Height
		r.Term = vt.New(r.W, r.H)
		r.Term.Feed([]byte("\x1b[?7l"))
		r.shown = nil
	}
	_, cmd := r.Model.Update(msg)
	r.run(cmd)
	r.Model.View()
}

// Drain waits until nothing is under way but what is blocked.
func (r *Review) Drain() {
	r.t.Helper()
	end := time.Now().Add(10 * time.Second)
	for {
		select {
		case msg := <-r.msgs:
			r.take(msg)
			r.pending.Add(-1)
			continue
		default:
		}
		waiting := r.Engine.blocked.Load()
		if r.Quit { // nothing waits any more, or will not long
			waiting = 0
		}
		if r.pending.Load() == waiting && len(r.msgs) == 0 {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("the review does not come to rest: %d under way, %d blocked", r.pending.Load(), r.Engine.blocked.Load())
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// Press presses keys, half a second apart: characters, or names in brackets as
// "<enter>". It waits for rest after each.
func (r *Review) Press(keys ...string) {
	r.t.Helper()
	for _, k := range keys {
		r.now = r.now.Add(500 * time.Millisecond)
		r.Send(Key(k))
	}
}

// After lets time pass.
func (r *Review) After(d time.Duration) { r.now = r.now.Add(d) }

// Key is the message of a key.
func Key(k string) tea.KeyMsg {
	named := map[string]tea.KeyType{"<enter>": tea.KeyEnter, "<esc>": tea.KeyEsc, "<tab>": tea.KeyTab, "<up>": tea.KeyUp, "<down>": tea.KeyDown,
		"<left>": tea.KeyLeft, "<right>": tea.KeyRight, "<pgdn>": tea.KeyPgDown, "<pgup>": tea.KeyPgUp, "<c-d>": tea.KeyCtrlD, "<c-u>": tea.KeyCtrlU,
		"<c-c>": tea.KeyCtrlC, "<c-f>": tea.KeyCtrlF, "<c-l>": tea.KeyCtrlL, "<home>": tea.KeyHome, "<end>": tea.KeyEnd, "<backspace>": tea.KeyBackspace, "<c-z>": tea.KeyCtrlZ, "<c-o>": tea.KeyCtrlO, "<c-r>": tea.KeyCtrlR, "<c-t>": tea.KeyCtrlT}
	if t, ok := named[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// Paste is a bracketed paste.
func Paste(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true} }

// Text is what the screen shows.
func (r *Review) Text() string { return r.Term.Text() }

// Row is row y of the screen; a negative one counts from the bottom.
func (r *Review) Row(y int) string {
	if y < 0 {
		y += r.H
	}
	return r.Term.Row(y)
}

// Want fails the test unless the screen shows every text.
func (r *Review) Want(texts ...string) {
	r.t.Helper()
	for _, s := range texts {
		if !strings.Contains(r.Text(), s) {
			r.t.Fatalf("%q is not on the screen:\n%s", s, r.Text())
		}
	}
}

// Absent fails the test when the screen shows one of the texts.
func (r *Review) Absent(texts ...string) {
	r.t.Helper()
	for _, s := range texts {
		if strings.Contains(r.Text(), s) {
			r.t.Fatalf("%q is on the screen:\n%s", s, r.Text())
		}
	}
}

// At finds the first cell at which text begins on the screen.
func (r *Review) At(text string) (x, y int) {
	r.t.Helper()
	for y := range r.H {
		row := r.Term.Cells()[y]
		for x := range row {
			s := ""
			for _, c := range row[x:] {
				if c.Wide != 2 {
					s += string(c.R) + c.Comb
				}
				if len(s) >= len(text) {
					break
				}
			}
			if strings.HasPrefix(s, text) {
				return x, y
			}
		}
	}
	r.t.Fatalf("%q is not on the screen:\n%s", text, r.Text())
	return 0, 0
}

// String shows the screen in messages.
func (r *Review) String() string { return fmt.Sprintf("%d×%d\n%s", r.W, r.H, r.Text()) }
