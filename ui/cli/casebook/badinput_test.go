//go:build linux || darwin

package casebook_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model/durable"
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

// TestDamagedStagedSet: it is named, nothing is written, and one step leads on.
func TestDamagedStagedSet(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"empty": "", "garbage": "garbage", "null": "null", "list": "[]", "newer": `{"schema":"overturn.staged/99"}`,
		"outside": `{"schema":"overturn.staged/1","scopes":[{"scope":"1"}],"entries":[{"path":"../../etc/passwd","scope":0,"whole":true}]}`,
		"index":   `{"schema":"overturn.staged/1","scopes":[],"entries":[{"path":"a","scope":7,"whole":true}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newReviewed(t)
			file := filepath.Join(b.GitDir(), "overturn", "staged.json")
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, verb := range [][]string{{"plan"}, {"plan", "--patch"}, {"rollback", "--expect", fingerprint}, {"stage", "1", "--", "a"}, {"unstage", "a"}} {
				b.refused(1, "staged set", verb...)
			}
			s := b.exits(1, "--json", "status")
			b.explained(s, "staged set", []string{"status"})
			if !strings.Contains(s.stdout, `"thread":"T"`) {
				t.Errorf("status shows nothing else: %s", s.stdout)
			}
			b.ok("turns")
			b.ok("unstage")
			b.rollback("1", "--", "a")
			b.reads("a", "one\n")
		})
	}
}

// TestDamagedJournal: no other rollback is begun, reading goes on, and the message
// names the file and the snapshot.
func TestDamagedJournal(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"garbage": "garbage\n", "no plan": `{"v":1,"type":"prepared"}` + "\n", "newer": `{"v":9,"type":"prepared"}` + "\n", "a mark first": `{"v":1,"type":"beside"}` + "\n",
		"binary": "\x00\x00\x00\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newReviewed(t)
			b.rollback("1", "--", "a")
			b.ok("stage", "1", "--", "sub/b")
			files, err := filepath.Glob(filepath.Join(b.GitDir(), "overturn", "journal", "*.jsonl"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if err := os.WriteFile(files[0], []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, verb := range [][]string{{"rollback", "--expect", fingerprint}, {"undo"}, {"redo"}, {"recover", "--finish"}, {"recover", "--unwind"}, {"status"}} {
				before := b.world()
				s := b.exits(1, append([]string{"--json"}, verb...)...)
				b.same(before)
				b.explained(s, filepath.Base(files[0]), verb)
				if !strings.Contains(s.stderr, "refs/overturn/safety/") {
					t.Errorf("%s does not name the safety snapshot: %s", verb, s.stderr)
				}
			}
			b.ok("turns")
			b.ok("diff", "1")
			if out := b.ok("history"); !strings.Contains(out, "damaged") {
				t.Errorf("history: %s", out)
			}
			if err := os.Remove(files[0]); err != nil { // as the message says
				t.Fatal(err)
			}
			b.carry(0)
			b.reads("sub/b", "one\n")
		})
	}
}

// TestDamagedObjects: what needs the object says so and names it; everything else
// goes on, and nothing is written with other bytes.
func TestDamagedObjects(t *testing.T) {
	t.Parallel()
	for _, object := range []string{"turn/1", "turn/1^{tree}", "turn/0", "turn/0^{tree}", "turn/0:a", "turn/1:a"} {
		for _, how := range []string{"missing", "damaged"} {
			t.Run(object+" "+how, func(t *testing.T) {
				b := newUnchecked(t)
				b.ok("stage", "1", "--", "a")
				print := b.plan().Fingerprint
				b.ok("unstage")
				b.breakObject("refs/overturn/threads/VA/"+object, how)
				if strings.HasSuffix(object, ":a") {
					// A content that is gone is the matter of its path alone.
					if d := b.exits(3, "diff", "1", "--patch"); !strings.Contains(d.stdout, "+++ b/sub/b") || !strings.Contains(d.stderr, "object ") {
						t.Errorf("diff: %+v", d)
					}
					b.ok("stage", "1")
					if p := b.plan(); p.verdicts() != "a write conflict, sub/b write clean" || !strings.Contains(p.Targets[0].Reason, "object ") {
						t.Errorf("the plan: %+v", p)
					}
					b.refusal()
				} else {
					b.refused(1, "object ", "diff", "1", "--patch")
					b.refused(1, "object ", "stage", "1", "--", "a")
					b.refused(2, "nothing is staged", "rollback", "--expect", print)
				}
				b.ok("status")
				b.ok("turns")
				b.ok("show", "1")
				b.reads("a", "two\n")
				b.turn("T", func() { b.Write("c", "new\n") })
				if turn := b.show("T", "2"); turn.Status != "ready" && turn.StatusReason == "" {
					t.Errorf("the next turn: %+v", turn)
				}
			})
		}
	}
}

// breakObject takes every object out of its pack, and then one away or apart.
func (b *book) breakObject(name, how string) {
	b.t.Helper()
	oid := b.Git("rev-parse", name)
	b.sh(`mkdir ../packs; mv .git/objects/pack/* ../packs/; for p in ../packs/*.pack; do git unpack-objects -q < $p; done`)
	file := b.Path(".git/objects/" + oid[:2] + "/" + oid[2:])
	if how == "missing" {
		b.sh("rm " + file)
		return
	}
	b.sh("chmod u+w " + file + "; printf junk | dd of=" + file + " bs=1 seek=3 conv=notrunc 2>/dev/null")
}

// TestLockHeld names who holds it, and waits no longer than a moment.
func TestLockHeld(t *testing.T) {
	t.Parallel()
	b := newReviewed(t)
	b.ok("stage", "1", "--", "a")
	print := b.plan().Fingerprint
	for file, verbs := range map[string][][]string{
		"rollback.lock": {{"rollback", "--expect", print}, {"undo"}, {"redo"}, {"recover", "--finish"}},
		"staged.lock":   {{"stage", "1", "--", "sub/b"}, {"unstage"}},
	} {
		lock, err := durable.TryAcquire(filepath.Join(b.GitDir(), "overturn", file), "a long rollback")
		if err != nil {
			t.Fatal(err)
		}
		for _, verb := range verbs {
			if verb[0] == "recover" {
				continue // one that is under way is not interrupted
			}
			b.refused(11, "a long rollback (process ", verb...)
		}
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	b.carry(0)
	b.reads("a", "one\n")
}

// TestGitMissingOrOld: the message says which git was found and which is needed.
func TestGitMissingOrOld(t *testing.T) {
	b := newReviewed(t)
	empty := t.TempDir()
	b.with("PATH="+empty).in(".").fresh().refused(1, "git", "status")
	old := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1\" = --version ] || [ \"$1\" = version ]; then echo 'git version 2.17.1'; exit 0; fi\necho \"git: '$1' is not a git command\" >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(old, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	b.with("PATH="+old+":/usr/bin:/bin").fresh().refused(1, "2.17.1", "status")

	// A hook goes on being a guest.
	s := b.with("PATH="+empty).fresh().fed(`{"event":"turn-start","thread":"T","turn_id":"5","prompt":"x"}`, "hook", "generic")
	if s.code != 0 || s.stdout != "" {
		t.Errorf("hook without git: %+v", s)
	}
}

// fresh takes away what an earlier start noted about git and the repository.
func (b *book) fresh() *book {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.Root, ".git", "overturn", "facts.json")); err != nil {
		b.t.Fatal(err)
	}
	return b
}
