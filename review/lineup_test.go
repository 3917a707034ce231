package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/review"
	"overturn/review/patch"
)

// TestLargeFileIsShownAsCaptured: the present side of a large file comes from the disk
// only while the captured bytes stand there; a save after the capture, a link, or
// nothing at all in its place changes nothing of what is shown.
func TestLargeFileIsShownAsCaptured(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	old := lines(1, 150_000)
	now := strings.Replace(old, "line 75000\n", "line 75000 changed\n", 1)
	if old == now || len(old) < 1<<20 {
		t.Fatal("the text is too small")
	}
	f.Write("big.txt", old)
	f.Commit("first")
	name := filepath.Join(f.Root, "big.txt")
	for what, later := range map[string]func(){
		"as it was captured": func() {},
		"saved again":        func() { f.Write("big.txt", strings.Replace(now, "line 1\n", "line one\n", 1)) },
		"gone":               func() { f.Remove("big.txt") },
		"a link":             func() { f.Remove("big.txt"); f.Symlink("elsewhere", "big.txt") },
	} {
		os.Remove(name)
		f.Write("big.txt", now)
		cs := f.compare("working")
		later()
		file := f.file(cs, "big.txt")
		d, err := f.review.Diff(t.Context(), cs, file, patch.Options{})
		f.must(err)
		if string(d.Old.Bytes) != old || string(d.New.Bytes) != now || len(d.Hunks) != 1 || d.Adds != 1 || d.Dels != 1 {
			t.Errorf("%s: %d hunks, +%d -%d", what, len(d.Hunks), d.Adds, d.Dels)
		}
		text, state, err := f.review.Content(t.Context(), cs, file, review.TargetSide)
		f.must(err)
		if string(text) != now || state.Size != int64(len(now)) {
			t.Errorf("%s: the content is %d bytes, want %d", what, len(text), len(now))
		}
	}
}

// TestLargeFileThatGitConverts: what a checkout would write is compared, though the blob
// was read before git had answered.
func TestLargeFileThatGitConverts(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write(".gitattributes", "*.txt text eol=crlf\n")
	old := strings.ReplaceAll(lines(1, 150_000), "\n", "\r\n")
	f.Write("big.txt", old)
	f.Commit("first")
	f.Write("big.txt", old+"more\r\n")
	cs := f.compare("working")
	d, err := f.review.Diff(t.Context(), cs, f.file(cs, "big.txt"), patch.Options{})
	f.must(err)
	if string(d.Old.Bytes) != old || d.Adds != 1 || d.Dels != 0 {
		t.Errorf("+%d -%d of %d bytes", d.Adds, d.Dels, len(d.Old.Bytes))
	}
}
