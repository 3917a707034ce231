package legible_test

import (
	"encoding/json"
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

// What a program reads from JSON stays what it was; what a terminal shows of it obeys
// nothing.
func FuzzJSON(f *testing.F) {
	f.Add("a\x1b\u202e\u0085\x7f\u2028\u200f界 \\ \"")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		text, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		shown := legible.JSON(text)
		bad := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
		if strings.ContainsFunc(string(shown), bad) {
			t.Fatalf("%q became %q", s, shown)
		}
		var got map[string]string
		if err := json.Unmarshal(shown, &got); err != nil || got[s] != s || len(got) != 1 {
			t.Fatalf("%q came back as %q (%v)", s, got, err)
		}
	})
}
