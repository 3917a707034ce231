//go:build linux || darwin

package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the user takes back while a turn is open is the user's, whatever tool of the
// agent runs, and is not offered again when that turn is taken back.

// bornAndBent is a turn of thread T that bends a line of n.txt and makes new.txt.
func (b *book) bornAndBent() (before, after string) {
	b.t.Helper()
	before = numbered(1, 20)
	after = strings.Replace(before, "line 5\n", "AG\n", 1)
	b.Write("n.txt", before)
	b.Write("o.txt", before)
	b.Commit("base")
	b.turn("T", func() { b.Write("n.txt", after); b.Write("new.txt", "agent\n") })
	return before, after
}

// numbered is a file of lines that differ.
func numbered(from, to int) string {
	var s strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&s, "line %d\n", i)
	}
	return s.String()
}

// owned holds the files of a turn and their owners against want, and that the stage
// of it offers the paths alone.
func (b *book) owned(thread, n, want, offered string) {
	b.t.Helper()
	var words []string
	for _, f := range b.show(thread, n).Files {
		words = append(words, f.Path+" "+f.Owner)
	}
	if got := strings.Join(words, ", "); got != want {
		b.t.Errorf("%s %s at its end: %s, want %s", thread, n, got, want)
	}
	words = nil
	var diff struct {
		Files []struct{ Path, Owner string }
	}
	b.json(0, &diff, "diff", n, "--thread", thread)
	for _, f := range diff.Files {
		words = append(words, f.Path+" "+f.Owner)
	}
	if got := strings.Join(words, ", "); got != want {
		b.t.Errorf("%s %s in the diff: %s, want %s", thread, n, got, want)
	}
	words = nil
	for _, t := range b.stage(n, "--thread", thread).Targets {
		words = append(words, string(t.Path))
	}
	if got := strings.Join(words, " "); got != offered {
		b.t.Errorf("the stage of %s %s offers %q, want %q", thread, n, got, offered)
	}
}

