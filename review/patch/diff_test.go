package patch

import (
	"bytes"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
