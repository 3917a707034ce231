package casebook_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/review/patch"
)

// TestCasebookS: the review in the terminal.
func TestCasebookS(t *testing.T) {
	runCases(t, []caseOf{
		{"S-01", caseEscapesOnScreen},
		{"S-03", caseDamageIsNoEmptyReview},
		{"S-04", caseRowForEachFile},
	})
}

// hostile is a file of what terminals obey, a line each, with how it is drawn.
func hostile() (lines, shown []string) {
	for _, l := range [][2]string{
		{"title \x1b]0;owned\a end", "title ^[]0;owned^G end"},
		{"clear \x1b[2J\x1b[H end", "clear ^[[2J^[[H end"},
		{"bell \a end", "bell ^G end"},
		{"over\rwritten", "over^Mwritten"},
		{"c1 \xc2\x9b31m end", "c1 <U+009B>31m end"},
		{"raw \x9b31m\x90q\x9c end", "raw <9B>31m<90>q<9C> end"},
		{"bidi \u202eevil\u2066 end", "bidi <U+202E>evil<U+2066> end"},
		{"del \x7f nul \x00end", "del ^? nul ^@end"},
		{"link \x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "link ^[]8;;http://x^[\\text^[]8;;^[\\"},
		{"copy \x1b]52;c;aGk=\a end", "copy ^[]52;c;aGk=^G end"},
	} {
		lines, shown = append(lines, l[0]), append(shown, l[1])
	}
	return lines, shown
}

// caseEscapesOnScreen: nothing that a file or its name holds is obeyed; what is
// stored is as it was. NUL makes a file binary for git, so that line is in a file
// of its own.
func caseEscapesOnScreen(b *book) {
	lines, shown := hostile()
	var text []string
	var want []string
	for i, l := range lines {
		if !strings.Contains(l, "\x00") {
			text, want = append(text, l), append(want, shown[i])
		}
	}
	content := strings.Join(text, "\n") + "\n"
	name := "bad\x1b]0;named\a\u202e.txt"
	b.Write("plain", "plain\n")
	b.Commit("base")
	b.ok("turn", "start", "--thread", "T", "--prompt", "prompt \x1b]0;owned\a\x1b[2J\u202e end")
	b.Write(name, content)
	b.Write("nul", "a\x00\x1b]0;owned\ab\n")
	b.Write("plain", content)
	b.ok("turn", "effect", "--thread", "T", "--domain", "network", "--summary", "call \x1b]0;owned\a")
	b.end("T")
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b.forgetLook()
		s := b.review(size[0], size[1])
		s.wait("bad^[]0;named^G<U+202E>", "1 R ready")
		s.press("<enter>w", "new file, mode")
		s.seeEach(want)
		s.press("s", "new file, mode")
		if s.rest(); size[0] > 100 { // side by side there is room for whole lines
			s.seeEach(want)
		}
		s.press("s.", "nul  added", "binary")
		s.press(".", "plain  modified", "-plain")
		s.seeEach(want)
		s.press("i", "Checkpoint of turn 1", "^[]0;owned^G")
		s.keys("<esc>")
		s.quit()
	}
	if got := b.Git("cat-file", "blob", b.show("T", "1").End.Ref+":plain") + "\n"; got != content {
		b.t.Errorf("stored is %q", got)
	}
	// What is printed for people is as safe; a patch is for programs.
	for _, call := range [][]string{{"turns"}, {"show", "1"}, {"status"}, {"threads"}, {"diff", "--name-status"}, {"diff", "--stat"}, {"history"}} {
		r := b.exits(0, call...)
		if i := strings.IndexFunc(r.stdout+r.stderr, func(c rune) bool { return c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c == 0x202e }); i >= 0 {
			b.t.Errorf("overturn %s prints %q", strings.Join(call, " "), (r.stdout + r.stderr)[i:])
		}
	}
}

