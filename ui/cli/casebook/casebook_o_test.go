//go:build linux || darwin

package casebook_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookO: where snapshots live, who sees them, and what keeps them.
func TestCasebookO(t *testing.T) {
	runCases(t, []caseOf{
		{"O-01", caseCollectedAsGarbage},
		{"O-03", caseRefsAreCommits},
		{"O-04", caseHistoryViews},
		{"O-06", caseDepthOfRefs},
		{"O-08", caseNamesOfThreads},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// inMemory is a copy of the repository on a disk that is memory, for cases of many
// turns.
func (b *book) inMemory() *book {
	t, ok := b.t.(*testing.T)
	if !ok {
		return b
	}
	return b.copyOf(t)
}

// collect is all that git can do to objects that nothing holds.
func (b *book) collect() {
	b.t.Helper()
	b.sh(`git reflog expire --expire=now --expire-unreachable=now --all
		git gc -q --prune=now; git repack -q -a -d; git prune --expire=now; git prune-packed -q`)
}

// caseCollectedAsGarbage: whatever was said to be kept is there when git has thrown
// away all that nothing holds: between the ends of a turn, while something is
// staged, after a rollback, and from another work tree of the repository.
func caseCollectedAsGarbage(b *book) {
	b.sh(`printf '*.crlf text eol=crlf\n' > .gitattributes; printf 'one\r\n' > f.crlf; printf 'a\n' > a; printf '*.o\n' > .gitignore`)
	b.Commit("base")
	b.sh("printf 'dirty\n' > a; printf 'one\r\nmixed\n' > f.crlf; printf 'u\n' > untracked; printf 's\n' > staged; git add staged; chmod 640 untracked")
	before := b.world()
	b.start("T")
	b.collect()
	b.sh("printf 'agent\n' > a; printf 'agent\n' > f.crlf; rm untracked; printf 'n\n' > new; printf 'x' > staged; git rm -qf --cached staged")
	b.end("T")
	after := b.world()
	b.sh("git worktree add -q --detach ../other")
	other := bookOf(b.t, b.At(b.Path("../other")))
	for _, c := range []*book{b, other} {
		b.stage("1")
		print := b.plan().Fingerprint
		c.collect()
		if now := b.plan().Fingerprint; now != print {
			b.t.Errorf("the plan became %s", now)
		}
		if turn := b.show("T", "1"); turn.Status != "ready" {
			b.t.Errorf("%s: %s", turn.Status, turn.StatusReason)
		}
		b.carry(0)
		b.restored(before)
		c.collect()
		b.undo()
		b.restored(after)
	}
	b.sh("git worktree remove --force ../other")
	b.collect()
	b.rollback("1", "--method", "restore")
	b.restored(before)
}

// caseRefsAreCommits: no ref of ours names a tree or a blob, whatever was recorded.
func caseRefsAreCommits(b *book) {
	b.sh(`printf 'a\n' > a; printf '*.crlf text eol=crlf\n' > .gitattributes; mkfifo pipe`)
	b.Commit("base")
	b.sh("git rev-parse HEAD: > /dev/null; printf 'x\r\n' > f.crlf; git init -q nested")
	b.turn("T", func() { b.sh("printf 'agent\n' > a; rm f.crlf") })
	b.sh("printf 'user\n' > u")
	b.turn("T", func() { b.sh("printf 'again\n' >> a") })
	b.ok("turn", "effect", "--thread", "T", "--domain", "network", "--summary", "asked")
	b.rollback("2")
	b.undo()
	b.stage("1")
	kinds := map[string]bool{}
	for _, line := range strings.Split(b.Git("for-each-ref", "--format=%(objecttype) %(refname)", "refs/overturn"), "\n") {
		kind, name, _ := strings.Cut(line, " ")
		if kind != "commit" {
			b.t.Errorf("%s is a %s", name, kind)
		}
		kinds[strings.Split(name, "/")[2]] = true
	}
	for _, kind := range []string{"threads", "checkpoints", "safety", "staged"} {
		if !kinds[kind] {
			b.t.Errorf("no ref of %s was looked at: %v", kind, kinds)
		}
	}
}

// caseHistoryViews: what is documented is what git's views of history show: nothing
// without --all, and with it two commits a turn and two more in all, none of which
// has a commit of the project for its parent.
func caseHistoryViews(b *book) {
	const turns = 50
	b.Write("a", "base\n")
	b.Commit("base")
	b.Git("tag", "v1")
	b = b.inMemory()
	views := func() string {
		return strings.Join([]string{b.Git("log", "--oneline"), b.Git("branch", "-a"), b.Git("tag", "-l"), b.Git("log", "--branches", "--tags", "--remotes", "--oneline"),
			b.Git("stash", "list"), b.Git("log", "--exclude=refs/overturn/*", "--all", "--oneline"), b.Git("describe", "--tags")}, "\n--\n")
	}
	before := views()
	for i := range turns {
		b.turn("T", func() { b.Write("a", fmt.Sprint(i, "\n")) })
	}
	if now := views(); now != before {
		b.t.Errorf("git shows\n%s\nwhere it showed\n%s", now, before)
	}
	if n := len(strings.Fields(b.Git("rev-list", "--all"))); n > 1+2*turns+2+1 {
		b.t.Errorf("%d turns are %d commits in log --all", turns, n)
	}
	if n := len(strings.Split(b.Git("for-each-ref", "refs/overturn"), "\n")); n > 2*turns+1 {
		b.t.Errorf("%d turns are %d refs", turns, n)
	}
	if shared := b.Git("rev-list", "--glob=refs/overturn/", "--boundary", "--not", "HEAD"); strings.Contains(shared, "-") {
		b.t.Error("a snapshot has a commit of the project for its parent")
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil || !strings.Contains(string(readme), "git log --exclude='refs/overturn/*' --all") {
		b.t.Errorf("README does not say how to leave the snapshots out: %v", err)
	}
}

// caseDepthOfRefs: refs are found by prefix, however deep they are, loose and
// packed; a sibling's name and a stranger below ours are neither taken nor touched.
func caseDepthOfRefs(b *book) {
	b.Write("a", "base\n")
	head := b.Commit("base")
	for _, thread := range []string{"T", "a/b/c/d", strings.Repeat("long", 45)} {
		b.turn(thread, func() { b.sh("echo agent >> a") })
	}
	strangers := []string{
		"refs/overturn2/threads/VA/turn/1", "refs/overturn-old/x", "refs/overturn/x", "refs/overturn/threads/VA/turn/1x", "refs/overturn/threads/VA/turn/2/deep",
		"refs/overturn/threads/VA/other/1", "refs/overturn/threads/not base64/turn/1", "refs/overturn/checkpoints/zz/nothing", "refs/heads/overturn2",
	}
	var made []string
	for _, name := range strangers {
		if _, err := b.GitMayFail("update-ref", name, head); err == nil {
			made = append(made, name)
		}
	}
	if len(made) != len(strangers)-1 { // git itself refuses the one with a space
		b.t.Fatalf("made %q", made)
	}
	for _, how := range []string{"loose", "packed", "rebuilt"} {
		switch how {
		case "packed":
			b.Git("pack-refs", "--all", "--prune")
		case "rebuilt": // the lists are gone: the refs are what there is
			b.sh("rm -rf .git/overturn")
			for _, thread := range []string{"T", "a/b/c/d", strings.Repeat("long", 45)} {
				b.turn(thread, func() { b.sh("echo more >> a") })
			}
		}
		var list struct {
			Threads []struct {
				Thread string
				Turns  int
			}
		}
		b.json(0, &list, "threads")
		if len(list.Threads) != 3 {
			b.t.Errorf("%s: %+v", how, list.Threads)
		}
		want := 1
		if how == "rebuilt" {
			want = 2
		}
		for _, th := range list.Threads {
			if th.Turns != want {
				b.t.Errorf("%s: %+v", how, th)
			}
			if turn := b.show(th.Thread, "1"); turn.Status != "ready" || turn.names() != "a modified" {
				b.t.Errorf("%s: %s %+v", how, th.Thread, turn)
			}
		}
		for _, name := range made {
			if b.Git("rev-parse", name) != head {
				b.t.Errorf("%s: %s moved", how, name)
			}
		}
	}
}
