package legible_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"overturn/model/legible"
)

func TestLegible(t *testing.T) {
	for in, want := range map[string]string{
		"plain, ümläut, 漢, 👍🏽": "plain, ümläut, 漢, 👍🏽",
		"\x1b[2J":              `\x1b[2J`,
		"a\x9bb\u0085\x7f":     `a\x9bb\x85\x7f`,
		"\u202eevil\u2066":     `\u202eevil\u2066`,
		"caf\xe9":              `caf\xe9`,
		"two\nlines\t":         "two\\x0alines\\x09",
	} {
		if got := legible.Line(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := legible.Block("a\tb\r\n\x1b]52;c;eA==\a\n"); got != "a\tb\\x0d\n\\x1b]52;c;eA==\\x07\n" {
		t.Errorf("a block became %q", got)
	}
}

func FuzzBlock(f *testing.F) {
	f.Add("a\x1b\n\u202e\xff\u0085")
	f.Fuzz(func(t *testing.T, s string) {
		got := legible.Block(s)
		bad := func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}
		if !utf8.ValidString(got) || strings.ContainsFunc(got, bad) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
