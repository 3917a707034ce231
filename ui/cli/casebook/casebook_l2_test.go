package casebook_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// saysWith holds that a round with settings says what one without them says.
func (b *book) saysWith(want string, settings map[string]string, attributes string) {
	b.t.Helper()
	set := b.another().base()
	for key, value := range settings {
		set.Git("config", key, value)
	}
	set.Write(".git/info/attributes", attributes)
	if got := set.round(); got != want {
		b.t.Errorf("with %v it says\n%s\nwithout\n%s", settings, got, want)
	}
}

// caseExternalDiff: a structural differ, a textconv driver, colours and a pager.
func caseExternalDiff(b *book) {
	want := b.base().round()
	b.saysWith(want, map[string]string{"diff.external": "/bin/true", "diff.up.textconv": "tr a-z A-Z <", "diff.up.command": "/bin/true", "diff.up.binary": "true",
		"color.ui": "always", "color.diff": "always", "core.pager": "cat -v", "pager.diff": "false"}, "*.txt diff=up\n")
	env := []string{"GIT_EXTERNAL_DIFF=/bin/true", "GIT_PAGER=false", "PAGER=false", "GIT_DIFF_OPTS=-u0", "GIT_PAGER_IN_USE=1"}
	if got := b.another().base().with(env...).round(); got != want {
		b.t.Errorf("with %s it says\n%s", env, got)
	}
}

// caseDiffSettings: the whole matrix of the case at once, and the two that break
// names by themselves.
func caseDiffSettings(b *book) {
	want := b.another().base().round()
	b.saysWith(want, map[string]string{"diff.noprefix": "true"}, "")
	b.saysWith(want, map[string]string{"diff.mnemonicPrefix": "true"}, "")
	order := b.beside("order", "n/*\n*.txt\n")
	b.saysWith(want, map[string]string{"diff.srcPrefix": "x/", "diff.dstPrefix": "y/", "diff.renames": "copies", "diff.submodule": "log", "diff.ignoreSubmodules": "all",
		"diff.orderFile": order, "diff.interHunkContext": "20", "diff.context": "0", "diff.indentHeuristic": "false", "diff.suppressBlankEmpty": "true",
		"diff.wsErrorHighlight": "all", "diff.relative": "true", "diff.algorithm": "histogram", "core.quotePath": "false", "core.abbrev": "4", "diff.statGraphWidth": "3"}, "")
	// The patch of a plan is one that git's own apply takes, with these settings too.
	b.base()
	b.Git("config", "diff.noprefix", "true")
	b.Git("config", "apply.whitespace", "error-all")
	b.turn("T", func() { b.Write("a.txt", lines30(map[int]string{3: "agent"})) })
	b.stage("latest")
	patch := b.beside("plan.patch", b.ok("plan", "--patch"))
	b.Git("apply", patch)
	b.reads("a.txt", lines30(nil))
}

// caseUntrackedHidden: the user has switched the listing of untracked files off.
func caseUntrackedHidden(b *book) {
	for _, value := range []string{"no", "normal", "false"} {
		b := b.another().base()
		b.Git("config", "status.showUntrackedFiles", value)
		b.turn("T", func() { b.Write("n/m/o.txt", "new\n"); b.Write("n/p.txt", "new\n") })
		if got := b.newest("T").names(); got != "n/m/o.txt added, n/p.txt added" {
			b.t.Errorf("%s: %s", value, got)
		}
		if got := b.ok("diff", "working", "--name-status"); !strings.Contains(got, "n/m/o.txt") || !strings.Contains(got, "n/p.txt") {
			b.t.Errorf("%s: %s", value, got)
		}
		if r := b.rollback("latest"); r.paths() != "deleted n/m/o.txt, deleted n/p.txt" {
			b.t.Errorf("%s: %s", value, r.paths())
		}
		b.gone("n")
	}
}

// translated is the book with a git that speaks another language, with the same
// exit codes, whatever locale it is asked for.
func (b *book) translated() *book {
	b.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		b.t.Fatal(err)
	}
	dir := b.t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