func TestRollbackInsideATurn(t *testing.T) {
	t.Parallel()
	t.Run("by hand", func(t *testing.T) {
		b := openBook(t)
		before, _ := b.bornAndBent()
		b.turn("T", func() {
			b.Write("other.txt", "other\n")
			b.rollback("1", "--thread", "T", "--", "n.txt", "new.txt")
		})
		b.reads("n.txt", before)
		b.owned("T", "2", "n.txt user, new.txt user, other.txt agent", "other.txt")
	})
	t.Run("the agent goes on with the file", func(t *testing.T) {
		b := openBook(t)
		before, _ := b.bornAndBent()
		b.turn("T", func() {
			b.rollback("1", "--thread", "T", "--", "n.txt", "new.txt")
			b.Write("n.txt", strings.Replace(before, "line 15\n", "AG 15\n", 1))
			b.Write("new.txt", "agent again\n")
		})
		b.owned("T", "2", "n.txt mixed, new.txt mixed", "n.txt")
		b.carry(0)
		b.reads("n.txt", before)
		b.reads("new.txt", "agent again\n")
	})
	t.Run("undone in the same turn", func(t *testing.T) {
		b := openBook(t)
		_, after := b.bornAndBent()
		b.turn("T", func() {
			b.rollback("1", "--thread", "T", "--", "n.txt")
			b.undo()
			b.Write("o.txt", after)
		})
		b.reads("n.txt", after)
		b.owned("T", "2", "o.txt agent", "o.txt")
	})
	t.Run("line ends that git turns", func(t *testing.T) {
		b := openBook(t)
		b.Write(".gitattributes", "* text=auto eol=crlf\n")
		b.Write("n.txt", "one\r\ntwo\r\n")
		b.Commit("base")
		b.turn("T", func() { b.Write("n.txt", "one\r\nAG\r\n") })
		b.turn("T", func() { b.rollback("1", "--thread", "T") })
		b.reads("n.txt", "one\r\ntwo\r\n")
		b.owned("T", "2", "n.txt user", "")
	})
	for _, way := range []string{"--finish", "--unwind"} {
		t.Run("cut short, and recovered with "+way, func(t *testing.T) {
			b := openBook(t)
			before, after := b.bornAndBent()
			b.turn("T", func() {
				b.stage("1", "--thread", "T", "--", "n.txt", "new.txt")
				b.killed("rollback.swapped", "rollback", "--expect", b.plan().Fingerprint)
				b.Write("other.txt", "other\n")
				b.ok("recover", way)
				b.Write("o.txt", "of T\n")
			})
			if way == "--unwind" {
				b.reads("n.txt", after)
				b.owned("T", "2", "o.txt agent, other.txt agent", "o.txt other.txt")
				return
			}
			b.reads("n.txt", before)
			b.owned("T", "2", "n.txt user, new.txt user, o.txt agent, other.txt agent", "o.txt other.txt")
		})
	}
	t.Run("the turn ends in the middle of it", func(t *testing.T) {
		b := openBook(t)
		b.bornAndBent()
		b.start("T")
		b.stage("1", "--thread", "T", "--", "n.txt", "new.txt")
		done, leave := b.pausedAt("rollback.applied", "", "rollback", "--expect", b.plan().Fingerprint)
		b.end("T")
		leave()
		if s := b.ended(done); s.code != 0 {
			b.t.Fatalf("rollback: %+v", s)
		}
		b.owned("T", "2", "n.txt user, new.txt user", "")
	})
	t.Run("the turn begins in the middle of it", func(t *testing.T) {
		b := openBook(t)
		b.bornAndBent()
		b.stage("1", "--thread", "T", "--", "n.txt", "new.txt")
		done, leave := b.pausedAt("rollback.beside", "", "rollback", "--expect", b.plan().Fingerprint)
		b.start("T")
		leave()
		if s := b.ended(done); s.code != 0 {
			b.t.Fatalf("rollback: %+v", s)
		}
		b.Write("o.txt", "of T\n")
		b.end("T")
		b.owned("T", "2", "n.txt user, new.txt user, o.txt agent", "o.txt")
	})
	t.Run("evidence that cannot be written fails no rollback", func(t *testing.T) {
		b := openBook(t)
		before, _ := b.bornAndBent()
		b.start("T")
		first, err := filepath.Glob(b.Path(".git/overturn/ledger/*/1.json"))
		if err != nil || len(first) != 1 {
			t.Fatal(first, err)
		}
		elsewhere := filepath.Join(t.TempDir(), "evidence")
		if err := os.WriteFile(elsewhere, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(filepath.Dir(first[0]), "2.evidence.jsonl")); err != nil {
			t.Fatal(err)
		}
		b.rollback("1", "--thread", "T", "--", "n.txt", "new.txt")
		b.reads("n.txt", before)
		if trace := b.ok("trace"); !strings.Contains(trace, "evidence of rollback") {
			t.Errorf("the trace does not tell of it:\n%s", trace)
		}
	})
	t.Run("two threads", func(t *testing.T) {
		b := openBook(t)
		b.bornAndBent()
		b.start("T")
		b.start("U")
		b.rollback("1", "--thread", "T", "--", "n.txt", "new.txt")
		b.end("U")
		b.Write("o.txt", "of T\n")
		b.ok("turn", "touch", "--thread", "T", "o.txt")
		b.end("T")
		b.owned("U", "1", "n.txt user, new.txt user", "")
		b.owned("T", "2", "n.txt user, new.txt user, o.txt agent", "o.txt")
	})
}

// TestRedoWhileAToolRuns: with an agent that reports its tools, what is undone and
// done again while one of them runs is the user's too.
func TestRedoWhileAToolRuns(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.bornAndBent()
	b.rollback("1", "--thread", "T", "--", "n.txt", "new.txt")
	b.undo()
	hook := func(name, more string) {
		b.hook(`{"hook_event_name":"`+name+`","session_id":"S","prompt_id":"p1","cwd":"`+b.Root+`"`+more+`}`, "claude-code")
	}
	bash := `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"x"}`
	hook("UserPromptSubmit", `,"prompt":"x"`)
	hook("PreToolUse", bash)
	b.Write("other.txt", "other\n")
	b.ok("redo")
	b.Write("o.txt", "of the tool\n")
	hook("PostToolUse", bash)
	hook("Stop", "")
	b.owned("S", "1", "n.txt user, new.txt user, o.txt agent, other.txt agent", "o.txt other.txt")
}
