//go:build linux || darwin

package screentest_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

const moved = "def total(items):\n    amount = 0\n    for item in items:\n        amount += item.price\n    return amount\n"

func lines(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i+1)
	}
	return b.String()
}

// ofEveryKind records a turn that changes a file of every kind that the review says
// something about, and an edit of the user's before it.
func ofEveryKind(t *testing.T) *desk {
	d := &desk{gittest.New(t), t}
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x40\x00\x00\x00\x20\x08"
	for name, text := range map[string]string{
		"go.sum": lines("sum", 5), "made/list.txt": lines("made", 5), "cart.py": "import log\n\n" + moved + lines("# rest", 30), "util.py": lines("# util", 30),
		"merge.txt": "one\n", "run.sh": "#!/bin/sh\n", "old name.txt": lines("kept", 20), "logo.png": png, "ends.txt": lines("end", 3), "sly.py": "ok = True\n",
		"space.txt": lines("a b", 3), "last.txt": "one\ntwo\n", ".gitattributes": "made/** linguist-generated\n",
	} {
		d.Write(name, text)
	}
	d.Commit("first")
	d.Write("yours.txt", "the user's own\n")
	d.turn("Change one of each", func() {
		d.Write("go.sum", lines("sum", 6))
		d.Write("made/list.txt", lines("made", 7))
		d.Write("cart.py", "import log\n\n"+lines("# rest", 30))
		d.Write("util.py", lines("# util", 30)+moved)
		d.Write("merge.txt", "<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n")
		d.Chmod("run.sh", 0o755)
		d.Remove("old name.txt")
		d.Write("new name.txt", lines("kept", 20)+"and one\n")
		d.Write("logo.png", png+"more")
		d.Write("ends.txt", strings.ReplaceAll(lines("end", 3), "\n", "\r\n"))
		d.Write("sly.py", "ok = False\u202e # \u2066\n")
		d.Write("space.txt", strings.Replace(lines("a b", 3), "a b 2", "a  b 2", 1))
		d.Write("last.txt", "one\ntwo")
	})
	return d
}

// What a reader should know stands above the lines, or in their place.
func TestFilesOfEveryKind(t *testing.T) {
	s := ofEveryKind(t).review(120, 36)
	s.press("", "12 files")
	for _, c := range []struct {
		file  string
		wants []string
	}{
		{"go.sum", []string{"▸ folded: lock file · 1 hunk  +1 −0 — Enter opens"}},
		{"list.txt", []string{"▸ folded: generated, by linguist-generated · 1 hunk  +2 −0"}},
		{"cart.py", []string{"→ moved to util.py:31, 5 lines", "-def total(items):"}},
		{"util.py", []string{"← moved from cart.py:3, 5 lines", "+def total(items):"}},
		{"merge.txt", []string{"! conflict markers in lines 1–5", "+<<<<<<< ours"}},
		{"run.sh", []string{"mode 100644 → 100755, made executable"}},
		{"new name", []string{"renamed from old name.txt, 9", "% alike", "+and one"}},
		{"logo.png", []string{"binary, PNG image 64×32, 25 → 29 bytes (+4)"}},
		{"ends.txt", []string{"line ends: LF → CRLF", "only whitespace differs, in 1 hunk — W shows it"}},
		{"sly.py", []string{"! in added lines: 2 bidi marks (first in line 1)", "+ok = False<U+202E> # <U+2066>"}},
		{"space.txt", []string{"Only whitespace differs, in 1 hunk.", "W shows it."}},
		{"last.txt", []string{"no line feed at the end any more", "only whitespace differs, in 1 hunk — W shows it"}},
	} {
		s.press("p"+c.file, "file: "+c.file)
		s.press("<enter>", append(c.wants, c.file)...)
	}
	s.press("pspace.txt<enter>W", "+a  b 2", "-a b 2")
	s.press("plast.txt<enter>", "-two", "+two", `\ No newline at end of file`)
	s.press("pends.txt<enter>", "+end 1^M")
	s.press("W", "whitespace changes are hidden")
	s.press("pgo.sum<enter><tab><enter>", "+sum 6", "@@ -3,3 +3,4 @@")
	s.press("1", "HEAD", "13 files")
	s.press("A", "12 of 13 files agent's")
	s.quit()
}

// ctrl+f looks into all files; Enter and n go there.
func TestSearchInTheRealFiles(t *testing.T) {
	s := ofEveryKind(t).review(120, 36)
	s.press("", "12 files")
	s.press("<c-f>", "search all files:")
	s.press("amount<enter>", "Search: amount", "6 matches in 2 files", "4 -     amount = 0", "32 +     amount = 0", "cart.py", "util.py")
	s.press("<enter>", "match 1 of 6", "cart.py  modified", "-    amount = 0")
	s.press("nnn", "match 4 of 6", "util.py  modified", "+    amount = 0")
	s.press("<c-f>", "search all files: amount")
	s.press("\x15rest 25<enter>", "1 match in 1 file", "   # rest 25")
	s.press("<enter>", "match 1 of 1", "# rest 25", "cart.py  modified")
	s.press("<c-f>\x15no such thing<enter>", "No line of these files holds no such thing.")
	s.press("<esc>", "cart.py  modified")
	s.quit()
}
