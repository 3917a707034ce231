// Package ptytest runs a program on a real pseudo-terminal and reads its screen
// through the emulator of ui/uitest/vt, as a user would see it.
//
// A session ends with its program; what the program wrote stays readable. It is
// for tests and for the pictures of the documentation.
package ptytest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"overturn/ui/uitest/vt"
)

// Session is one program on its terminal.
type Session struct {
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{}

	mu    sync.Mutex
	term  *vt.Term
	bytes []byte
	err   error // of the program, once done is closed
}

// Options says how a program is started. Mute answers none of the terminal's
// questions, as a terminal that is only a pipe would.
type Options struct {
	Dir           string
	Env           []string // the whole environment
	Width, Height int
	Mute          bool
	Light         bool                 // the terminal says that its colours are light
	Slow          int                  // bytes a second that the terminal reads, as over a slow link; 0: as fast as they come
	Attr          *syscall.SysProcAttr // e.g. the user that it runs as; nil: as the caller
}

// Start runs name with args.
func Start(o Options, name string, args ...string) (*Session, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	if o.Attr != nil {
		own := *o.Attr // it gets a session and a terminal
		cmd.SysProcAttr = &own
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(o.Width), Rows: uint16(o.Height)})
	if err != nil {
		return nil, err
	}
	s := &Session{cmd: cmd, tty: tty, done: make(chan struct{}), term: vt.New(o.Width, o.Height)}
	s.term.Light = o.Light
	if !o.Mute {
		s.term.Reply = func(b []byte) { tty.Write(b) }
	}
	go s.read(o.Slow)
	return s, nil
}

// slowChunk is what a slow link brings at once, in bytes.
const slowChunk = 64

func (s *Session) read(slow int) {
	buf := make([]byte, 64<<10)
	if slow > 0 {
		buf = buf[:slowChunk]
	}
	for {
		if slow > 0 {
			time.Sleep(time.Second * slowChunk / time.Duration(slow))
		}
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.bytes = append(s.bytes, buf[:n]...)
		s.term.Feed(buf[:n])
		s.mu.Unlock()
		if err != nil {
			break
		}
	}
	s.err = s.cmd.Wait()
	close(s.done)
}

// Send types keys: plain text, or names in angle brackets: <enter> <esc> <tab>
// <up> <down> <left> <right> <c-x>. What follows an Esc is typed once that was taken.
func (s *Session) Send(keys string) error {
	for keys != "" {
		_, size := utf8.DecodeRuneInString(keys) // a terminal sends a character at once
		raw, rest := keys[:size], keys[size:]
		if end := strings.IndexByte(keys, '>'); keys[0] == '<' && end > 0 {
			named, err := named(keys[1:end])
			if err != nil {
				return err
			}
			raw, rest = named, keys[end+1:]
		}
		if _, err := s.tty.Write([]byte(raw)); err != nil {
			return err
		}
		if raw == "\x1b" {
			s.taken()
		}
		keys = rest
	}
	return nil
}

// Write sends raw bytes in one piece, as a terminal sends a paste or a report.
func (s *Session) Write(raw string) error {
	_, err := s.tty.Write([]byte(raw))
	return err
}

func named(name string) (string, error) {
	switch name {
	case "enter":
		return "\r", nil
	case "esc":
		return "\x1b", nil
	case "tab":
		return "\t", nil
	case "up":
		return "\x1b[A", nil
	case "down":
		return "\x1b[B", nil
	case "right":
		return "\x1b[C", nil
	case "left":
		return "\x1b[D", nil
	}
	if len(name) == 3 && strings.HasPrefix(name, "c-") {
		return string(name[2] & 0x1f), nil
	}
	return "", fmt.Errorf("no key is called %q", name)
}

// Resize gives the terminal another size.
func (s *Session) Resize(width, height int) error {
	s.mu.Lock()
	s.term.Resize(width, height)
	s.mu.Unlock()
	return pty.Setsize(s.tty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
}

// Text is the screen as text, a line a row.
func (s *Session) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term.Text()
}

// Cells is a copy of the screen's cells.
func (s *Session) Cells() [][]vt.Cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make([][]vt.Cell, len(s.term.Cells()))
	for y, row := range s.term.Cells() {
		rows[y] = append([]vt.Cell{}, row...)
	}
	return rows
}

// Notable names what the program sent that reaches beyond the grid, or that the
// terminal does not know, with how often; the bell and a title are such.
func (s *Session) Notable() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(s.term.Notable)
	for what, n := range s.term.Unknown {
		all["unknown "+what] += n
	}
	return all
}

// Bytes is all that the program has written.
func (s *Session) Bytes() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]byte{}, s.bytes...)
}

// Wait blocks until text stands on the screen; the error shows the screen instead.
func (s *Session) Wait(text string, limit time.Duration) error {
	return s.WaitFor(limit, fmt.Sprintf("%q", text), func(screen string) bool { return strings.Contains(screen, text) })
}

// WaitFor blocks until the screen is as wanted; what names that in the error.
func (s *Session) WaitFor(limit time.Duration, what string, wanted func(screen string) bool) error {
	deadline := time.Now().Add(limit)
	for {
		screen := s.Text()
		if wanted(screen) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s did not come within %v; the screen is\n%s", what, limit, screen)
		}
		select {
		case <-s.done:
			if screen = s.Text(); wanted(screen) {
				return nil
			}
			return fmt.Errorf("the program ended (%v) before %s came; the screen is\n%s", s.err, what, screen)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Exit waits for the program to end and returns its exit code.
func (s *Session) Exit(limit time.Duration) (int, error) {
	select {
	case <-s.done:
		return s.cmd.ProcessState.ExitCode(), nil
	case <-time.After(limit):
		return -1, fmt.Errorf("the program still runs after %v", limit)
	}
}

// Dir is the folder that the program was started in.
func (s *Session) Dir() string { return s.cmd.Dir }

// PID is the program's process.
func (s *Session) PID() int { return s.cmd.Process.Pid }

// Close kills the program, if it still runs, and frees the terminal.
func (s *Session) Close() {
	s.cmd.Process.Kill()
	<-s.done
	s.tty.Close()
}
