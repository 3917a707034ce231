package patch

import (
	"bytes"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// gitDiff is the real program's patch of two contents, from its first hunk on.
func gitDiff(t testing.TB, dir string, old, new []byte, args ...string) string {
	t.Helper()
	for name, content := range map[string][]byte{"old": old, "new": new} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", append(append([]string{"diff", "--no-index", "--no-color", "--no-ext-diff"}, args...), "old", "new")...)
	cmd.Dir = dir
	cmd.Env = gitEnv(dir)
	out, err := cmd.Output()
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) {
		t.Fatalf("git diff: %v", err)
	}
	_, hunks, ok := bytes.Cut(out, []byte("\n@@ "))
	if !ok {
		return ""
	}
	return "@@ " + string(hunks)
}

func bareHeader(header string) string {
	return regexp.MustCompile(`^@@ [^@]*@@`).FindString(header)
}

func hunkHeaders(patch string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(patch, "\n") {
		if strings.HasPrefix(line, "@@ ") {
			b.WriteString(bareHeader(line) + "\n")
		}
	}
	return b.String()
}

func hunksText(d *Diff) string {
	var b bytes.Buffer
	if err := Unified(&b, FileHeader{Path: "x", OldMode: "100644", NewMode: "100644", OldID: "1", NewID: "2"}, d); err != nil {
		return err.Error()
	}
	_, hunks, ok := strings.Cut(b.String(), "\n@@ ")
	if !ok {
		return ""
	}
	return "@@ " + hunks
}

