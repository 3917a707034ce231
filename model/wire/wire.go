// Package wire writes JSON without reflection, for what every hook writes: the first
// use of encoding/json on a type costs a process that lives for milliseconds more
// than all that it has to say. The bytes are those of encoding/json, which still
// reads them. It is pure; nothing is left by a crash.
package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Writer makes one JSON value. Every method takes the key of a field, or "" for
// what stands in a list or alone. The zero value is ready.
type Writer struct {
	b      []byte
	indent bool
	depth  int // objects and lists that are open
}

// Indented is a Writer with a line for each value, one blank further in at each
// depth, as json.Indent(…, "", " ") writes it.
func Indented() *Writer { return &Writer{indent: true} }

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.b }

// lead writes what comes before a value.
func (w *Writer) lead(key string) {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '[' {
		w.b = append(w.b, ',')
	}
	w.line()
	if key != "" {
		w.quote(key)
		w.b = append(w.b, ':')
		if w.indent {
			w.b = append(w.b, ' ')
		}
	}
}

// line begins a line, where there are any.
func (w *Writer) line() {
	if w.indent && len(w.b) > 0 {
		w.b = append(w.b, '\n')
		for range w.depth {
			w.b = append(w.b, ' ')
		}
	}
}

func (w *Writer) open(key string, c byte) {
	w.lead(key)
	w.b = append(w.b, c)
	w.depth++
}

// end ends what was opened last, with c; opener is what it began with.
func (w *Writer) end(opener, c byte) {
	w.depth--
	if w.b[len(w.b)-1] != opener {
		w.line()
	}
	w.b = append(w.b, c)
}

// Open begins an object.
func (w *Writer) Open(key string) { w.open(key, '{') }

// Close ends the object begun last.
func (w *Writer) Close() { w.end('{', '}') }

// Text writes a string.
func (w *Writer) Text(key, s string) {
	w.lead(key)
	w.quote(s)
}

// TextIf writes a string that is not empty.
func (w *Writer) TextIf(key, s string) {
	if s != "" {
		w.Text(key, s)
	}
}

// Int writes a number.
func (w *Writer) Int(key string, n int) {
	w.lead(key)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

// IntIf writes a number other than 0.
func (w *Writer) IntIf(key string, n int) {
	if n != 0 {
		w.Int(key, n)
	}
}

// Bool writes true or false.
func (w *Writer) Bool(key string, v bool) {
	w.lead(key)
	w.b = strconv.AppendBool(w.b, v)
}

// BoolIf writes what is true.
func (w *Writer) BoolIf(key string, v bool) {
	if v {
		w.Bool(key, v)
	}
}

// Null writes null.
func (w *Writer) Null(key string) {
	w.lead(key)
	w.b = append(w.b, "null"...)
}

// Time writes a moment in RFC 3339, to the nanosecond where it has one.
func (w *Writer) Time(key string, t time.Time) {
	w.lead(key)
	w.b = append(t.AppendFormat(append(w.b, '"'), time.RFC3339Nano), '"')
}

// Any writes a value through encoding/json.
func (w *Writer) Any(key string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.lead(key)
	if !w.indent {
		w.b = append(w.b, data...)
		return nil
	}
	out := bytes.NewBuffer(w.b)
	err = json.Indent(out, data, strings.Repeat(" ", w.depth), " ")
	w.b = out.Bytes()
	return err
}

// List writes a list, one value an item; each is given the item itself.
func List[T any](w *Writer, key string, list []T, each func(item *T)) {
	w.open(key, '[')
	for i := range list {
		each(&list[i])
	}
	w.end('[', ']')
}

// quote escapes as encoding/json does, HTML's marks and what is not UTF-8 included.
func (w *Writer) quote(s string) {
	const hex = "0123456789abcdef"
	b := append(w.b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				b = append(append(b, s[from:i]...), `\ufffd`...)
				from = i + size
			case r == '\u2028' || r == '\u2029':
				b = append(append(b, s[from:i]...), `\u202`...)
				b = append(b, hex[r&0xf])
				from = i + size
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
		i++
		from = i
	}
	w.b = append(append(b, s[from:]...), '"')
}
