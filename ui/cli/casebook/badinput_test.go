//go:build linux || darwin

package casebook_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Bad input: each is a clear error with the next step and the exit code of the
// contract; nothing is changed and nothing panics.

// refused runs overturn --json, which must fail with code, say what is wrong and
// what to do, print nothing else, and change nothing.
func (b *book) refused(code int, says string, args ...string) {
	b.t.Helper()
	before := b.world()
	s := b.exits(code, append([]string{"--json"}, args...)...)
	b.same(before)
	b.explained(s, says, args)
}

// explained holds the error object against what it must say.
func (b *book) explained(s said, says string, args []string) {
	b.t.Helper()
	lines := strings.Split(strings.TrimSpace(s.stderr), "\n")
	var e struct{ Schema, Code, Message, Hint string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &e); err != nil {
		b.t.Fatalf("overturn %q: %v\n%s", args, err, s.stderr)
	}
	if e.Schema != "overturn.error/1" || e.Code == "" || !strings.Contains(e.Message, says) || e.Hint == "" {
		b.t.Errorf("overturn %q says %+v, want %q and a hint", args, e, says)
	}
	if strings.Contains(s.stderr, "panic") || strings.Contains(s.stderr, "goroutine ") {
		b.t.Errorf("overturn %q panicked:\n%s", args, s.stderr)
	}
}

// newReviewed is a repository with a finished turn of thread T that changed "a" and
// "sub/b", and "untouched" beside it.
func newReviewed(t *testing.T) *book {
	b := openBook(t)
	b.Write("a", "one\n")
	b.Write("sub/b", "one\n")
	b.Write("untouched", "stays\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("a", "two\n")
		b.Write("sub/b", "two\n")
	})
	return b
}

// fingerprint is one that no plan has.
const fingerprint = "0000000000000000000000000000000000000000000000000000000000000000"

func TestWrongUse(t *testing.T) {
	t.Parallel()
	b := newReviewed(t)
	b.ok("stage", "1", "--", "a")
	b.carry(0)
	b.ok("stage", "1", "--", "sub/b")
	for _, c := range []struct {
		says string
		args []string
	}{
		{"no thread", []string{"turns", "--thread", "nobody"}},
		{"no thread", []string{"show", "1", "--thread", "nobody"}},
		{"no thread", []string{"diff", "1", "--thread", "nobody"}},
		{"no thread", []string{"stage", "1", "--thread", "nobody"}},
		{"no turn 2", []string{"show", "2"}},
		{"not a turn number", []string{"show", "99999999999999999999"}},
		{"ahead of the latest", []string{"diff", "2"}},
		{"ahead of the latest", []string{"diff", "0..7"}},
		{"ahead of the latest", []string{"stage", "5"}},
		{"not a scope", []string{"diff", "3..1"}},
		{"not a scope", []string{"stage", "HEAD~1"}},
		{"outside the repository", []string{"stage", "1", "--", "/etc/passwd"}},
		{"outside the repository", []string{"stage", "1", "--", "../a"}},
		{"outside the repository", []string{"stage", "1", "--", ":/../a"}},
		{"outside the repository", []string{"diff", "1", "--", "sub/../../a"}},
		{"git's own folder", []string{"stage", "1", "--", ".git/config"}},
		{"git's own folder", []string{"stage", "1", "--", "sub/.GIT/config"}},
		{"did not change", []string{"stage", "1", "--", "untouched"}},
		{"did not change", []string{"stage", "1", "--", "nowhere"}},
		{"did not change", []string{"stage", "1", "--", "*"}},
		{"did not change", []string{"stage", "1", "--", ":(glob)**"}},
		{"did not change", []string{"stage", "1", "--", ":(top)a"}},
		{"did not change", []string{"stage", "1", "--", ":!a"}},
		{"did not change", []string{"stage", "1", "--", "~"}},
		{"did not change", []string{"stage", "1", "--", "$HOME"}},
		{"must not be empty", []string{"stage", "1", "--", ""}},
		{"no hunk 9", []string{"stage", "1", "--hunk", "9", "--", "a"}},
		{"not a hunk", []string{"stage", "1", "--hunk", "0", "--", "a"}},
		{"not a hunk", []string{"stage", "1", "--hunk", "1,,2", "--", "a"}},
		{"folder", []string{"stage", "1", "--hunk", "1", "--", "sub"}},
		{"lines", []string{"stage", "1", "--lines", "100-200", "--", "a"}},
		{"not a method", []string{"stage", "1", "--method", "reset", "--", "a"}},
		{"not staged", []string{"unstage", "a"}},
		{"not a fingerprint", []string{"rollback", "--expect", "zero"}},
		{"not a fingerprint", []string{"rollback", "--expect", fingerprint[1:]}},
		{"not a fingerprint", []string{"rollback", "--expect", strings.Repeat("A", 64)}},
		{"not a fingerprint", []string{"rollback", "--expect", strings.Repeat("é", 32)}},
		{"--expect", []string{"rollback"}},
		{"--expect", []string{"rollback", "--yes"}},
		{"id", []string{"undo", "01zzzzzzzzzzzzzzzzzzzzzzzz"}},
		{"lower case", []string{"undo", "01ABC"}},
		{"id", []string{"undo", "../../x"}},
		{"id", []string{"history", strings.Repeat("0", 27)}},
		{"id", []string{"recover", "--finish", "x/y"}},
		{"id", []string{"checkpoint", "show", "nothing-like-it"}},
		{"nothing to redo", []string{"redo"}},
		{`there is no verb "revrt"`, []string{"revrt"}},
		{`there is no verb "sttaus"`, []string{"sttaus"}},
		{`turn has no verb "stat"`, []string{"turn", "stat"}},
		{`turn has no verb "strat"`, []string{"turn", "strat"}},
		{`checkpoint has no verb "x"`, []string{"checkpoint", "x"}},
		{`there is no verb "x"`, []string{"help", "x"}},
		{`turn has no verb "x"`, []string{"help", "turn", "x"}},
		{"status has no flag --porcelain", []string{"status", "--porcelain"}},
		{"start has no flag -x", []string{"turn", "start", "-x"}},
		{"--hunk needs a value", []string{"stage", "--hunk"}},
		{"--directory needs a value", []string{"-C"}},
		{"--patch and --stat exclude each other", []string{"diff", "--stat", "--patch"}},
		{"takes one argument, not 2", []string{"show", "1", "2"}},
		{"needs an argument", []string{"completion"}},
		{`takes no argument, not "x"`, []string{"doctor", "x"}},
		{`--keep takes a number, not "x"`, []string{"checkpoint", "prune", "--keep", "x"}},
		{"--stat takes no value", []string{"diff", "--stat=3"}},
		{"--thread", []string{"turn", "start"}},
		{"at most 180", []string{"turn", "start", "--thread", strings.Repeat("x", 181)}},
		{"state", []string{"turn", "end", "--thread", "T", "--state", "over"}},
		{"outside", []string{"turn", "touch", "--thread", "T", "/etc/passwd"}},
		{"domain", []string{"turn", "effect", "--thread", "T", "--domain", "moon", "--summary", "x"}},
	} {
		b.refused(2, c.says, c.args...)
	}
	b.stagedIs("sub/b")
}

