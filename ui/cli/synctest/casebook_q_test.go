//go:build linux || darwin

package synctest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCasebookQ is the case book's group Q: sync of records with remotes.
func TestCasebookQ(t *testing.T) {
	t.Parallel()
	for id, play := range map[string]func(t *testing.T){
		"Q-01": q01, "Q-02": q02, "Q-03": q03, "Q-05": q05, "Q-06": q06, "Q-08": q08, "Q-09": q09, "Q-12": q12, "Q-13": q13, "Q-15": q15,
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			play(t)
		})
	}
}

// q01: secrets do not go: neither the file, nor what the prompt has of it.
func q01(t *testing.T) {
	p := newPlace(t, newBare(t))
	secret := "ghp_" + "q7Xn2LdT9vRb4KfYw8Zs1HcJ6mPa3Ge5Ui0o"
	p.Write(".env.local", "TOKEN="+secret+"\n")
	p.turn("use "+secret+" from .env.local", "b.txt", "b\n")
	p.overturn(0, "sync", "push", "--yes")
	if n := len(p.there()); n != 1 {
		t.Fatalf("%d records went", n)
	}
	all := p.git("--git-dir="+p.bare, "cat-file", "--batch-all-objects", "--batch=%(objecttype)", "--unordered")
	p.says(all, "[redacted:")
	if strings.Contains(all, secret) {
		t.Error("the secret is on the remote")
	}
	p.says(p.overturn(0, "show", "1").out, secret) // the record here keeps its words
}

// q02: the branch of records never becomes what people clone.
func q02(t *testing.T) {
	bare := newBare(t)
	p := placeOf(t, newPlace(t, newBare(t)).Repo, bare)
	p.env = append(p.env, "OVERTURN_CHECKPOINTS_PRIMARY=git-branch")
	p.git("remote", "set-url", "origin", bare)
	p.turn("p", "b.txt", "b\n")
	p.says(p.overturn(1, "sync", "push", "--yes").out, "no branch yet")
	if len(p.there()) != 0 {
		t.Errorf("the remote has %v", p.there())
	}
	p.git("push", "-q", "origin", "main")
	p.overturn(0, "sync", "push")
	if there := p.there(); len(there) != 1 {
		t.Errorf("the remote has %v", there)
	}
}

// q03: two machines record one session; both sets end on the remote.
func q03(t *testing.T) {
	for _, primary := range []string{"git-refs", "git-branch"} {
		t.Run(primary, func(t *testing.T) {
			bare := newBare(t)
			a := newPlace(t, bare)
			b := clone(t, bare)
			for _, p := range []*place{a, b} {
				p.env = append(p.env, "OVERTURN_CHECKPOINTS_PRIMARY="+primary)
				p.turn("here", "c.txt", p.Root+"\n")
				p.overturn(0, "sync", "push", "--yes")
			}
			a.turn("again", "c.txt", "more\n")
			a.overturn(0, "sync", "push")
			b.overturn(0, "sync", "fetch")
			if n := strings.Count(b.overturn(0, "checkpoint", "list").out, "\n"); n != 3 {
				t.Errorf("%d of 3 records are at b", n)
			}
		})
	}
}

// q05: a remote that never answers for our refs does not hold the user's push up
// beyond a bound, nor fail it.
func q05(t *testing.T) {
	p := newPlace(t, newBare(t))
	p.turn("one", "b.txt", "b\n")
	p.overturn(0, "sync", "push", "--yes")
	p.overturn(0, "enable", "--git-hooks")
	p.hook("pre-receive", "while read old new ref; do case $ref in refs/overturn/*) sleep 300;; esac; done\n")
	p.turn("two", "b.txt", "c\n")
	p.git("commit", "-q", "--allow-empty", "-m", "mine")
	s := p.run("git", "push", "-q", "origin", "main")
	if s.code != 0 {
		t.Errorf("the push: exit code %d: %s", s.code, s.stderr)
	}
	p.says(s.stderr, "stay queued", "did not answer in time")
	if p.git("--git-dir="+p.bare, "rev-parse", "main") != p.git("rev-parse", "HEAD") {
		t.Error("the user's branch did not arrive")
	}
	p.says(p.overturn(0, "sync", "status").out, "1 record waits")
}

// q06: the user's own hook takes its time, in their push; in ours it does not run.
func q06(t *testing.T) {
	p := newPlace(t, newBare(t))
	p.Write(".git/hooks/pre-push", "#!/bin/sh\nsleep 3; echo checked >>checks; exit 0\n")
	p.Chmod(".git/hooks/pre-push", 0o755)
	p.turn("one", "b.txt", "b\n")
	p.overturn(0, "sync", "push", "--yes")
	if p.Exists("checks") {
		t.Error("our push ran the user's hook")
	}
	p.overturn(0, "enable", "--git-hooks")
	p.turn("two", "b.txt", "c\n")
	p.git("commit", "-q", "--allow-empty", "-m", "mine")
	p.git("push", "-q", "origin", "main")
	if p.Read("checks") != "checked\n" || len(p.there()) != 2 {
		t.Errorf("checks %q, records %v", p.Read("checks"), p.there())
	}
}

