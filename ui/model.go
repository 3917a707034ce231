package ui

import (
	"context"
	"errors"
	"maps"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"overturn/model"
	"overturn/themes"
	"overturn/ui/frame"
	"overturn/ui/highlight"
	"overturn/ui/jobs"
	"overturn/ui/kept"
	"overturn/ui/keymap"
	"overturn/ui/panes/card"
	"overturn/ui/panes/confirm"
	"overturn/ui/panes/diff"
	"overturn/ui/panes/files"
	"overturn/ui/panes/help"
	"overturn/ui/panes/history"
	"overturn/ui/panes/plan"
	"overturn/ui/panes/prompt"
	"overturn/ui/panes/since"
	"overturn/ui/panes/timeline"
	"overturn/ui/style"
	"overturn/ui/view"
)

// Screen takes finished frames, and bytes that are meant for the terminal itself.
type Screen interface {
	Show(*frame.Frame)
	Raw(bytes []byte)
}

// Config is what a review needs from outside.
type Config struct {
	Engine  Engine
	Clock   model.Clock
	Screen  Screen
	Theme   themes.Theme
	Profile termenv.Profile
	Scope   *model.Scope                          // what to open; nil: latest turn, else working tree
	Keys    []keymap.Bound                        // the user's, over those of the catalogue
	Notes   []string                              // what of the user's settings does not hold
	NoMouse bool                                  // the mouse is left to the terminal at first
	Mouse   func(on bool)                         // takes the mouse, or leaves it; nil where nobody can
	Lend    func(tea.ExecCommand) tea.ExecCommand // gives the terminal to a program
	Stop    tea.ExecCommand                       // stops the process until the shell goes on with it; nil where no shell would
	Colours *highlight.Highlighter                // of source text; nil: none
	Follow  bool                                  // the theme follows the terminal's dark and light
	Kept    kept.State                            // what the review before this one left
}

// place is the screen that fills the body.
type place int

const (
	inReview place = iota
	inPlan
	inResult
	inHistory
	inCard
	inTurns
	inFound
	inComments
	inSince
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
	spine   spine
	queue   queue
	scope   model.Scope // what is compared, before resolving
	turn    int         // the turn that the strip and the card are about
	picked  int         // the turn that was selected last, 0 before
	base    string      // of the branch, as the user named it; "" is found
	cmp     *view.Comparison
	source  *view.Comparison // what the engine returned and jobs read; cmp is a copy of our own
	cmpErr  error
	sum     sum // of the files of cmp
	shown   document
	next    prepared // what is likely to be shown next
	only    bool     // the agent's files and hunks alone are shown
	burn    burn
	memory  memory
	finding finding
	moves   moves

	where   place
	inDiff  bool // the diff has the focus
	strip   timeline.Strip
	files   *files.Pane
	diff    *diff.Pane
	plan    plan.Pane
	result  result
	wanted  bool // the plan that is being worked out is another because the user made it so
	history history.Pane
	card    card.Pane
	help    help.Pane
	talk    talk
	since   since.Pane

	prompt   *prompt.Prompt
	chosen   func() tea.Cmd // what the prompt is for
	typing   func()         // what follows each change of its text, nil for nothing
	dialog   *confirm.Dialog
	agreed   func() tea.Cmd // what the dialog is for
	declined tea.Cmd        // what follows when it is closed without
	asked    uint64         // counts dialogs, so that a hold of an older one is late
	message  message
	ahead    []tea.KeyMsg // keys that wait for what is being read
	began    time.Time    // when what is read and may take long was begun
	stopping bool         // what is being written was asked to end
	writing  string       // what is being written, "" when nothing is
	wrote    time.Time
	done     int // progress of it
	of       int
	counted  counted
	exact    bool // whitespace changes are shown
	leaving  bool // quit when the writing has ended
	noMouse  bool // it is left to the terminal
	drag     drag
	dirty    bool // the picture is out of date
	areas    areas
}

// document tells which file the diff pane shows and which one it waits for.
type document struct {
	path    model.Path
	key     string
	exact   bool
	index   int  // in the comparison, -1 when nothing is shown
	at      int  // its place in the list of files
	back    bool // the file shown before stands below it
	waiting bool
	err     error
	hunk    int          // where to go when it arrives: 1 first, -1 last, 0 stay
	goal    *spot        // the line to go to when it arrives, or nil
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
	keys, notes := mapped(cfg)
	m := &Model{cfg: cfg, keys: keys, noMouse: cfg.NoMouse, jobs: jobs.New(ctx, send), st: style.New(cfg.Theme, cfg.Profile),
		files: files.New(), diff: diff.New(), dirty: true, depth: depthFirst}
	m.shown = document{index: -1}
	m.takeKept(cfg.Kept)
	m.tellNotes(notes)
	m.acts = m.movements()
	maps.Copy(m.acts, m.actions())
	maps.Copy(m.acts, m.talks())
	if cfg.Scope != nil {
		m.scope = *cfg.Scope
		m.turn, m.picked, m.base = cfg.Scope.Turn, cfg.Scope.Turn, cfg.Scope.Base
		if cfg.Scope.Kind == model.ScopeRange {
			m.turn, m.spine.anchor = cfg.Scope.To, cfg.Scope.From+1
		}
	}
	return m
}

// Wait waits, once the loop has ended, for what is being written to come to its end.
func (m *Model) Wait() { m.jobs.Wait() }

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
	if errors.Is(err, context.Canceled) && model.CodeOf(err) != model.CodeCancelled {
		err = model.Errorf(model.CodeCancelled, "cancelled")
	}
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