// samples are pairs of texts that bring out one thing each.
func samples() map[string][2]string {
	long := strings.Repeat("x", 70000)
	var source, changed strings.Builder
	for i := range 60 {
		line := []string{"func f() {", "\tcall(1)", "", "}", "// words"}[i%5]
		source.WriteString(line + " " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n")
		if i%13 == 5 {
			line = "changed"
		}
		if i != 30 {
			changed.WriteString(line + " " + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "\n")
		}
	}
	return map[string][2]string{
		"one line":             {"a\nb\nc\n", "a\nB\nc\n"},
		"added at the end":     {"a\nb\n", "a\nb\nc\n"},
		"added at the start":   {"a\nb\n", "0\na\nb\n"},
		"from empty":           {"", "a\nb\n"},
		"to empty":             {"a\nb\n", ""},
		"one line to none":     {"a\n", ""},
		"newline lost":         {"a\nb\n", "a\nb"},
		"newline won":          {"a\nb", "a\nb\n"},
		"no newline, context":  {"a\nb\nc", "A\nb\nc"},
		"no newline, both":     {"a\nb", "a\nc"},
		"CRLF":                 {"a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
		"CRLF to LF":           {"a\r\nb\r\n", "a\nb\n"},
		"lone CR":              {"a\rb\nc\n", "a\rB\nc\n"},
		"huge line":            {"a\n" + long + "\nb\n", "a\n" + long + "y\nb\n"},
		"six between: one":     {"1\na\nb\nc\nd\ne\nf\n2\n", "one\na\nb\nc\nd\ne\nf\ntwo\n"},
		"seven between: two":   {"1\na\nb\nc\nd\ne\nf\ng\n2\n", "one\na\nb\nc\nd\ne\nf\ng\ntwo\n"},
		"sections":             {source.String(), changed.String()},
		"invalid UTF-8":        {"\xff\n\xfe\n", "\xff\n\xfd\n"},
		"patch-like content":   {"--- a\n+++ b\n@@ -1 +1 @@\n", "--- a\n+++ c\n@@ -1 +1 @@\n"},
		"slides by indent":     {"func a() {\n\tx\n}\n\nfunc c() {\n\ty\n}\n", "func a() {\n\tx\n}\n\nfunc b() {\n\tz\n}\n\nfunc c() {\n\ty\n}\n"},
		"white space":          {"a b\nc\n", "ab\nc\n"},
		"white space and more": {"a b\n1\n2\n3\n4\n5\n6\n7\nc\n", "ab\n1\n2\n3\n4\n5\n6\n7\nC\n"},
		"blank line":           {"a\nb\n", "a\n\nb\n"},
	}
}

// TestUnifiedIsGits compares hunks with `git diff`, byte for byte, with several
// contexts and with white space ignored.
func TestUnifiedIsGits(t *testing.T) {
	dir := t.TempDir()
	for name, s := range samples() {
		old, new := []byte(s[0]), []byte(s[1])
		for _, o := range []struct {
			o    Options
			args []string
		}{
			{Options{}, nil}, {Options{Context: NoContext}, []string{"-U0"}}, {Options{Context: 1}, []string{"-U1"}},
			{Options{Context: 1000}, []string{"-U1000"}}, {Options{IgnoreSpace: true}, []string{"-w"}},
		} {
			want := gitDiff(t, dir, old, new, o.args...)
			if got := hunksText(Compare(old, new, o.o)); got != want {
				t.Errorf("%s %v:\n got %.400q\nwant %.400q", name, o.args, got, want)
			}
		}
	}
}

// TestAlignmentIsGits holds the hunks against `git diff` on random texts. Few words
// mean many equally short differences; the long texts reach the cut-offs, and
// those with indentation the heuristic that slides groups.
func TestAlignmentIsGits(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		rounds, lines, words, edits int
		space                       bool
	}{
		{25, 20, 2, 6, false}, {12, 200, 5, 60, false}, {20, 40, 9, 9, true}, {8, 300, 40, 40, true},
		{1, 5000, 3, 1500, false}, {1, 5000, 200, 3000, true}, {1, 8000, 20, 6000, false}, {1, 12000, 100000, 9000, false},
	} {
		for seed := range c.rounds {
			r := rand.New(rand.NewSource(int64(seed)))
			lines := randomLines(r, c.lines, c.words)
			old, new := sourceLike(lines, c.space), sourceLike(mutate(r, lines, c.edits, c.words), c.space)
			for _, o := range []Options{{}, {Context: NoContext}, {IgnoreSpace: true}} {
				args := []string{"-U3"}
				if o.Context == NoContext {
					args = []string{"-U0"}
				}
				if o.IgnoreSpace {
					args = append(args, "-w")
				}
				want := hunkHeaders(gitDiff(t, dir, old, new, args...))
				if got := hunkHeaders(hunksText(Compare(old, new, o))); got != want {
					t.Fatalf("%+v seed %d %v: aligned otherwise than git\n got %.300s\nwant %.300s", c, seed, args, got, want)
				}
			}
		}
	}
}

// sourceLike turns words into text; with space, some words stand for blank lines,
// braces and indented lines.
func sourceLike(words []string, space bool) []byte {
	var b strings.Builder
	for i, w := range words {
		if n, _ := strconv.Atoi(w); space {
			indent := []string{"", "\t", "\t\t", "    ", "  "}[(n+i/7)%5]
			w = indent + []string{w, "", "}", "{ " + w, " "}[n%5]
		}
		b.WriteString(w + "\n")
	}
	return []byte(b.String())
}

func TestHiddenSpaceAndNumbers(t *testing.T) {
	old := []byte("a b\n1\n2\n3\n4\n5\n6\n7\nc\n1\n2\n3\n4\n5\n6\n7\ne f\n")
	new := []byte("ab\n1\n2\n3\n4\n5\n6\n7\nC\n1\n2\n3\n4\n5\n6\n7\nef\n")
	d := Compare(old, new, Options{IgnoreSpace: true})
	if len(d.Hunks) != 1 || d.Hunks[0].Number != 2 || d.HiddenSpace != 2 || d.Adds != 1 || d.Dels != 1 {
		t.Errorf("%+v", d)
	}
	d = Compare(old, new, Options{Context: 4})
	if len(d.Hunks) != 1 || d.Hunks[0].Number != 1 || d.Hunks[0].Last != 3 || len(d.Exact()) != 3 || d.HiddenSpace != 0 {
		t.Errorf("%+v", d.Hunks)
	}
	d = Compare(old, new, Options{Context: NoContext})
	if len(d.Hunks) != 3 || d.Hunks[2].Number != 3 || d.Hunks[2].Last != 3 {
		t.Errorf("%+v", d.Hunks)
	}
}

func TestRowsFrom(t *testing.T) {
	for name, s := range samples() {
		d := Compare([]byte(s[0]), []byte(s[1]), Options{})
		for _, h := range d.Hunks {
			var all []Row
			for r := range d.Rows(h) {
				all = append(all, r)
			}
			if len(all) != h.Len() {
				t.Fatalf("%s: %d rows, Len is %d", name, len(all), h.Len())
			}
			for skip := range len(all) + 1 {
				at := skip
				for r := range d.RowsFrom(h, skip) {
					if r != all[at] {
						t.Fatalf("%s: row %d is %v, skipping %d %v", name, at, all[at], skip, r)
					}
					at++
				}
				if at != len(all) {
					t.Fatalf("%s: skipping %d gave %d rows of %d", name, skip, at-skip, len(all))
				}
			}
		}
	}
}

func TestIsBinary(t *testing.T) {
	far := append(bytes.Repeat([]byte("a"), binaryProbe), 0)
	for _, c := range []struct {
		b    []byte
		want bool
	}{{nil, false}, {[]byte("a\x00"), true}, {far, false}, {far[1:], true}, {[]byte("\xff\xfe"), false}} {
		if got := IsBinary(c.b); got != c.want {
			t.Errorf("%.20q of %d bytes: %v", c.b, len(c.b), got)
		}
	}
}

// TestDiffIsSmall: what a comparison keeps is a few bytes a line, beside the texts.
func TestDiffIsSmall(t *testing.T) {
	old, new := bigPair(500000, 0.2)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := Compare(old, new, Options{})
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if perLine := kept / int64(d.Old.Lines()+d.New.Lines()); perLine > 16 {
		t.Errorf("%d bytes a line are kept: %d for %d hunks", perLine, kept, len(d.Hunks))
	}
	runtime.KeepAlive(old)
	runtime.KeepAlive(new)
}

// FuzzCompare: whatever the texts, the edits turn one into the other, both ways,
// and the hunks hold together.
func FuzzCompare(f *testing.F) {
	for _, s := range samples() {
		if len(s[0]) < 10000 { // long seeds make the fuzzer slow
			f.Add([]byte(s[0]), []byte(s[1]))
		}
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		d := Compare(old, new, Options{})
		all, none := []Range{{0, d.Old.Lines()}}, Selection{}
		every := Selection{all, []Range{{0, d.New.Lines()}}}
		for name, pair := range map[string][2][]byte{
			"take all": {Take(d, every), new}, "take none": {Take(d, none), old},
			"without all": {Without(d, every), old}, "without none": {Without(d, none), new},
		} {
			if !bytes.Equal(pair[0], pair[1]) {
				t.Fatalf("%s: %q, want %q", name, pair[0], pair[1])
			}
		}
		for _, o := range []Options{{}, {IgnoreSpace: true}, {Context: NoContext}, {Context: 7}} {
			v := Compare(old, new, o)
			for _, h := range v.Hunks {
				if h.Number < 1 || h.Last < h.Number || h.Last > len(v.Exact()) {
					t.Fatalf("hunk numbers %d to %d of %d", h.Number, h.Last, len(v.Exact()))
				}
				rows := 0
				for r := range v.Rows(h) {
					v.Text(r)
					rows++
				}
				if rows != h.Len() {
					t.Fatalf("%d rows, Len %d", rows, h.Len())
				}
			}
		}
	})
}

