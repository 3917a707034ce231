package pager

import (
	"context"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/themes"
	"overturn/ui/find"
	"overturn/ui/frame"
	"overturn/ui/keymap"
	"overturn/ui/scroll"
	"overturn/ui/style"
	"overturn/ui/terminal"
)

// Options says what is shown and how.
type Options struct {
	Text   io.Reader
	In     *os.File // the terminal that keys come from
	Out    *os.File
	Getenv func(string) string
	Theme  string
	NoSync bool
	Keys   []keymap.Bound
}

// Run shows the text until the user leaves. Errors are those of terminal.Open and
// terminal.Run, and of a text that could not be read.
func Run(ctx context.Context, o Options) error {
	spool, err := NewSpool()
	if err != nil {
		return err
	}
	defer spool.Close()
	t, err := terminal.Open(terminal.Options{In: o.In, Out: o.Out, NoMouse: true, NoSync: o.NoSync || !terminal.Synchronises(o.Getenv)})
	if err != nil {
		return err
	}
	profile := style.Profile(o.Getenv)
	keys, _ := keymap.Remap(o.Keys)
	m := New(spool, t.Show, style.Choose(o.Theme, profile, o.Getenv), profile, keys)
	if err := terminal.Run(ctx, t, m, func(send func(tea.Msg)) {
		go spool.Feed(o.Text, func() { send(came{}) })
	}); err != nil {
		return err
	}
	_, _, err = spool.Lines()
	return err
}

// came tells that there are new lines.
type came struct{}

// Model is the pager, used from the event loop alone.
type Model struct {
	spool  *Spool
	show   func(*frame.Frame)
	st     *style.Table
	keys   *keymap.Map
	win    scroll.Window
	left   int
	w, h   int
	query  find.Query
	typing *string // what is typed of a search, nil when none is
	said   string
}

// New makes a pager over a spool; frames go to show.
func New(spool *Spool, show func(*frame.Frame), theme themes.Theme, profile termenv.Profile, keys *keymap.Map) *Model {
	return &Model{spool: spool, show: show, st: style.New(theme, profile), keys: keys}
}

// Init asks for nothing.
func (m *Model) Init() tea.Cmd { return nil }

// View draws nothing by itself: frames are shown as something changed.
func (m *Model) View() string { return "" }

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		cmd = m.key(msg)
	case came, tea.ResumeMsg:
	default:
		return m, nil
	}
	if m.w > 0 && m.h > 0 {
		m.show(m.draw())
	}
	return m, cmd
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	said := m.said
	m.said = ""
	if k.Type == tea.KeyCtrlC {
		return tea.Quit
	}
	if k.Type == tea.KeyEsc && said != "" && m.typing == nil {
		return nil // it closes what was said, and not all
	}
	if m.typing != nil {
		m.typed(k)
		return nil
	}
	if k.Paste {
		return nil
	}
	if k.Type != tea.KeyRunes {
		return m.command(k.String())
	}
	for i, r := range k.Runes { // what is typed fast comes together
		if cmd := m.command(string(r)); cmd != nil {
			return cmd
		}
		if m.typing != nil {
			m.typed(tea.KeyMsg{Type: tea.KeyRunes, Runes: k.Runes[i+1:]})
			return nil
		}
	}
	return nil
}

// command carries out what a key means.
func (m *Model) command(key string) tea.Cmd {
	if key == " " { // as in other pagers
		m.win.Page(2)
		return nil
	}
	switch m.keys.Find(key, keymap.InReview, keymap.Everywhere) {
	case keymap.Quit, keymap.Back:
		return tea.Quit
	case keymap.Down, keymap.Open:
		m.win.Move(1)
	case keymap.Up:
		m.win.Move(-1)
	case keymap.HalfDown:
		m.win.Page(1)
	case keymap.HalfUp:
		m.win.Page(-1)
	case keymap.PageDown:
		m.win.Page(2)
	case keymap.PageUp:
		m.win.Page(-2)
	case keymap.Top:
		m.win.To(0)
	case keymap.Bottom:
		m.win.To(m.win.Len - 1)
	case keymap.Left:
		m.left = max(m.left-step, 0)
	case keymap.Right:
		m.left += step
	case keymap.HunkNext:
		m.jump(1, "hunk", hunkHead)
	case keymap.HunkPrev:
		m.jump(-1, "hunk", hunkHead)
	case keymap.FileNext:
		m.jump(1, "file", fileHead, commit)
	case keymap.FilePrev:
		m.jump(-1, "file", fileHead, commit)
	case keymap.Search:
		m.typing = new(string)
	case keymap.SearchNext:
		m.search(1)
	case keymap.SearchPrev:
		m.search(-1)
	case keymap.Redraw:
		return func() tea.Msg { return tea.ResumeMsg{} }
	case keymap.Help:
		m.said = "q quits · ] [ hunk · . , file · / n N search · j k Space PgUp · h l · g G"
	}
	return nil
}

// step is how many cells one key scrolls sideways.
const step = 8

// typed gives a key to the search that is typed.
func (m *Model) typed(k tea.KeyMsg) {
	switch k.Type {
	case tea.KeyEsc:
		m.typing = nil
	case tea.KeyEnter:
		m.query, m.typing = find.New(*m.typing), nil
		m.search(1)
	case tea.KeyBackspace:
		r := []rune(*m.typing)
		*m.typing = string(r[:max(len(r)-1, 0)])
	case tea.KeyRunes, tea.KeySpace:
		*m.typing += string(k.Runes)
	}
}

func (m *Model) jump(d int, what string, of ...kind) {
	at := m.spool.next(m.win.Cursor+d, d, of...)
	if at < 0 {
		m.said = "no " + what + " beyond this one"
		return
	}
	m.win.Place(at, min(scroll.Margin, m.win.Height/4))
}

// searched is how many lines are looked at for one key.
const searched = 2_000_000

func (m *Model) search(d int) {
	if m.query.Len() == 0 {
		return
	}
	n, whole, _ := m.spool.Lines()
	for k, i := 0, m.win.Cursor+d; k < searched && i >= 0 && i < n; k, i = k+1, i+d {
		line, _ := m.spool.Line(i)
		if m.query.Index(line, 0) >= 0 {
			m.win.Place(i, m.win.Height/2)
			return
		}
	}
	m.said = "not found: " + m.query.String()
	if !whole {
		m.said += " (so far)"
	}
}
