package casebook_test

import (
	"strings"
	"testing"
)

// TestCasebookF: the user's index, HEAD and operations in progress.
func TestCasebookF(t *testing.T) {
	runCases(t, []caseOf{
		{"F-01", caseStagedState},
		{"F-02", caseCommitsOfTheTurn},
		{"F-03", caseMergeInProgress},
		{"F-04", caseOperationsInProgress},
		{"F-06", caseNoCommits},
		{"F-08", caseDetachedHead},
		{"F-11", caseStrangersStash},
		{"F-13", caseEveryCommand},
	})
}

// caseStagedState: what the user staged by hand is byte for byte as it was.
func caseStagedState(b *book) {
	const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	b.Write("a", base)
	b.Write("b", "b\n")
	b.Write(".gitignore", "ignored\n")
	b.Commit("base")
	b.Write("ignored", "i\n")
	b.Write("a", "ONE"+base[1:])
	b.Git("add", "a")
	b.Write("a", "ONE"+base[1:]+"ten\n")
	before := b.world()
	staged := b.Git("diff", "--cached")
	b.turn("T", func() { b.Write("b", "agent\n") })
	b.rollback("latest")
	b.restored(before)
	b.same(before, "b") // the index too: bytes and time
	b.undo()
	b.same(before, "b")
	b.reads("b", "agent\n")
	if now := b.Git("diff", "--cached"); now != staged {
		b.t.Errorf("staged: %s", now)
	}

	// A turn that stages takes back its own entry alone (CONTRACT, 4).
	b.turn("T", func() { b.sh("echo two >> b; git add b; git update-index --chmod=+x b") })
	entry := b.Git("ls-files", "--stage", "--debug", "a", ".gitignore")
	b.rollback("latest")
	if now := b.Git("ls-files", "--stage", "--debug", "a", ".gitignore"); now != entry {
		b.t.Errorf("other entries: %s\nwere %s", now, entry)
	}
	if now := b.Git("diff", "--cached"); now != staged {
		b.t.Errorf("staged after a turn that staged: %s", now)
	}

	// An entry that the user staged since is the user's: the file goes back, the
	// entry stays.
	b.turn("T", func() { b.sh("echo three >> b; git add b") })
	b.sh("{ echo user; cat b; } > b.new; mv b.new b; git add b")
	index := b.world().git
	if r := b.rollback("latest"); r.paths() != "merged b" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.reads("b", "user\nagent\n")
	if d := index.Diff(b.world().git); d != "" {
		b.t.Errorf("what the user staged since: %s", d)
	}
}

// caseCommitsOfTheTurn: HEAD and branches stay where the agent's commits moved
// them; the files go back as changes that are not committed.
func caseCommitsOfTheTurn(b *book) {
	b.Write("a", "a\n")
	b.Write("gone", "gone\n")
	b.Commit("base")
	files := b.world()
	b.turn("T", func() {
		// At the time that it is: a commit that is older than the turn was switched to.
		b.sh("unset GIT_COMMITTER_DATE; echo agent > a; echo n > n; rm gone; git add -A; git commit -qm agent; git tag v1; echo more > a; git commit -qam again")
	})
	tip, done := b.Git("rev-parse", "HEAD"), b.world()
	b.rollback("latest")
	b.restored(files)
	// The entries that the turn staged go back with their files, no other file of
	// git's does: HEAD, refs, reflogs are the same bytes.
	if d := done.git.Diff(b.world().git); d != "/index changed" {
		b.t.Errorf("git's own state: %s", d)
	}
	if now := b.Git("rev-parse", "HEAD", "main"); now != tip+"\n"+tip {
		b.t.Errorf("tips: %s, were %s", now, tip)
	}
	if now := b.Git("status", "--porcelain"); now != "M  a\nA  gone\nD  n" {
		b.t.Errorf("status: %q", now)
	}
	b.undo()
	b.restored(done)
	if now := b.Git("status", "--porcelain"); now != "" {
		b.t.Errorf("status after the undo: %q", now)
	}
}

// conflict makes a branch "side" that cannot be merged with main, and stands on main.
func (b *book) conflict() {
	b.t.Helper()
	b.Write("m", "base\n")
	b.Write("o", "o\n")
	b.Commit("base")
	b.sh("git checkout -qb side; echo side > m; git commit -qam side; git checkout -q main; echo main > m; git commit -qam main")
}

