//go:build linux || darwin

package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model/durable"
)

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
	t.Parallel()
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
