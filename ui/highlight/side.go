package highlight

import (
	"context"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"overturn/themes"
	"overturn/ui/view"
)

// side colours one text, as far as it is asked to.
type side struct {
	lines view.Lines
	need  int // lines that anybody may look at
	text  string
	next  chroma.Iterator // nil before the first token
	pos   int             // bytes that were taken
	line  int             // where in text the line at pos begins
	out   view.Coloured
	done  bool
}

// start reads the text and sets the lexer to work.
func (s *side) start(sh *shelf, l language) error {
	text, ok := gather(s.lines, s.need)
	if !ok || len(text) == 0 {
		s.done = true
		return nil
	}
	lexer, err := sh.lexer(l.file, l.needs)
	if err != nil {
		return err
	}
	if l.file == "markdown" {
		sh.fenced(text)
	}
	s.text = string(text)
	s.next, err = lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, s.text)
	return err
}

// some is the tokens that are taken between two looks at the context and at the
// other side: at a few microseconds each, far below what a key would feel.
const some = 64

// advance takes some tokens.
func (s *side) advance(ctx context.Context) error {
	for range some {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t := s.next()
		if t == chroma.EOF || !s.take(t) {
			s.finish()
			return nil
		}
	}
	return nil
}

// resync is how far on a token is looked for when a lexer left something out.
const resync = 256

// take notes the runs of a token; false where it cannot be in the text.
func (s *side) take(t chroma.Token) bool {
	if !strings.HasPrefix(s.text[s.pos:], t.Value) {
		ahead := s.text[s.pos:min(s.pos+resync, len(s.text))]
		skip := strings.Index(ahead, t.Value)
		if skip < 0 {
			return false
		}
		s.run(ahead[:skip], themes.Text)
	}
	s.run(t.Value, role(t.Type))
	return true
}

// run notes that text, which is the next of the side, is painted as r.
func (s *side) run(text string, r themes.Role) {
	for text != "" {
		piece, rest, more := strings.Cut(text, "\n")
		from, to := s.pos-s.line, s.pos-s.line+len(piece)
		if r != themes.Text && from < to {
			s.note(uint32(from), uint32(to), uint8(r))
		}
		s.pos += len(piece)
		if more {
			s.pos++
			s.line = s.pos
			s.out.Ends = append(s.out.Ends, uint32(len(s.out.Runs)))
		}
		text = rest
	}
}

// note adds a run, or makes the one before it longer where that is of the same
// line. Runs that were handed out never change: they end where a line does.
func (s *side) note(from, to uint32, r uint8) {
	begun := uint32(0)
	if n := len(s.out.Ends); n > 0 {
		begun = s.out.Ends[n-1]
	}
	if n := len(s.out.Runs); n > int(begun) && s.out.Runs[n-1].To == from && s.out.Runs[n-1].Role == r {
		s.out.Runs[n-1].To = to
		return
	}
	s.out.Runs = append(s.out.Runs, view.Run{From: from, To: to, Role: r})
}

func (s *side) finish() {
	s.done, s.next, s.text = true, nil, ""
}

// share is how far the side has come, 1 at its end.
func (s *side) share() float64 {
	switch {
	case s.done:
		return 1
	case len(s.text) == 0:
		return 0
	}
	return float64(s.pos) / float64(len(s.text))
}

// known is what can be drawn so far: whole lines.
func (s *side) known() view.Coloured {
	runs := 0
	if n := len(s.out.Ends); n > 0 {
		runs = int(s.out.Ends[n-1])
	}
	return view.Coloured{Runs: s.out.Runs[:runs:runs], Ends: s.out.Ends[:len(s.out.Ends):len(s.out.Ends)]}
}
