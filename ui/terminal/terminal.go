package terminal

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"

	"overturn/model"
	"overturn/ui/frame"
)

// Options says which terminal and how much of it.
type Options struct {
	In, Out *os.File
	NoMouse bool // leave the mouse to the terminal
	NoSync  bool // no synchronised output
	Scheme  bool // ask whether the colours are dark or light, and be told of changes
}

// Terminal is a terminal that is ours until Close.
type Terminal struct {
	in, out *os.File
	options Options
	paint   *painter
	told    chan os.Signal // signals, from before the terminal is taken

	mu     sync.Mutex
	cooked *term.State // how we found it; nil once it is given back
	held   bool        // the screen and raw mode are ours at this moment
}

// Open takes the terminal: raw mode, alternate screen, mouse, focus and paste
// reports. It refuses (CodeUsage) where In or Out is not a terminal.
func Open(o Options) (*Terminal, error) {
	if !supported {
		return nil, model.Usagef("the review does not run on this system yet").WithHint("the verbs of the command line do: overturn --help")
	}
	if !term.IsTerminal(o.In.Fd()) || !term.IsTerminal(o.Out.Fd()) {
		return nil, model.Usagef("the review needs a terminal for its input and its output")
	}
	t := &Terminal{in: o.In, out: o.Out, options: o, told: make(chan os.Signal, 8)}
	signal.Notify(t.told, watched()...)
	if err := t.take(); err != nil {
		signal.Stop(t.told)
		return nil, err
	}
	t.paint = newPainter(o.Out, !o.NoSync, t.restore)
	return t, nil
}

// Show paints f soon; only the newest frame counts.
func (t *Terminal) Show(f *frame.Frame) { t.paint.show(f) }

// Raw writes bytes to the terminal itself, between two frames.
func (t *Terminal) Raw(bytes []byte) { t.paint.tell(string(bytes)) }

// Size is the terminal's size in cells; 80×24 where it does not tell.
func (t *Terminal) Size() (w, h int) {
	w, h, err := term.GetSize(t.out.Fd())
	if err != nil || w <= 0 || h <= 0 {
		return 80, 24
	}
	return w, h
}

// take enters raw mode and the screen.
func (t *Terminal) take() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	state, err := term.MakeRaw(t.in.Fd())
	if err != nil {
		return model.Failf(err, "cannot take the terminal")
	}
	if t.cooked == nil {
		sane(state)
		t.cooked = state
	}
	t.held = true
	_, err = io.WriteString(t.out, t.enter())
	return err
}

func (t *Terminal) enter() string {
	mouse := takeMouse
	if t.options.NoMouse {
		mouse = leaveMouse // one that was killed may have left it taken
	}
	scheme := ""
	if t.options.Scheme {
		scheme = askScheme
	}
	return "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?1004h\x1b[?2004h" + mouse + scheme + "\x1b[m\x1b[2J"
}

// The mouse is reported while a button is down, and never else.
const (
	takeMouse  = "\x1b[?1002h\x1b[?1006h"
	leaveMouse = "\x1b[?1006l\x1b[?1002l\x1b[?1000l"
)

// leave undoes everything that enter may have done, in the reverse order.
const leave = "\x1b[?2026l\x1b[m" + leaveScheme + leaveMouse + "\x1b[?2004l\x1b[?1004l\x1b[?7h\x1b[?25h\x1b[?1049l"

// Mouse takes the mouse, or leaves it to the terminal.
func (t *Terminal) Mouse(on bool) {
	t.mu.Lock()
	t.options.NoMouse = !on
	t.mu.Unlock()
	t.paint.tell(map[bool]string{true: takeMouse, false: leaveMouse}[on])
}

// Release gives the terminal to another program; Reclaim takes it back and
// paints the newest frame whole.
func (t *Terminal) Release() {
	t.paint.pause()
	t.restore()
}

// Reclaim is the way back from Release. Without one before it, it mends a
// terminal that another program may have changed.
func (t *Terminal) Reclaim() error {
	t.paint.pause()
	err := t.take()
	t.paint.resume()
	return err
}

func (t *Terminal) restore() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.held {
		return
	}
	t.held = false
	_, _ = io.WriteString(t.out, leave)
	_ = term.Restore(t.in.Fd(), t.cooked)
}

// Close gives the terminal back for good. It may be called more than once, and
// does not wait long for a terminal that takes no more output.
func (t *Terminal) Close() {
	t.paint.end()
	select {
	case <-t.paint.done:
	case <-time.After(200 * time.Millisecond):
	}
	t.restore()
	signal.Stop(t.told)
}