// caseDamageIsNoEmptyReview: what cannot be read is an error, on the screen too,
// and never "no files". (overturn compares trees and parses no patch: what is cut
// short here are its objects.)
func caseDamageIsNoEmptyReview(b *book) {
	b.write("one\n", "a", "d/b")
	b.Commit("base")
	b.turn("T", func() { b.write("two\n", "a", "d/b") })
	end := b.show("T", "1").End
	for what, oid := range map[string]string{"tree": b.Git("rev-parse", end.Ref+"^{tree}"), "folder": b.Git("rev-parse", end.Ref+":d"), "content": b.Git("rev-parse", end.Ref+":a")} {
		undo := b.truncate(oid)
		code := 1
		if what == "content" { // the other file can be shown
			code = 3
		}
		for _, call := range [][]string{{"diff", "latest"}, {"diff", "latest", "--stat"}} {
			if r := b.exits(code, call...); !strings.Contains(r.stderr, oid) {
				b.t.Errorf("%s is cut short: overturn %s says %s", what, strings.Join(call, " "), r.stderr)
			}
		}
		b.ok("unstage")
		if r := b.overturn("stage", "latest"); r.code != 1 && !strings.Contains(r.stdout, "conflict write   take-out agent   a  turn 1 of thread T: cannot read") {
			b.t.Errorf("%s is cut short: overturn stage latest exits %d\n%s%s", what, r.code, r.stdout, r.stderr)
		}
		s := b.review(100, 30)
		s.wait(oid[:7])
		s.lacks("Nothing differs")
		s.quit()
		undo()
	}
	b.ok("diff", "latest")

	// The patch of a plan holds as many files as the plan, however it is cut.
	b.stage("latest")
	text := []byte(b.ok("plan", "--patch"))
	for _, format := range []string{"%s", "  %s", "From: x\n%s"} {
		files, err := patch.Parse([]byte(fmt.Sprintf(format, text)))
		if (err == nil) != (format == "%s") || err == nil && len(files) != len(b.plan().Targets) {
			b.t.Errorf("%q: %d files, %v", format, len(files), err)
		}
	}
	for cut := bytes.Index(text, []byte("diff --git")) + 1; cut < len(text); cut++ {
		if files, err := patch.Parse(text[:cut]); err == nil && !bytes.HasPrefix(text[cut:], []byte("diff ")) && text[cut] != '\n' {
			b.t.Errorf("cut after %d bytes it is read as %d files", cut, len(files))
		}
	}
}

// truncate cuts an object short; undo gives it back.
func (b *book) truncate(oid string) (undo func()) {
	b.t.Helper()
	packs, _ := filepath.Glob(filepath.Join(b.GitDir(), "objects", "pack", "*.pack"))
	if len(packs) > 0 { // loose, so that one object alone can be cut
		away := b.t.TempDir()
		for _, p := range packs {
			for _, ext := range []string{".pack", ".idx", ".keep", ".rev"} {
				os.Rename(strings.TrimSuffix(p, ".pack")+ext, filepath.Join(away, strings.TrimSuffix(filepath.Base(p), ".pack")+ext))
			}
			b.sh("git unpack-objects -q < '" + filepath.Join(away, filepath.Base(p)) + "'")
		}
	}
	name := filepath.Join(b.GitDir(), "objects", oid[:2], oid[2:])
	whole, err := os.ReadFile(name)
	if err != nil {
		b.t.Fatal(err)
	}
	put := func(data []byte) {
		os.Remove(name)
		if err := os.WriteFile(name, data, 0o444); err != nil {
			b.t.Fatal(err)
		}
	}
	put(whole[:len(whole)/2])
	return func() { put(whole) }
}

// caseRowForEachFile: a new folder is its files, and moved files are pairs whose
// both sides go back together.
func caseRowForEachFile(b *book) {
	paths := make([]string, 30)
	for i := range paths {
		paths[i] = fmt.Sprintf("old/f%02d", i)
		b.Write(paths[i], strings.Repeat(paths[i]+"\n", 5))
	}
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		for i := range paths {
			b.Write(fmt.Sprintf("made/n%02d", i), fmt.Sprintf("new %d\n", i))
		}
	})
	b.turn("T", func() { b.sh("mv old moved") })
	for _, scope := range []string{"working", "1"} {
		list := b.ok("diff", scope, "--name-status")
		if got := strings.Count(list, " made/n"); got != 30 {
			b.t.Errorf("%s: %d rows for 30 new files:\n%s", scope, got, list)
		}
	}
	list := b.ok("diff", "2", "--name-status")
	if strings.Count(list, "renamed ") != 30 || strings.Count(list, "\n") != 30 {
		b.t.Errorf("30 files moved:\n%s", list)
	}
	if list = b.ok("diff", "2"); strings.Count(list, "similarity index 100%\n") != 30 {
		b.t.Errorf("the patch of 30 moved files:\n%s", list)
	}
	s := b.review(120, 60)
	s.wait("30 files", "moved")
	for i := range 30 {
		s.wait(fmt.Sprintf("f%02d", i))
	}
	s.lacks("deleted")
	s.press("4", "n00", "n29", "30 files") // the turn before the latest: the new folder
	s.press("3", "f00")
	s.press("jX", "staged")
	s.quit()
	if p := b.plan(); p.verdicts() != "moved/f01 delete clean, old/f01 create clean" {
		b.t.Errorf("one row of a rename stages %s", p.verdicts())
	}
	b.rollback("2")
	b.rollback("1")
	b.restored(before)
}
