package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"overturn/model"
	"overturn/model/legible"
)

// emit prints a verb's result on stdout: one JSON object that names its schema,
// or text. What a terminal would obey is written as escapes in both.
func (a *app) emit(schema string, value any, text func(w *bufio.Writer)) error {
	out := bufio.NewWriter(a.stdout)
	if !a.json {
		text(out)
		return flush(out)
	}
	body, err := json.Marshal(value)
	if err != nil {
		return model.Failf(err, "cannot write %s", schema)
	}
	fmt.Fprintf(out, `{"schema":%q`, schema)
	if rest := strings.TrimPrefix(string(legible.JSON(body)), "{"); rest != "}" {
		out.WriteString("," + rest)
	} else {
		out.WriteString(rest)
	}
	out.WriteByte('\n')
	return flush(out)
}

func flush(out *bufio.Writer) error {
	if err := out.Flush(); err != nil {
		return model.Failf(err, "cannot write the result")
	}
	return nil
}

// say tells people something on stderr.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.stderr, "overturn: "+format+"\n", args...)
}

// safe escapes what could drive a terminal: control characters, DEL, C1, bidi
// marks and bytes that are not UTF-8. Everything else stays as it is.
func safe(s string) string { return legible.Line(s) }

// safeBlock is safe for text of several lines.
func safeBlock(s string) string { return legible.Block(s) }

// oneLine is the first words of s on one line, cut at width characters.
func oneLine(s string, width int) string {
	s = safe(strings.Join(strings.Fields(s), " "))
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	runes := []rune(s)
	return string(runes[:width-1]) + "…"
}

// patches is where verbs write patches: the exact bytes for a program that reads
// them, escaped where a terminal would obey them.
func (a *app) patches() io.Writer {
	if isTerminal(a.stdout) {
		return &safeWriter{to: a.stdout}
	}
	return a.stdout
}

// safeWriter escapes what passes, line by line, so that no character is parted:
// what follows the last line feed waits for its own. Patches end in one.
type safeWriter struct {
	to   io.Writer
	rest []byte
}

func (w *safeWriter) Write(text []byte) (int, error) {
	w.rest = append(w.rest, text...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if _, err := io.WriteString(w.to, safeBlock(string(w.rest[:end]))); err != nil {
		return 0, err
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(text), nil
}

// joinJSON writes the members of two values as one object.
func joinJSON(first, second any) ([]byte, error) {
	a, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(second)
	if err != nil {
		return nil, err
	}
	return append(append(a[:len(a)-1], ','), b[1:]...), nil
}
