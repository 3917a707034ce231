//go:build linux || darwin

package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// journalFile is the only journal of b.
func (b *book) journalFile() string {
	b.t.Helper()
	files, err := filepath.Glob(b.Path(".git/overturn/journal/*.jsonl"))
	if err != nil || len(files) != 1 {
		b.t.Fatalf("journals: %q, %v", files, err)
	}
	return files[0]
}

// TestJournalThatNeverBegan: a journal without a whole first line says that nothing
// was written. That is so wherever a crash leaves one: killed at each step of making
// it, and cut by a power loss at any byte of the line.
func TestJournalThatNeverBegan(t *testing.T) {
	t.Parallel()
	s := newStaged(t)
	print := s.b.plan().Fingerprint
	nothing := func(t *testing.T, b *book) {
		t.Helper()
		b.stands(s.after, s.after)
		b.quiet()
		if r := b.exits(0, "recover", "--finish"); strings.Contains(r.stdout, `"found":true`) {
			t.Errorf("recover: %+v", r)
		}
		b.carry(0)
		b.stands(s.before, s.after)
		b.undo()
		b.stands(s.after, s.after)
	}
	for _, point := range []string{"journal.makefolder.mkdir", "journal.begin.open", "journal.begin.write"} {
		t.Run(point, func(t *testing.T) {
			b := s.b.copyOf(t)
			b.killed(point, "rollback", "--expect", print)
			nothing(t, b)
		})
	}
	begun := s.b.copyOf(t)
	begun.killed("rollback.prepared", "rollback", "--expect", print)
	line, err := os.ReadFile(begun.journalFile())
	if err != nil || !strings.HasSuffix(string(line), "\n") || strings.Count(string(line), "\n") != 1 {
		t.Fatalf("%q, %v", line, err)
	}
	for _, size := range []int{0, 1, len(line) / 2, len(line) - 1} {
		b := begun.copyOf(t)
		if err := os.Truncate(b.journalFile(), int64(size)); err != nil {
			t.Fatal(err)
		}
		nothing(t, b)
	}
}

// TestJournalThatLostItsLine: what no crash leaves is damage, which is said; the
// displaced files are where they were kept.
func TestJournalThatLostItsLine(t *testing.T) {
	t.Parallel()
	s := newStaged(t)
	b := s.b.copyOf(t)
	b.killed("rollback.kept", "rollback", "--expect", s.b.plan().Fingerprint)
	before := b.world()
	if err := os.Truncate(b.journalFile(), 0); err != nil {
		t.Fatal(err)
	}
	for _, verb := range [][]string{{"undo"}, {"rollback", "--expect", strings.Repeat("0", 64)}, {"recover", "--unwind"}} {
		if r := b.exits(1, verb...); !strings.Contains(r.stderr, "damaged") || !strings.Contains(r.stderr, b.journalFile()) {
			t.Errorf("%q: %s", verb, r.stderr)
		}
	}
	if r := b.overturn("status"); !strings.Contains(r.stdout+r.stderr, "damaged") {
		t.Errorf("status: %+v", r)
	}
	b.same(before)
}
