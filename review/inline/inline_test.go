package inline

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// marked puts spans into brackets.
func marked(line string, spans [][2]int) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(line[at:s[0]] + "[" + line[s[0]:s[1]] + "]")
		at = s[1]
	}
	return b.String() + line[at:]
}

func TestEmphasis(t *testing.T) {
	long := strings.Repeat("w ", maxTokens)
	for _, c := range []struct{ old, new, wantOld, wantNew string }{
		{"return count + 1", "return total + 1", "return [count] + 1", "return [total] + 1"},
		{"f(a, b)", "f(a, b, c)", "f(a, b)", "f(a, b[, c])"},
		{"f(a, b, c)", "f(c)", "f([a, b, ]c)", "f(c)"},
		{"f(aa, bb, cc)", "f(c)", "f(aa, bb, cc)", "f(c)"}, // too little is left
		{"\tif x {", "\t\tif x {", "[\t]if x {", "[\t\t]if x {"},
		{"same", "same", "same", "same"},
		{"", "all new", "", "all new"},
		{"nothing alike", "#####", "nothing alike", "#####"},
		{"größe = 1", "größen = 1", "[größe] = 1", "[größen] = 1"},
		{"a\xffb = call(1)", "a\xfeb = call(1)", "a[\xff]b = call(1)", "a[\xfe]b = call(1)"},
		{"x := \"日本\"; y()", "x := \"日本語\"; y()", "x := \"[日本]\"; y()", "x := \"[日本語]\"; y()"},
		{long + "a", long + "b", long + "[a]", long + "[b]"},
		{"a " + long + "z", "b " + long[2:] + "y", "a " + long + "z", "b " + long[2:] + "y"}, // beyond the bound
	} {
		o, n := Emphasis([]byte(c.old), []byte(c.new))
		if got := marked(c.old, o); got != c.wantOld {
			t.Errorf("%.60q: old %.80q", c.old, got)
		}
		if got := marked(c.new, n); got != c.wantNew {
			t.Errorf("%.60q: new %.80q", c.new, got)
		}
	}
}

func TestTooLong(t *testing.T) {
	line := strings.Repeat("x", maxLine)
	if o, n := Emphasis([]byte(line+"y"), []byte(line)); o != nil || n != nil {
		t.Errorf("%v %v", o, n)
	}
}

// FuzzEmphasis: spans are in order, in bounds, do not cut characters, and leave
// the same text on both sides.
func FuzzEmphasis(f *testing.F) {
	f.Add("return count + 1", "return total + 1")
	f.Add("a\xff\xfeb", "\xf0\x9f\x98b")
	f.Add("\u0301e", "e\u0301")
	f.Fuzz(func(t *testing.T, old, new string) {
		o, n := Emphasis([]byte(old), []byte(new))
		if o == nil && n == nil {
			return
		}
		if a, b := rest(t, old, o), rest(t, new, n); a != b {
			t.Fatalf("%q and %q are left", a, b)
		}
		again, more := Emphasis([]byte(old), []byte(new))
		if !reflect.DeepEqual(o, again) || !reflect.DeepEqual(n, more) {
			t.Fatal("not the same twice")
		}
	})
}

func rest(t *testing.T, line string, spans [][2]int) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] < at || s[1] <= s[0] || s[1] > len(line) {
			t.Fatalf("%v in %d bytes", spans, len(line))
		}
		if utf8.ValidString(line) && !utf8.ValidString(line[s[0]:s[1]]) {
			t.Fatalf("%v cuts a character of %q", s, line)
		}
		b.WriteString(line[at:s[0]])
		at = s[1]
	}
	return b.String() + line[at:]
}
