package wire

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// Reader reads what Writer wrote, without reflection. It is strict: whatever it does
// not expect (a key it is not told of, or that comes twice, null, a surrogate pair)
// makes it fail, and Into leaves the whole to encoding/json. Once it has failed, all
// methods return zero values.
type Reader struct {
	b      []byte
	at     int
	failed bool
}

// Into sets v, which is zero, to the value that data holds: by read where that takes
// every byte, by encoding/json otherwise, to the same value.
func Into[T any](data []byte, v *T, read func(r *Reader, v *T)) error {
	var quick T
	r := Reader{b: data}
	read(&r, &quick)
	r.space()
	if !r.failed && r.at == len(r.b) {
		*v = quick
		return nil
	}
	return json.Unmarshal(data, v)
}

// Fail gives the value up: encoding/json decides.
func (r *Reader) Fail() { r.failed = true }

func (r *Reader) space() {
	for r.at < len(r.b) && (r.b[r.at] == ' ' || r.b[r.at] == '\n' || r.b[r.at] == '\t' || r.b[r.at] == '\r') {
		r.at++
	}
}

// next takes c, behind white space, if it is there.
func (r *Reader) next(c byte) bool {
	r.space()
	if r.failed || r.at >= len(r.b) || r.b[r.at] != c {
		return false
	}
	r.at++
	return true
}

// word takes a word such as null, if it is there.
func (r *Reader) word(s string) bool {
	r.space()
	if r.failed || len(r.b)-r.at < len(s) || string(r.b[r.at:r.at+len(s)]) != s {
		return false
	}
	r.at += len(s)
	return true
}

// Null takes null, if it is there.
func (r *Reader) Null() bool { return r.word("null") }

// maxFields is how many keys of an object are told apart; ours have fewer.
const maxFields = 40

// Fields reads an object: field is called with each key, and reads the value. A key
// that it does not know it Fails.
func (r *Reader) Fields(field func(key string)) {
	if !r.next('{') {
		r.failed = true
		return
	}
	var keys [maxFields]string
	for n := 0; !r.next('}'); n++ {
		if r.failed || n == maxFields || n > 0 && !r.next(',') {
			r.failed = true
			return
		}
		key := r.Text()
		for _, k := range keys[:n] {
			r.failed = r.failed || k == key
		}
		keys[n] = key
		if !r.next(':') {
			r.failed = true
			return
		}
		field(key)
	}
}

// ReadList reads a list, one call an item; null is nil, an empty list is not.
func ReadList[T any](r *Reader, item func(r *Reader, v *T)) []T {
	if r.Null() {
		return nil
	}
	if !r.next('[') {
		r.failed = true
		return nil
	}
	list := []T{}
	for !r.next(']') {
		if r.failed || len(list) > 0 && !r.next(',') {
			r.failed = true
			return nil
		}
		var v T
		item(r, &v)
		list = append(list, v)
	}
	return list
}

// Text reads a string.
func (r *Reader) Text() string {
	if !r.next('"') {
		r.failed = true
		return ""
	}
	from := r.at
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '"':
			s := r.b[from:r.at]
			r.at++
			if !utf8.Valid(s) {
				r.failed = true
			}
			return string(s)
		case c == '\\':
			return r.escaped(from)
		case c < ' ':
			r.failed = true
			return ""
		}
	}
	r.failed = true
	return ""
}

// escaped reads the rest of a string, which began at from, behind its first escape.
func (r *Reader) escaped(from int) string {
	out := append([]byte(nil), r.b[from:r.at]...)
	for r.at < len(r.b) {
		c := r.b[r.at]
		r.at++
		switch {
		case c == '"' && utf8.Valid(out):
			return string(out)
		case c == '"' || c < ' ' || c == '\\' && r.at == len(r.b):
			r.failed = true
			return ""
		case c != '\\':
			out = append(out, c)
			continue
		}
		code := r.b[r.at]
		r.at++
		switch code {
		case '"', '\\', '/':
			out = append(out, code)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			out = r.unicode(out)
		default:
			r.failed = true
			return ""
		}
	}
	r.failed = true
	return ""
}

// unicode appends the rune of four hexadecimal digits.
func (r *Reader) unicode(out []byte) []byte {
	if len(r.b)-r.at < 4 {
		r.failed = true
		return out
	}
	n, err := strconv.ParseUint(string(r.b[r.at:r.at+4]), 16, 16)
	if err != nil || n >= 0xd800 && n < 0xe000 {
		r.failed = true
		return out
	}
	r.at += 4
	return utf8.AppendRune(out, rune(n))
}

// Int reads a whole number, but for the last few that int64 holds.
func (r *Reader) Int() int64 {
	r.space()
	from := r.at
	minus := r.next('-')
	first, n := r.at, int64(0)
	for ; r.at < len(r.b) && r.b[r.at] >= '0' && r.b[r.at] <= '9'; r.at++ {
		if n > math.MaxInt64/10-1 {
			r.failed = true
			return 0
		}
		n = n*10 + int64(r.b[r.at]-'0')
	}
	digits := r.b[first:r.at]
	if r.failed || len(digits) == 0 || digits[0] == '0' && r.at-from > 1 {
		r.failed = true
		return 0
	}
	if minus {
		n = -n
	}
	return n
}

// Bool reads true or false.
func (r *Reader) Bool() bool {
	if r.word("true") {
		return true
	}
	if !r.word("false") {
		r.failed = true
	}
	return false
}

// Time reads a moment.
func (r *Reader) Time() time.Time {
	r.space()
	from := r.at
	s := r.Text()
	var t time.Time
	// with an escape in it, encoding/json takes no moment
	if r.failed || r.at-from != len(s)+2 || t.UnmarshalText([]byte(s)) != nil {
		r.failed = true
	}
	return t
}
