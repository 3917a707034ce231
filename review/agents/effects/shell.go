package effects

import "strings"

// Bounds of what is taken apart.
const (
	maxText     = 64 << 10
	maxCommands = 400
	maxDepth    = 6
)

// simple is one simple command: a program and its words, quotes resolved.
type simple struct {
	words      []string
	targets    []string // files that output is sent to
	background bool
}

// split takes a command line apart into simple commands, in order, with those
// of substitutions behind the command that holds them. Text that no shell would
// take is read as far as it goes.
func split(text string) []simple {
	if len(text) > maxText {
		text = text[:maxText]
	}
	l := &lexer{text: text}
	l.run(0)
	return l.out
}

type lexer struct {
	text  string
	pos   int
	out   []simple
	cur   simple
	word  strings.Builder
	open  bool     // a word has begun, maybe an empty one
	redir bool     // the next word is where output goes
	skip  bool     // the next word is where input comes from
	docs  []string // ends of here documents that start at the next line
	inner []string // texts of substitutions in the current command
}

func (l *lexer) run(depth int) {
	for l.pos < len(l.text) && len(l.out) < maxCommands {
		c := l.text[l.pos]
		l.pos++
		switch c {
		case ' ', '\t', '\r':
			l.endWord()
		case '\n':
			l.endCommand(false, depth)
			l.hereDocuments()
		case ';', '(', ')':
			l.endCommand(false, depth)
		case '|':
			l.endCommand(false, depth)
		case '&':
			l.ampersand(depth)
		case '>', '<':
			l.redirect(c)
		case '#':
			l.hash()
		default:
			l.pos--
			l.quoted()
		}
	}
	l.endCommand(false, depth)
}

// quoted reads one quoted stretch, escape, substitution or plain byte into the word.
func (l *lexer) quoted() {
	c := l.text[l.pos]
	l.pos++
	switch c {
	case '\'':
		l.open = true
		l.word.WriteString(l.until('\''))
	case '"':
		l.open = true
		l.double()
	case '\\':
		if l.pos < len(l.text) {
			if l.text[l.pos] != '\n' {
				l.put(l.text[l.pos])
			}
			l.pos++
		}
	case '`':
		l.substitution(l.until('`'))
	case '$':
		l.dollar()
	default:
		l.put(c)
	}
}

func (l *lexer) put(c byte) {
	l.open = true
	l.word.WriteByte(c)
}

func (l *lexer) until(end byte) string {
	rest := l.text[l.pos:]
	i := strings.IndexByte(rest, end)
	if i < 0 {
		l.pos = len(l.text)
		return rest
	}
	l.pos += i + 1
	return rest[:i]
}

func (l *lexer) double() {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		l.pos++
		switch {
		case c == '"':
			return
		case c == '\\' && l.pos < len(l.text):
			l.word.WriteByte(l.text[l.pos])
			l.pos++
		case c == '`':
			l.substitution(l.until('`'))
		case c == '$':
			l.dollar()
		default:
			l.word.WriteByte(c)
		}
	}
}

// dollar reads $(…) as a substitution; every other use stays text.
func (l *lexer) dollar() {
	if l.pos >= len(l.text) || l.text[l.pos] != '(' {
		l.put('$')
		return
	}
	l.pos++
	start, depth := l.pos, 1
	for l.pos < len(l.text) && depth > 0 {
		switch l.text[l.pos] {
		case '(':
			depth++
		case ')':
			depth--
		case '\\':
			l.pos++
		}
		l.pos++
	}
	end := min(l.pos, len(l.text))
	l.pos = end
	if depth == 0 {
		end--
	}
	l.substitution(l.text[start:max(start, end)])
}

func (l *lexer) substitution(text string) {
	l.inner = append(l.inner, text)
	l.open = true
	l.word.WriteString("$(…)")
}

func (l *lexer) ampersand(depth int) {
	switch {
	case l.pos < len(l.text) && l.text[l.pos] == '&':
		l.pos++
		l.endCommand(false, depth)
	case l.pos < len(l.text) && l.text[l.pos] == '>':
		l.endWord()
		l.pos++
		l.redirect('>')
	default:
		l.endCommand(true, depth)
	}
}

// redirect reads what follows the first > or <.
func (l *lexer) redirect(c byte) {
	if w := l.word.String(); l.open && strings.Trim(w, "0123456789") == "" {
		l.open = false
		l.word.Reset()
	}
	l.endWord()
	rest := l.text[l.pos:]
	switch {
	case c == '<' && strings.HasPrefix(rest, "<<"):
		l.pos += 2
		l.skip = true
	case c == '<' && strings.HasPrefix(rest, "<"):
		l.pos++
		l.hereStart()
	case c == '<':
		l.skip = true
	case strings.HasPrefix(rest, "&"):
		l.pos++
		l.skip = true
	default:
		if strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "|") {
			l.pos++
		}
		l.redir = true
	}
}

// hereStart reads the word behind << and remembers it as the end of a document.
func (l *lexer) hereStart() {
	if l.pos < len(l.text) && l.text[l.pos] == '-' {
		l.pos++
	}
	rest := strings.TrimLeft(l.text[l.pos:], " \t")
	l.pos = len(l.text) - len(rest)
	end := strings.IndexAny(rest, " \t\r\n;&|<>()")
	if end < 0 {
		end = len(rest)
	}
	l.pos += end
	if word := strings.Trim(rest[:end], `'"\`); word != "" {
		l.docs = append(l.docs, word)
	}
}

func (l *lexer) hereDocuments() {
	for _, end := range l.docs {
		for l.pos < len(l.text) {
			line := l.until('\n')
			if strings.Trim(line, "\t\r ") == end {
				break
			}
		}
	}
	l.docs = nil
}

func (l *lexer) hash() {
	if l.open {
		l.put('#')
		return
	}
	if i := strings.IndexByte(l.text[l.pos:], '\n'); i >= 0 {
		l.pos += i
	} else {
		l.pos = len(l.text)
	}
}

func (l *lexer) endWord() {
	if !l.open {
		return
	}
	w := l.word.String()
	l.word.Reset()
	l.open = false
	switch {
	case l.skip:
		l.skip = false
	case l.redir:
		l.redir = false
		l.cur.targets = append(l.cur.targets, w)
	default:
		l.cur.words = append(l.cur.words, w)
	}
}

func (l *lexer) endCommand(background bool, depth int) {
	l.endWord()
	l.skip, l.redir = false, false
	cur, inner := l.cur, l.inner
	l.cur, l.inner = simple{}, nil
	cur.background = background
	if len(cur.words) > 0 || len(cur.targets) > 0 {
		l.out = append(l.out, cur)
	}
	if depth >= maxDepth {
		return
	}
	for _, text := range inner {
		sub := &lexer{text: text}
		sub.run(depth + 1)
		l.out = append(l.out, sub.out[:min(len(sub.out), max(0, maxCommands-len(l.out)))]...)
	}
}
