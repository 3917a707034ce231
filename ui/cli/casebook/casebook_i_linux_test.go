package casebook_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestCasebookFiltered: what a capture reads and runs for files under a filter.
func TestCasebookFiltered(t *testing.T) {
	runCases(t, []caseOf{{"I-05", caseUnchangedLFS}})
}

// caseUnchangedLFS: a file that did not change is not opened, and a filter not run
// for it; one that did is filtered once. That nothing is read is what makes the
// size of the files, 10 MB in the report, not matter: here they are small.
func caseUnchangedLFS(b *book) {
	ran := b.lfs()
	b.Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	then := time.Now().Add(-time.Hour)
	for i := range 24 {
		name := fmt.Sprintf("d%d/%02d.bin", i%3, i)
		b.Write(name, strings.Repeat(name, 200))
		if err := os.Chtimes(b.Path(name), then, then); err != nil {
			b.t.Fatal(err)
		}
	}
	b.Commit("base")
	ran()
	b.start("T") // by the rules of the moment: each once
	if got := strings.Count(ran(), "clean\n"); got > 24 {
		b.t.Errorf("the first capture ran the filter %d times for 24 files", got)
	}
	opened := b.watched(unix.IN_OPEN, func() { b.end("T") })
	if len(opened) > 0 || ran() != "" {
		b.t.Errorf("nothing changed: opened %q", opened)
	}
	b.start("T")
	b.Write("d1/01.bin", "other content\n")
	b.Write("d2/new.bin", "new content\n")
	opened = b.watched(unix.IN_OPEN, func() { b.end("T") })
	if got := ran(); got != "clean\nclean\n" || len(opened) > 9 {
		b.t.Errorf("two changed: ran %q, opened %q", got, opened)
	}
	opened = b.watched(unix.IN_OPEN, func() { b.start("T") })
	if got := ran(); got != "" || len(opened) > 9 { // those of the last moment are looked at again
		b.t.Errorf("after that: ran %q, opened %q", got, opened)
	}
	b.rollback("2")
	if got := ran(); strings.Contains(got, "smudge") {
		b.t.Errorf("the rollback ran %q", got)
	}
	if b.Read("d1/01.bin") != strings.Repeat("d1/01.bin", 200) || b.Exists("d2/new.bin") {
		b.t.Error("the files are not as they were")
	}
}