'%s' "$@" 2>'%s/said'
code=$?
sed -e 's/fatal:/Schwerwiegend:/; s/error:/Fehler:/; s/warning:/Warnung:/; s/not a git repository/kein Git-Repository/; s/ambiguous argument/mehrdeutiges Argument/; s/dubious ownership/zweifelhafte Eigentümerschaft/; s/does not exist/existiert nicht/; s/No such/Kein/; s/File exists/Datei existiert/' '%s/said' >&2
exit $code
`, git, dir, dir)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		b.t.Fatal(err)
	}
	return b.with("PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "LANGUAGE=de", "LC_ALL=de_DE.UTF-8")
}

// caseTranslatedGit: what is decided is decided by exit codes: a round, and every
// refusal, is the same with a git whose words nobody here reads.
func caseTranslatedGit(b *book) {
	plain, german := b.another().base(), b.another().base().translated()
	if got, want := german.round(), plain.round(); got != want {
		b.t.Errorf("with a git that speaks German it says\n%s\nelse\n%s", got, want)
	}
	for _, args := range [][]string{{"diff", "branch=nowhere"}, {"diff", "branch"}, {"stage", "working", "--", "no/where"}, {"show", "99"}, {"checkpoint", "show", "0z"}, {"-C", "..", "status"}, {"-C", ".git", "status"}} {
		// What git said is passed on; what is made of it, and the hint, are ours.
		p, g := plain.overturn(args...), german.overturn(args...)
		_, hint, _ := strings.Cut(p.stderr, "\n")
		if _, other, _ := strings.Cut(g.stderr, "\n"); p.code != g.code || p.code == 0 || p.stdout != g.stdout || strings.ReplaceAll(hint, plain.Root, "") != strings.ReplaceAll(other, german.Root, "") {
			b.t.Errorf("overturn %q: %+v\nand else %+v", args, g, p)
		}
	}
	// A repository without commits, where half of git's answers are refusals.
	empty := b.another().translated()
	empty.turn("T", func() { empty.Write("n", "n\n") })
	if r := empty.rollback("latest"); r.paths() != "deleted n" {
		b.t.Errorf("without commits: %s", r.paths())
	}
}

// caseDubiousOwner: git does not trust the repository. Status says why and what to do
// in git's own words; a hook keeps quiet and lets the agent work; nothing is written,
// neither here nor into the user's configuration; where the user trusts it, all is well.
func caseDubiousOwner(b *book) {
	b.base()
	foreign := b.with("GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	before := b.wholeRepository()
	for _, args := range [][]string{{"status"}, {"review"}, {"turn", "start", "--thread", "T"}, {"diff", "working"}, {"rollback"}} {
		s := foreign.overturn(args...)
		if s.code != 10 || s.stdout != "" || !strings.Contains(s.stderr, "git does not trust this repository") || !strings.Contains(s.stderr, "git config --global --add safe.directory "+b.Root) {
			b.t.Errorf("overturn %q: %+v", args, s)
		}
	}
	foreign.hook(event("turn-start", "H", "1"))
	b.Write("agent", "goes on\n")
	foreign.hook(event("turn-end", "H", "1"))
	b.Remove("agent")
	if now := b.wholeRepository(); now != before {
		b.t.Error("something was written into a repository that git does not trust")
	}
	if _, err := os.Stat(filepath.Join(b.Home, ".gitconfig")); err == nil {
		b.t.Error("the user's configuration was written")
	}
	// Trusted once, and no longer: what was learnt does not outlive it.
	b.Git("config", "--global", "safe.directory", b.Root)
	foreign.round()
	if err := os.Remove(filepath.Join(b.Home, ".gitconfig")); err != nil {
		b.t.Fatal(err)
	}
	if s := foreign.overturn("status"); s.code != 10 {
		b.t.Errorf("trusted no more: %+v", s)
	}
	b.ok("turns")
}