// caseMergeInProgress: unmerged entries are no obstacle, and they stay.
func caseMergeInProgress(b *book) {
	b.conflict()
	b.sh("! git merge -q side >/dev/null 2>&1")
	marked := b.Read("m")
	before := b.world()
	b.turn("T", func() { b.Write("o", "agent\n") })
	if got := b.Git("show", b.show("T", "1").Ref+":m"); got+"\n" != marked || !strings.Contains(got, "<<<<<<<") {
		b.t.Errorf("captured: %q, on disk %q", got, marked)
	}
	b.rollback("latest")
	b.same(before, "o")
	b.undo()
	b.same(before, "o")
	// The agent resolves the conflict on disk; the markers come back.
	b.turn("T", func() { b.Write("m", "resolved\n") })
	b.rollback("latest")
	b.reads("m", marked)
	b.same(before, "o", "m")
	b.sh("echo resolved > m; git add m; git commit -qm merged")
	if parents := strings.Fields(b.Git("log", "-1", "--format=%P")); len(parents) != 2 {
		b.t.Errorf("the merge has the parents %q", parents)
	}
}

// caseOperationsInProgress: no command goes on with, or ends, what the user began.
func caseOperationsInProgress(b *book) {
	for _, c := range []struct{ name, begin string }{
		{"rebase", "git checkout -q side; ! git rebase main"},
		{"rebase --apply", "git checkout -q side; ! git rebase --apply main"},
		{"cherry-pick", "! git cherry-pick side"},
		{"revert", "git commit -q --allow-empty -m x; echo again > m; git commit -qam again; ! git revert HEAD~2"},
		{"am", "git format-patch -q -1 side --stdout > ../mbox; ! git am ../mbox"},
		{"bisect", "git bisect start -q; git bisect bad; git bisect good HEAD~1"},
	} {
		o := b.another()
		o.conflict()
		o.sh("{ " + c.begin + "; } >/dev/null 2>&1")
		before := o.world()
		o.turn("T", func() { o.Write("o", "agent\n") })
		if c.name == "rebase" { // the case as reported; the others are its neighbours
			for _, args := range readingCommands() {
				o.ok(args...)
			}
		}
		o.rollback("latest")
		o.restored(before)
		o.undo()
		o.same(before, "o")
		if b.t.Failed() {
			b.t.Fatalf("in a %s", c.name)
		}
	}
}

// caseNoCommits: a repository without commits goes round the whole cycle.
func caseNoCommits(b *book) {
	b.Write("mine", "mine\n")
	b.Write("both", "mine\n")
	before := b.world()
	b.turn("T", func() {
		b.Write("new", "agent\n")
		b.Write("both", "mine\nagent\n")
	})
	if got := b.show("T", "1").names(); got != "both modified, new added" {
		b.t.Errorf("files: %s", got)
	}
	if parents := b.Git("log", "-1", "--format=%P", b.show("T", "1").Start.Ref); len(strings.Fields(parents)) > 1 {
		b.t.Errorf("parents of the snapshot: %s", parents)
	}
	// The patch is one that git takes, zero ids of what was not there included.
	b.GitInput(b.ok("diff", "latest", "--exact"), "apply", "--check", "--reverse", "-")
	b.GitInput(b.ok("plan", "--patch"), "apply", "--check", "--allow-empty", "-")
	if out := b.ok("diff", "working"); !strings.Contains(out, "\nindex 0000000000000000000000000000000000000000..") {
		b.t.Errorf("diff of all: %s", out)
	}
	done := b.world()
	b.rollback("latest")
	b.same(before, "both", "new")
	b.restored(before)
	b.undo()
	b.restored(done)
	if b.Exists(".git/index") {
		b.t.Error("an index was made")
	}
}

// caseDetachedHead: where HEAD stands is a note in the snapshot, no more.
func caseDetachedHead(b *book) {
	b.Write("a", "a\n")
	commit := b.Commit("base")
	b.Git("checkout", "-q", "--detach")
	before := b.world()
	b.turn("T", func() { b.Write("a", "agent\n") })
	b.rollback("latest")
	b.same(before, "a")
	b.restored(before)
	b.undo()
	b.reads("a", "agent\n")
	b.ok("redo")
	b.same(before, "a")
	b.restored(before)
	if head := strings.TrimSpace(b.Read(".git/HEAD")); head != commit {
		b.t.Errorf("HEAD is %q", head)
	}
}
