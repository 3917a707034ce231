package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWhatElseSeesTheRefs holds docs/growth.md's table against the git that is here.
func TestWhatElseSeesTheRefs(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a", "a\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("a", "1\n") })
	outside := t.TempDir()
	there := func(name string) (string, func() string) {
		dir := filepath.Join(outside, name)
		return dir, func() string { return b.Git("-C", dir, "for-each-ref", "--format=%(refname)") }
	}
	remote, refs := there("remote")
	b.Git("init", "-q", "--bare", remote)
	for _, c := range []struct {
		args []string
		sees bool
	}{
		{[]string{"push", "-q", remote, "main"}, false}, {[]string{"push", "-q", "--all", remote}, false}, {[]string{"push", "-q", "--tags", remote}, false},
		{[]string{"push", "-q", "--prune", remote, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"}, false}, {[]string{"push", "-q", "--mirror", remote}, true},
	} {
		b.Git(c.args...)
		if sees := strings.Contains(refs(), "refs/overturn/"); sees != c.sees {
			t.Errorf("git %v sends refs of overturn: %v", c.args[:len(c.args)-1], sees)
		}
	}
	for name, c := range map[string]struct {
		args []string
		sees bool
	}{
		"plain": {[]string{"--no-local"}, false}, "local": {nil, false}, "mirror": {[]string{"--mirror", "--no-local"}, true},
	} {
		dir, refs := there(name)
		b.Git(append(append([]string{"clone", "-q"}, c.args...), b.Root, dir)...)
		if sees := strings.Contains(refs(), "refs/overturn/"); sees != c.sees {
			t.Errorf("clone %v takes refs of overturn: %v", c.args, sees)
		}
		_, err := b.GitMayFail("-C", dir, "cat-file", "-e", strings.Fields(b.Git("for-each-ref", "--format=%(objectname)", "refs/overturn/threads"))[0])
		if has := err == nil; has != (c.sees || name == "local") {
			t.Errorf("clone %v has objects of overturn: %v", c.args, has)
		}
	}
	b.Git("config", "transfer.hideRefs", "refs/overturn")
	hidden, refs := there("hidden")
	b.Git("clone", "-q", "--mirror", "--no-local", b.Root, hidden)
	if strings.Contains(refs(), "refs/overturn/") || strings.Contains(b.Git("ls-remote", b.Root), "refs/overturn/") {
		t.Error("transfer.hideRefs does not hide them")
	}
	for _, c := range []struct {
		args []string
		sees bool
	}{
		{[]string{"log", "--format=%s", "--all"}, true}, {[]string{"log", "--format=%s", "--exclude=refs/overturn/*", "--all"}, false},
		{[]string{"log", "--format=%s", "--branches", "--tags"}, false}, {[]string{"log", "--decorate=full"}, false}, {[]string{"branch", "-a"}, false}, {[]string{"tag"}, false}, {[]string{"status"}, false},
	} {
		if sees := strings.Contains(b.Git(c.args...), "overturn"); sees != c.sees {
			t.Errorf("git %v shows snapshots: %v", c.args, sees)
		}
	}
}

// TestSnapshotsOutliveGit: what a user may run to clean up takes nothing of ours, before
// and after a prune.
func TestSnapshotsOutliveGit(t *testing.T) {
	t.Parallel()
	b := openBook(t).with(forOld)
	eightTurns(b)
	for _, cmd := range [][]string{{"gc", "-q", "--prune=now"}, {"repack", "-adq"}, {"prune", "--expire=now"}, {"reflog", "expire", "--expire=now", "--all"}, {"pack-refs", "--all", "--prune"}, {"multi-pack-index", "write"}} {
		b.Git(cmd...)
		b.ok("diff", "thread")
		b.ok("diff", "latest")
	}
	b.ok("checkpoint", "prune", "--keep", "3", "--now")
	b.Git("gc", "-q", "--prune=now")
	b.ok("diff", "6..8")
	b.turn("T", func() { b.Write("b", "after\n") })
	b.ok("diff", "latest")
	b.Check()
	if left, err := filepath.Glob(b.Path(".git/objects/pack/tmp_*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := os.Stat(b.Path(".git/overturn/rollup")); !os.IsNotExist(err) {
		t.Errorf("the scratch folder is there: %v", err)
	}
}

// TestReviewRollsUpWhileNobodyTypes: the packs of captures become one while a review is
// open that nobody touches, and not before; what was recorded is whole after it.
func TestReviewRollsUpWhileNobodyTypes(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	eightTurns(b)
	kept := func() int {
		t.Helper()
		names, err := filepath.Glob(b.Path(".git/objects/pack/pack-*.keep"))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	shown, before := b.ok("diff", "thread"), kept()
	if before < 8 {
		t.Fatalf("eight turns are in %d packs", before)
	}
	s := b.review(100, 30)
	s.wait("3 Latest turn")
	for limit := time.Now().Add(callLimit); kept() > 1; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("%d of %d packs are left beside a review that nobody touches", kept(), before)
		}
	}
	s.quit() // which keeps where it was, in a pack of its own
	if now := b.ok("diff", "thread"); now != shown || kept() > 2 {
		t.Errorf("in %d packs the thread is\n%s\nand was\n%s", kept(), now, shown)
	}
	b.rollback("latest")
}