// TestShownOtherwise: a comparison that is shown otherwise is the one that is made
// anew, and where white space makes no two lines equal, ignoring it changes nothing.
func TestShownOtherwise(t *testing.T) {
	list := slices.Collect(maps.Values(samples()))
	list = append(list, [2]string{"", "a\n"}, [2]string{"a b\nab\n", "ab\nx\na b\n"}, [2]string{"a\n\n\nb\n", "a\n\nb\n \n"}, [2]string{"x\ny\nx\ny\n", "y\nx\ny\nx\n"})
	mattered := 0
	for i, s := range list {
		old, now := []byte(s[0]), []byte(s[1])
		exact := Compare(old, now, Options{})
		for _, o := range []Options{{}, {IgnoreSpace: true}, {Context: NoContext}, {Context: 7, IgnoreSpace: true}} {
			want := Compare(old, now, o)
			for _, from := range []*Diff{exact, want} {
				got, want := *from.As(o), *want
				got.spaced, want.spaced = nil, nil
				if !reflect.DeepEqual(got, want) {
					t.Errorf("sample %d, %+v: %+v, want %+v", i, o, got, want)
				}
			}
			if o.IgnoreSpace {
				var shown []Edit
				for _, h := range want.Hunks {
					shown = append(shown, h.Edits...)
				}
				if all := (alignment{space: true, indent: true}).edits(NewText(old), NewText(now)); !slices.Equal(shown, all) {
					t.Errorf("sample %d: shown %v, want %v", i, shown, all)
				}
			}
		}
		if exact.spaced.matters {
			mattered++
		}
	}
	if mattered == 0 || mattered == len(list) {
		t.Errorf("white space matters in %d of %d samples", mattered, len(list))
	}
}

// Over SpaceLimit white space counts, whatever is asked for.
func TestWhiteSpaceCountsInLargeTexts(t *testing.T) {
	line := strings.Repeat("x", 1<<10) + "\n"
	for _, c := range []struct{ lines, hunks int }{{3 << 10, 0}, {5 << 10, 1}} {
		old := []byte(strings.Repeat(line, c.lines))
		now := append([]byte("  "), old...)
		for name, d := range map[string]*Diff{"at once": Compare(old, now, Options{IgnoreSpace: true}), "later": Compare(old, now, Options{}).As(Options{IgnoreSpace: true})} {
			if len(d.Hunks) != c.hunks || d.HiddenSpace != 1-c.hunks || d.Large() != (c.hunks > 0) {
				t.Errorf("%d KB, %s: %d hunks, %d hidden", c.lines, name, len(d.Hunks), d.HiddenSpace)
			}
		}
	}
}