// stagedIs holds that exactly these paths are staged still.
func (b *book) stagedIs(paths ...string) {
	b.t.Helper()
	var staged []string
	for _, target := range b.plan().Targets {
		staged = append(staged, target.Path)
	}
	if strings.Join(staged, " ") != strings.Join(paths, " ") {
		b.t.Errorf("staged is %v, want %v", staged, paths)
	}
}

func TestNothingThere(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a", "one\n")
	for _, verb := range [][]string{{"turns"}, {"show", "1"}, {"diff", "latest"}, {"diff", "1"}, {"stage", "latest"}} {
		b.refused(10, "nothing is recorded", verb...)
	}
	b.refused(2, "nothing is staged", "rollback", "--expect", fingerprint)
	b.refused(2, "nothing to undo", "undo")

	outside := b.in(".")
	outside.dir = filepath.Dir(b.Root)
	bare := filepath.Join(outside.dir, "bare.git")
	b.Git("init", "-q", "--bare", bare)
	for _, verb := range [][]string{
		{"status"}, {"turns"}, {"threads"}, {"show", "1"}, {"diff"}, {"stage", "1"}, {"unstage"}, {"plan"}, {"rollback", "--expect", fingerprint}, {"history"}, {"undo"},
		{"redo"}, {"recover", "--finish"}, {"checkpoint", "list"}, {"trace"}, {"turn", "start", "--thread", "T"}, {"turn", "end", "--thread", "T"}, {"run", "--", "true"}, {"review"},
	} {
		outside.refused(10, "no git repository", verb...)
		outside.refused(10, "bare", append([]string{"-C", bare}, verb...)...)
	}
	outside.refused(2, "nowhere", "-C", "nowhere", "status")
}

// TestHookIsAGuest: whatever a hook is given, the agent sees exit 0 and no word on
// stdout, and nothing of the user's moves.
func TestHookIsAGuest(t *testing.T) {
	t.Parallel()
	b := newReviewed(t)
	before := b.world()
	huge := `{"event":"turn-end","thread":"T","message":"` + strings.Repeat("x", 8<<20)
	payloads := map[string]string{
		"empty": "", "blank": " \n\t", "truncated": `{"event":"turn-start","thread":"T","turn_id":"9","prom`, "not JSON": "hello", "another type": `["turn-start"]`, "null": "null",
		"wrong types": `{"event":7,"thread":{"a":1},"session_id":[],"cwd":false,"hook_event_name":{}}`,
		"huge, cut":   huge, "huge": huge + `"}`, "binary": "\x00\xff\xfe\x00", "two": `{"event":"turn-end","thread":"T"}{"event":"turn-end"}`, "deep": strings.Repeat("[", 100_000),
		"unknown event": `{"event":"lunch","thread":"T","session_id":"s","hook_event_name":"Lunch","cwd":"/nowhere"}`,
		"path outside":  `{"event":"touch","thread":"T","tool":"write","paths":["/etc/passwd","../../x",""]}`,
	}
	for i, call := range [][]string{
		{"claude-code"}, {"codex", "Stop"}, {"generic"}, {"generic", "turn-end"}, {"nobody"}, // all payloads
		{"claude-code", "Stop"}, {"codex"}, {"gemini"}, {"copilot"}, {"cursor"}, {"opencode"}, {"../x"}, {""}, {}, {"generic", "Lunch"},
	} {
		for name, payload := range payloads {
			if i >= 5 && name != "truncated" && name != "unknown event" && name != "empty" {
				continue
			}
			s := b.fed(payload, append([]string{"hook"}, call...)...)
			if s.code != 0 || s.stdout != "" || strings.Contains(s.stderr, "panic") || strings.Contains(s.stderr, "goroutine ") {
				t.Errorf("hook %q, %s: exit %d, stdout %q, stderr %.300q", call, name, s.code, s.stdout, s.stderr)
			}
		}
	}
	b.same(before)
	b.turn("T", func() { b.Write("a", "three\n") })
	if turn := b.show("T", "2"); turn.Status != "ready" && turn.Status != "missing" {
		t.Errorf("%+v", turn)
	}
}
