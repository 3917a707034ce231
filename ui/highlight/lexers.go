package highlight

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"path"

	"github.com/alecthomas/chroma/v2"
)

//go:embed lexers/*.xml
var definitions embed.FS

// shelf holds the lexers that were needed so far. One step at a time has it:
// they are no good to two.
type shelf struct {
	turn     chan struct{} // holds a token while nobody uses the shelf
	registry *chroma.LexerRegistry
	known    map[string]chroma.Lexer
}

func newShelf() *shelf {
	s := &shelf{turn: make(chan struct{}, 1), registry: chroma.NewLexerRegistry(), known: map[string]chroma.Lexer{}}
	s.turn <- struct{}{}
	return s
}

// take waits for the shelf; give gives it back.
func (s *shelf) take(ctx context.Context) error {
	select {
	case <-s.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *shelf) give() { s.turn <- struct{}{} }

// lexer makes the lexer of a language, and of those inside it.
func (s *shelf) lexer(file string, needs []string) (chroma.Lexer, error) {
	for _, n := range needs {
		if _, err := s.lexer(n, nil); err != nil {
			return nil, err
		}
	}
	if l, ok := s.known[file]; ok {
		return l, nil
	}
	data, err := definitions.ReadFile(path.Join("lexers", file+".xml"))
	if err != nil {
		return nil, fmt.Errorf("no lexer of that name: %w", err)
	}
	l, err := chroma.Unmarshal(data)
	if err != nil {
		return nil, fmt.Errorf("lexer %s: %w", file, err)
	}
	s.known[file] = s.registry.Register(l)
	return s.known[file], nil
}

// fenced makes the lexers that code blocks of a Markdown text name.
func (s *shelf) fenced(text []byte) {
	for rest := text; ; {
		i := bytes.Index(rest, []byte("\n```"))
		if i < 0 {
			return
		}
		rest = rest[i+4:]
		end := bytes.IndexByte(rest, '\n')
		if end <= 0 || end > 20 {
			continue
		}
		word := string(bytes.TrimSpace(rest[:end]))
		if l, ok := named("x."+word, nil); ok {
			_, _ = s.lexer(l.file, l.needs) // what it does not know stays plain
		} else if l, ok := named(word, nil); ok {
			_, _ = s.lexer(l.file, l.needs)
		} else if l, ok := byFile(word); ok {
			_, _ = s.lexer(l.file, l.needs)
		}
	}
}

func byFile(file string) (language, bool) {
	return find(languages(), func(l language) string { return l.file }, file)
}
