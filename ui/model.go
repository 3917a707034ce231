package ui

import (
	"context"
	"maps"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/jobs"
	"overturn/ui/keymap"
	"overturn/ui/panes/card"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/diff"
	"overturn/ui/panes/files"
	"overturn/ui/panes/help"
	"overturn/ui/panes/history"
	"overturn/ui/panes/plan"
	"overturn/ui/panes/prompt"
	"overturn/ui/panes/timeline"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Screen takes finished frames.
type Screen interface{ Show(*frame.Frame) }

// Config is what a review needs from outside.
type Config struct {
	Engine  Engine
	Clock   model.Clock
	Screen  Screen
	Theme   themes.Theme
	Profile termenv.Profile
	Scope   *model.Scope                          // what to open; nil: latest turn, else working tree
	Lend    func(tea.ExecCommand) tea.ExecCommand // gives the terminal to a program
}

// place is the screen that fills the body.
type place int

const (
	inReview place = iota
	inPlan
	inHistory
	inCard
	inHelp
)

// Model is the review. It is used by pointer, from the event loop alone.
type Model struct {
	cfg     Config
	keys    *keymap.Map
	jobs    *jobs.Group
	st      *style.Table
	w, h    int
	acts    map[keymap.Intent]func() tea.Cmd // what each intent does
	keysBar bar

	over    *view.Overview
	depth   int          // how many turns an overview tells of
	older   bool         // more of them are being read, to walk on to them
	pressed atomic.Int64 // when a key was last pressed, in nanoseconds since 1970
	overErr error
	scope   model.Scope // what is compared, before resolving
	turn    int         // the turn that the strip and the card are about
	picked  int         // the turn that was selected last, 0 before
	base    string      // of the branch, as the user named it; "" is found
	cmp     *view.Comparison
	source  *view.Comparison // what the engine returned and jobs read; cmp is a copy of our own
	cmpErr  error
	sum     sum // of the files of cmp
	shown   document

	where   place
	inDiff  bool // the diff has the focus
	strip   timeline.Strip
	files   *files.Pane
	diff    *diff.Pane
	plan    plan.Pane
	history history.Pane
	card    card.Pane
	help    help.Pane

	prompt   *prompt.Prompt
	chosen   func() tea.Cmd // what the prompt is for
	dialog   *confirm.Dialog
	agreed   func() tea.Cmd // what the dialog is for
	declined tea.Cmd        // what follows when it is closed without
	asked    uint64         // counts dialogs, so that a hold of an older one is late
	message  message
	ahead    []string // keys that wait for what is being read
	writing  string   // what is being written, "" when nothing is
	wrote    time.Time
	done     int // progress of it
	of       int
	exact    bool // whitespace changes are shown
	leaving  bool // quit when the writing has ended
	dirty    bool // the picture is out of date
	areas    areas
}

// document tells which file the diff pane shows and which one it waits for.
type document struct {
	path    model.Path
	key     string
	exact   bool
	index   int // in the comparison, -1 when nothing is shown
	waiting bool
	err     error
	hunk    int          // where to go when it arrives: 1 first, -1 last, 0 stay
	asked   map[int]bool // files whose summary was asked for
}

// message is what the status row says. Information goes with the next key,
// what failed stays until Esc.
type message struct {
	text  string
	level view.Level
	stays bool
}

// New makes a review. Jobs end with ctx; send delivers their progress.
func New(ctx context.Context, cfg Config, send func(tea.Msg)) *Model {
	m := &Model{cfg: cfg, keys: keymap.New(), jobs: jobs.New(ctx, send), st: style.New(cfg.Theme, cfg.Profile),
		files: files.New(), diff: diff.New(), dirty: true, depth: depthFirst}
	m.shown = document{index: -1}
	m.acts = m.movements()
	maps.Copy(m.acts, m.actions())
	if cfg.Scope != nil {
		m.scope = *cfg.Scope
		m.turn, m.picked, m.base = cfg.Scope.Turn, cfg.Scope.Turn, cfg.Scope.Base
	}
	return m
}

// Init asks for the overview and begins to watch.
func (m *Model) Init() tea.Cmd { return tea.Batch(m.readOverview(), m.watch()) }

// View draws when something changed, and gives the frame away: the loop has no
// renderer.
func (m *Model) View() string {
	if m.dirty && m.w > 0 && m.h > 0 {
		m.dirty = false
		m.cfg.Screen.Show(m.draw())
	}
	return ""
}

func (m *Model) say(text string)  { m.message = message{text: text} }
func (m *Model) good(text string) { m.message = message{text: text, level: view.Good} }
func (m *Model) warn(text string) { m.message = message{text: text, level: view.Warn, stays: true} }

// fail shows an error with its next step, until Esc.
func (m *Model) fail(err error) {
	text := err.Error()
	if hint := model.HintOf(err); hint != "" {
		text += " — " + hint
	}
	level := view.Bad
	if code := model.CodeOf(err); code == model.CodeCancelled || code == model.CodeUsage {
		level = view.Warn
	}
	m.message = message{text: text, level: level, stays: true}
}