// q08: a host that has rules for refs: its words are shown, the user's push goes, the
// record stays.
func q08(t *testing.T) {
	p := newPlace(t, newBare(t))
	p.turn("one", "b.txt", "b\n")
	p.hook("update", "case $1 in refs/overturn/*) echo 'GH013: rule violations' >&2; exit 1;; esac\n")
	p.says(p.overturn(1, "sync", "push", "--yes").out, "GH013: rule violations")
	p.overturn(0, "enable", "--git-hooks")
	p.git("commit", "-q", "--allow-empty", "-m", "mine")
	p.git("push", "-q", "origin", "main")
	p.says(p.overturn(0, "sync", "status").out, "1 record waits", "GH013: rule violations")
	p.says(p.overturn(0, "--json", "checkpoint", "list").out, `"local":true`)
}

// q09: a host that takes branches and tags alone turns down a mirror's push for our
// refs; doctor says so before, and our own push is none of a mirror's.
func q09(t *testing.T) {
	p := newPlace(t, newBare(t))
	p.turn("one", "b.txt", "b\n")
	p.overturn(0, "doctor")
	p.git("config", "remote.origin.mirror", "true")
	p.hook("pre-receive", "while read old new ref; do case $ref in refs/heads/*|refs/tags/*) ;; *) echo 'heads and tags only' >&2; exit 1;; esac; done\n")
	s := p.run("git", "push", "-q", "origin")
	if s.code == 0 {
		t.Error("the host took a mirror of everything")
	}
	p.says(p.overturn(1, "doctor").out, "a push to origin", "mirror-push")
	p.git("-c", "remote.origin.mirror=false", "push", "-q", "origin", "refs/heads/*:refs/heads/*")
}

// q12: no remote is called origin, and what is pushed to is not what is fetched from.
func q12(t *testing.T) {
	bare, mine := newBare(t), newBare(t)
	p := newPlace(t, bare)
	p.git("remote", "rename", "origin", "upstream")
	p.git("config", "remote.upstream.pushurl", mine)
	p.turn("one", "b.txt", "b\n")
	p.says(p.overturn(0, "sync", "push", "--yes").out, "upstream")
	if n := len(p.there()); n != 0 {
		t.Errorf("%d records went to where nobody pushes", n)
	}
	p.bare = mine
	if n := len(p.there()); n != 1 {
		t.Errorf("%d records went to the address for pushes", n)
	}
	p.git("config", "remote.upstream.pushurl", bare)
	p.overturn(5, "sync", "push") // another address has not been agreed to
}

// q13: to use a remote brings nothing of it here.
func q13(t *testing.T) {
	bare := newBare(t)
	a := newPlace(t, bare)
	for i := range 5 {
		a.turn("p", "b.txt", strings.Repeat("x", i+1))
	}
	a.overturn(0, "sync", "push", "--yes")
	b := clone(t, bare)
	before := b.git("count-objects", "-v")
	b.overturn(0, "enable", "--git-hooks")
	b.overturn(0, "sync", "status")
	b.overturn(0, "checkpoint", "list")
	b.says(b.overturn(0, "checkpoint", "list", "--remote").out, "remote")
	if now := b.git("count-objects", "-v"); now != before || b.git("for-each-ref", "refs/overturn/") != "" {
		t.Errorf("objects before\n%s\nand now\n%s", before, now)
	}
}

// q15: a partial clone whose remote is gone: what is here works, and what is promised
// is told from what is absent.
func q15(t *testing.T) {
	bare := newBare(t)
	a := newPlace(t, bare)
	a.Write("a.txt", "second\n")
	a.git("commit", "-q", "-am", "second")
	a.git("push", "-q", "origin", "main")
	a.git("--git-dir="+bare, "config", "uploadpack.allowFilter", "true")
	b := clone(t, bare, "--filter=blob:none")
	if err := os.Rename(bare, filepath.Join(filepath.Dir(bare), "gone")); err != nil {
		t.Fatal(err)
	}
	b.turn("one", "b.txt", "b\n")
	b.turn("two", "a.txt", "third\n")
	b.says(b.overturn(0, "diff", "latest", "--patch").out, "+third")
	b.overturn(0, "stage", "latest")
	plan := b.overturn(0, "--json", "plan").out
	_, rest, _ := strings.Cut(plan, `"fingerprint":"`)
	b.overturn(0, "rollback", "--expect", rest[:64])
	if got := b.Read("a.txt"); got != "second\n" {
		t.Errorf("a.txt is %q", got)
	}
	s := b.overturn(1, "sync", "fetch", "01j00000000000000000000000")
	b.says(s.stderr, "cannot be fetched")
	if strings.Contains(s.stderr, "no remote has") {
		t.Error("a remote that did not answer was taken for one that has nothing")
	}
	b.overturn(1, "sync", "push", "--yes")
	b.says(b.overturn(0, "sync", "status").out, "2 records wait")
}
