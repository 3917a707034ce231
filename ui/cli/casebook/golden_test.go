//go:build linux || darwin

package casebook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"overturn/ui/cli/clitest"
)

// goldenFile is the whole path of one turn in events, ids and times made even. It
// is written anew with UPDATE_GOLDEN=1.
const goldenFile = "testdata/golden-trace.jsonl"

// TestGoldenTrace walks the whole path with the real binary: a turn that edits, makes
// and deletes, with an effect; a review, a decision that is cancelled, one that is
// stale, one that is refused; the attempt and what was read back; undo and redo; a
// crash and its recovery. The trace must be that of the golden file, with the exact
// hashes of all contents.
func TestGoldenTrace(t *testing.T) {
	t.Parallel()
	defer syscall.Umask(syscall.Umask(0o022)) // modes are part of a fingerprint
	b := openBook(t)
	b.Write("status.txt", "status: pending\n")
	b.Write("gone.txt", "to be deleted\n")
	b.Commit("baseline")
	b.Write("user.txt", "the user's\n")

	b.ok("turn", "start", "--thread", "T", "--agent", "generic", "--turn-id", "one", "--prompt", "review it")
	b.Write("status.txt", "status: reviewed\n")
	b.Write("made.txt", "one\ntwo\n")
	b.Remove("gone.txt")
	b.ok("turn", "effect", "--thread", "T", "--domain", "network", "--summary", "POST /reviewed", "--reversible", "no", "--compensation", "POST /pending")
	b.ok("turn", "end", "--thread", "T", "--turn-id", "one", "--message-id", "m-1")
	b.phase("the turn", " D gone.txt\n M status.txt\n?? made.txt\n?? user.txt")

	// Staged, looked at, and then not confirmed.
	b.ok("stage", "1", "--", "status.txt")
	reviewed := b.plan().Fingerprint
	b.declines()
	b.phase("declined", " D gone.txt\n M status.txt\n?? made.txt\n?? user.txt")

	// Changed after the review: stale; and where it conflicts, refused.
	b.Write("status.txt", "status: reviewed by hand\n")
	b.exits(4, "rollback", "--expect", reviewed)
	b.exits(5, "rollback", "--expect", b.plan().Fingerprint)
	b.Write("status.txt", "status: reviewed\n")

	r := b.carry(0)
	b.reads("status.txt", "status: pending\n")
	if r.Outcome != "complete" || !r.Verified {
		t.Errorf("%+v", r)
	}
	b.phase("rolled back", " D gone.txt\n?? made.txt\n?? user.txt")
	b.ok("undo")
	b.phase("undone", " D gone.txt\n M status.txt\n?? made.txt\n?? user.txt")
	b.ok("redo")
	b.phase("redone", " D gone.txt\n?? made.txt\n?? user.txt")

	// A rollback that is killed, and settled afterwards.
	b.ok("stage", "1", "--", "gone.txt", "made.txt")
	b.killed("rollback.marked", "rollback", "--expect", b.plan().Fingerprint)
	b.ok("recover", "--finish")
	b.phase("recovered", "?? user.txt")
	b.reads("user.txt", "the user's\n")

	got := even(t, b.ok("--json", "trace"))
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(goldenFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the trace is not that of %s:\n%s", goldenFile, firstDifference(want, got))
	}
}

// phase holds the work tree against what git status must print.
func (b *book) phase(name, want string) {
	b.t.Helper()
	if got := b.Git("status", "--porcelain"); got != want {
		b.t.Errorf("%s: git status says\n%s\nwant\n%s", name, got, want)
	}
}

// even replaces what differs from run to run: times, ids of records and rollbacks
// (numbered as they appear) and ids of commits (which hold a time).
func even(t *testing.T, trace string) []byte {
	t.Helper()
	seen := map[string]string{}
	number := func(kind string) func(string) string {
		n := 0
		return func(id string) string {
			if seen[id] == "" {
				n++
				seen[id] = fmt.Sprintf("<%s %d>", kind, n)
			}
			return seen[id]
		}
	}
	ids, commits := number("id"), number("commit")
	var out bytes.Buffer
	for _, line := range strings.Split(strings.TrimSpace(trace), "\n") {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if event["at"] == nil {
			t.Errorf("an event without a time: %s", line)
		}
		delete(event, "at")
		text, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(regexp.MustCompile(`\b[0-9a-hjkmnp-tv-z]{26}\b`).ReplaceAllStringFunc(string(text), ids))
		text = []byte(regexp.MustCompile(`\b[0-9a-f]{40}\b`).ReplaceAllStringFunc(string(text), commits))
		out.Write(append(text, '\n'))
	}
	return out.Bytes()
}

func firstDifference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := 0; i < len(w) || i < len(g); i++ {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
	return ""
}

// declines runs rollback on a terminal and answers its question with no.
func (b *book) declines() {
	b.t.Helper()
	cmd := exec.Command(clitest.Bin(), "rollback")
	cmd.Dir, cmd.Env = b.dir, b.env
	terminal, err := pty.Start(cmd)
	if err != nil {
		b.t.Fatal(err)
	}
	defer terminal.Close()
	if _, err := terminal.WriteString("no\n"); err != nil {
		b.t.Fatal(err)
	}
	said, _ := io.ReadAll(terminal) // ends with an error of the terminal's, not an end of file
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		b.t.Errorf("declined: %v\n%s", err, said)
	}
}
