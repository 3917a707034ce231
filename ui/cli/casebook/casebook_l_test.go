package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
	"overturn/ui/cli/trial"
)

// TestCasebookL: environment, configuration and hooks. The whole of it, setting by
// setting and verb by verb, is ui/cli/housetest; here are the cases as they happened.
func TestCasebookL(t *testing.T) {
	runCases(t, []caseOf{
		{"L-01", caseInheritedGitDir},
		{"L-02", caseInsideACommit},
		{"L-05", caseSigning},
		{"L-07", caseNoIdentity},
		{"L-08", caseExternalDiff},
		{"L-09", caseDiffSettings},
		{"L-10", caseUntrackedHidden},
		{"L-11", caseTranslatedGit},
		{"L-12", caseDubiousOwner},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// round is the whole way of a turn: start, work, end, review, rollback, undo; it
// returns all that was printed, for two rounds to be compared.
func (b *book) round() string {
	b.t.Helper()
	var all strings.Builder
	b.Write("a.txt", lines30(map[int]string{9: "of the user"}))
	b.Write("mine", "of the user\n")
	before := b.world()
	b.turn("T", func() {
		b.Write("a.txt", lines30(map[int]string{2: "agent", 9: "of the user", 20: "agent too"}))
		b.Write("n/m/o.txt", "new\n")
		b.Remove("gone.txt")
	})
	for _, args := range [][]string{{"diff", "latest"}, {"diff", "working", "--stat"}, {"diff", "latest", "--name-status"}, {"diff", "branch=main"}, {"stage", "latest"}, {"plan", "--patch"}} {
		fmt.Fprintf(&all, "== %s\n%s", args, b.ok(args...))
	}
	r := b.carry(0)
	fmt.Fprintln(&all, r.paths())
	if r.paths() != "restored a.txt, created gone.txt, deleted n/m/o.txt" || !r.Verified {
		b.t.Errorf("rollback: %s, %+v", r.paths(), r)
	}
	b.restored(before)
	b.same(before, "a.txt", "gone.txt", "n")
	b.undo()
	b.reads("n/m/o.txt", "new\n")
	b.ok("redo")
	b.restored(before)
	return all.String()
}

// base is the commit that a round starts from.
func (b *book) base() *book {
	b.t.Helper()
	b.Write("a.txt", lines30(nil))
	b.Write("gone.txt", "gone\n")
	b.Commit("base")
	return b
}

// caseInheritedGitDir: every variable that leads to another repository, in a hook
// and in a shell; the other repository is the same to the byte.
func caseInheritedGitDir(b *book) {
	b.base()
	want := b.another().base().round()
	victim := b.another()
	victim.Write("v", "v\n")
	victim.Commit("victim")
	victim.sh("echo staged > v; git add v; echo unstaged > v; echo u > u")
	before := victim.wholeRepository()
	git := victim.Path(".git")
	led := b.with("GIT_DIR="+git, "GIT_WORK_TREE="+victim.Root, "GIT_INDEX_FILE="+git+"/index", "GIT_COMMON_DIR="+git, "GIT_OBJECT_DIRECTORY="+git+"/objects",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+git+"/objects", "GIT_NAMESPACE=n", "GIT_PREFIX=x/", "GIT_CEILING_DIRECTORIES="+b.Root,
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0="+victim.Root)
	if got := led.round(); got != want {
		b.t.Errorf("with the variables it says\n%s\nwithout\n%s", got, want)
	}
	led.hook(event("turn-start", "H", "1"))
	led.hook(event("turn-end", "H", "1"))
	if turn := b.newest("H"); turn.Status != "ready" {
		b.t.Errorf("the hook's turn: %+v", turn)
	}
	if now := victim.wholeRepository(); now != before {
		b.t.Error("the victim changed")
	}
}

// wholeRepository is every file of a repository, .git and all, as one text.
func (b *book) wholeRepository() string {
	b.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(b.Root, func(name string, d os.DirEntry, err error) error {
		if err == nil {
			var what string
			what, err = trial.Standing(name)
			fmt.Fprintln(&all, name, what)
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all.String()
}

// caseInsideACommit: overturn runs in a pre-commit hook, in the main and in a linked
// work tree, and in a hook of a commit that names its own index (git commit PATH).
func caseInsideACommit(b *book) {
	b.base()
	script := fmt.Sprintf("#!/bin/sh\nset -e\n[ -n \"$GIT_INDEX_FILE\" ]\nexec >>'%s/said' 2>&1\nfor v in 'turn start --thread C' 'turn end --thread C' status 'diff working' 'stage working' plan unstage; do %s $v; done\n", b.Home, clitest.Bin())
	b.Write(".git/hooks/pre-commit", script)
	b.Chmod(".git/hooks/pre-commit", 0o755)
	linked := bookOf(b.t, b.Worktree("linked"))
	for _, tree := range []*book{b, linked} {
		tree.env = tree.Env.Environ // the user's own, for git and for overturn in it
		tree.Write("a.txt", "to be committed\n")
		tree.Write("other", "not yet\n")
		tree.sh("git add a.txt; git commit -qm staged; echo more >> a.txt; git add other; git commit -qm part a.txt; git commit -qam all --allow-empty")
		if got := tree.Git("log", "--format=%s", "-3"); got != "all\npart\nstaged" {
			tree.t.Errorf("commits: %q", got)
		}
		if got := tree.Git("show", "--stat=80", "--format=", "HEAD~1"); !strings.Contains(got, "a.txt") || strings.Contains(got, "other") {
			tree.t.Errorf("the partial commit holds %s", got)
		}
		if got := tree.Git("status", "--porcelain"); got != "" {
			tree.t.Errorf("status: %q", got)
		}
		tree.Git("fsck", "--strict", "--no-dangling")
	}
	if turn := linked.newest("C@linked"); turn.Turn != 3 || turn.Status != "ready" {
		b.t.Errorf("turns recorded in the hook: %+v; it said %s", turn, b.readFile(filepath.Join(b.Home, "said")))
	}
}

// caseSigning: the user signs everything, with a program that fails and says so.
func caseSigning(b *book) {
	b.base()
	marker := filepath.Join(b.t.TempDir(), "asked")
	program := b.beside("gpg", "#!/bin/sh\n: > '"+marker+"'\nexit 1\n")
	if err := os.Chmod(program, 0o755); err != nil {
		b.t.Fatal(err)
	}
	for _, set := range [][2]string{{"commit.gpgSign", "true"}, {"tag.gpgSign", "true"}, {"tag.forceSignAnnotated", "true"}, {"push.gpgSign", "if-asked"}, {"gpg.program", program},
		{"gpg.format", "ssh"}, {"gpg.ssh.program", program}, {"user.signingKey", "key"}, {"log.showSignature", "true"}, {"merge.verifySignatures", "true"}} {
		b.Git("config", set[0], set[1])
	}
	b.round()
	if _, err := os.Stat(marker); err == nil {
		b.t.Error("the program that signs was run")
	}
	if got := b.Git("cat-file", "-p", b.newest("T").Ref); strings.Contains(got, "gpgsig") {
		b.t.Errorf("the snapshot is signed: %s", got)
	}
	if _, err := b.GitMayFail("commit", "--allow-empty", "-m", "x"); err == nil {
		b.t.Error("the user's own commit was not to be signed: the settings do not hold")
	}
}

// caseNoIdentity: nobody has said who the user is, and git must not guess.
func caseNoIdentity(b *book) {
	b.base()
	nobody := *b
	nobody.env = nil
	for _, entry := range append(b.env, "GIT_CONFIG_NOSYSTEM=1") {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "GIT_AUTHOR") && !strings.HasPrefix(name, "GIT_COMMITTER") && name != "EMAIL" {
			nobody.env = append(nobody.env, entry)
		}
	}
	b.Git("config", "user.useConfigOnly", "true")
	nobody.round()
	got := b.Git("log", "-1", "--format=%an <%ae> %cn <%ce>", nobody.newest("T").Ref)
	if got != "overturn <overturn@localhost> overturn <overturn@localhost>" {
		b.t.Errorf("the snapshot is by %s", got)
	}
	// Without a home, too: what is the user's own cannot be kept, and is said to be so.
	bare := nobody
	bare.env = nil
	for _, entry := range nobody.env {
		if name, _, _ := strings.Cut(entry, "="); name != "HOME" && name != "XDG_CONFIG_HOME" && name != "OVERTURN_HOME" {
			bare.env = append(bare.env, entry)
		}
	}
	bare.round()
	bare.hook(event("turn-start", "H", "1"))
	bare.hook(event("turn-end", "H", "1"))
	if turn := bare.newest("H"); turn.Status != "ready" {
		b.t.Errorf("a hook without a home: %+v", turn)
	}
	if s := bare.overturn("enable", "codex", "--where", "user"); s.code != 1 || !strings.Contains(s.stderr, "HOME") {
		b.t.Errorf("enable without a home: %+v", s)
	}
}
