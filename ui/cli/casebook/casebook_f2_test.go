package casebook_test

import (
	"strings"

	"overturn/gitops/gittest"
)

// another is a second repository in the same case.
func (b *book) another(opts ...gittest.Option) *book {
	b.t.Helper()
	return openBook(b.t, opts...)
}

// readingCommands are the calls that exit 0 wherever a turn was recorded, and
// write nothing of the user's.
func readingCommands() [][]string {
	var list [][]string
	for _, line := range []string{
		"status", "threads", "turns", "show 1", "diff", "diff --stat", "diff working --name-status", "diff thread", "diff 0..1",
		"stage latest", "plan", "plan --patch", "unstage", "review", "history", "recover", "checkpoint list", "trace", "agents",
		"themes", "man", "version", "completion bash", "help",
	} {
		list = append(list, strings.Fields(line))
	}
	return list
}

// caseStrangersStash: there is no stash, whatever fails half way.
func caseStrangersStash(b *book) {
	b.Write("a", "a\n")
	b.Write("b", "b\n")
	b.Commit("base")
	b.sh("echo stranger > a; echo untracked > u; git stash push -q -u; echo second > b; git stash push -q")
	stashes := b.Git("stash", "list", "--format=%H %gd %gs")
	if strings.Count(stashes, "\n") != 1 {
		b.t.Fatalf("stashes: %q", stashes)
	}
	git := b.world().git
	for point, calls := range map[string][]string{
		"objects.flush.after": {"turn start --thread T"}, "refs.apply.locked": {"turn start --thread T"},
		"ledger.end.noted": {"turn end --thread T"}, "ledger.published": {"turn end --thread T"},
		"rollback.prepared": {"rollback", "recover --unwind"}, "restore.exchanged": {"rollback", "recover --finish"},
		"rollback.applied": {"rollback", "recover --finish"}, "recover.begun": {"rollback", "recover --unwind"},
	} {
		b.failAt(point, calls)
		if d := git.Diff(b.world().git); d != "" {
			b.t.Fatalf("failed at %s: %s", point, d)
		}
	}
	if now := b.Git("stash", "list", "--format=%H %gd %gs"); now != stashes {
		b.t.Errorf("stashes: %s\nwere %s", now, stashes)
	}
	b.sh("rm -f new; git checkout -q a; git stash pop -q; git checkout -q b; git stash pop -q")
	b.reads("a", "stranger\n")
	b.reads("u", "untracked\n")
}

// failAt kills the calls at a point, settles what is left and goes on.
func (b *book) failAt(point string, calls []string) {
	b.t.Helper()
	broken, killed := b.with("OVERTURN_FAIL_POINT="+point), 0
	b.ok("turn", "start", "--thread", "T", "--turn-id", point)
	b.Write("a", point+"\n")
	b.Write("new", point+"\n")
	if calls[0] == "rollback" {
		b.end("T")
		b.ok("stage", "latest")
		if point == "recover.begun" {
			b.with("OVERTURN_FAIL_POINT=restore.exchanged").overturn("rollback", "--expect", b.plan().Fingerprint)
			calls = calls[1:]
		}
	}
	for _, line := range calls {
		args := strings.Fields(line)
		if line == "rollback" {
			args = append(args, "--expect", b.plan().Fingerprint)
		}
		if broken.overturn(args...).code == -1 {
			killed++
		}
	}
	if killed == 0 {
		b.t.Errorf("nothing failed at %s", point)
	}
	b.ok("recover", "--unwind")
	b.ok("unstage")
}

// caseEveryCommand holds index, HEAD, refs, reflogs and the rest of git's files
// before and after each single command.
func caseEveryCommand(b *book) {
	b.Write("a", "a\n")
	b.Write("dir/b", "b\n")
	b.Commit("base")
	b.sh("git branch other; git tag v1; echo staged > a; git add a; echo unstaged > dir/b; echo u > u; git stash push -q -- dir/b")
	git := b.world().git
	after := func(what string) {
		b.t.Helper()
		if d := git.Diff(b.world().git); d != "" {
			b.t.Fatalf("%s: %s", what, d)
		}
	}
	each := func(lines ...string) {
		for _, line := range lines {
			b.ok(strings.Fields(line)...)
			after(line)
		}
	}
	each("turn start --thread T --require-clean=false")
	b.Write("u", "agent\n")
	b.Write("new", "agent\n")
	each("turn touch --thread T u", "turn effect --thread T --domain other --summary x", "turn end --thread T",
		"enable --where user claude-code", "disable claude-code", "diff branch=other")
	for _, args := range readingCommands() {
		b.ok(args...)
		after(strings.Join(args, " "))
	}
	each("stage 1 --thread T")
	b.carry(0)
	after("rollback")
	each("undo", "redo", "undo", "recover", "run --thread R -- true")
	b.overturn("rollback", "--expect", strings.Repeat("0", 64))
	after("a stale rollback")
}
