package gitops_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
)

func git(t *testing.T, repo *gitops.Repo, args ...string) string {
	t.Helper()
	out, err := repo.Git(context.Background(), args...)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestVariablesOfTheCallerLeadNowhere: with GIT_DIR and its kin pointing at a
// victim, everything still happens in the folder's own repository.
func TestVariablesOfTheCallerLeadNowhere(t *testing.T) { // L-01, L-02
	victim := gittest.New(t)
	victim.Write("v", "victim")
	victim.Commit("victim")
	before := victim.Protected(t)
	r := gittest.New(t)
	r.Write("a", "mine")
	r.Commit("mine")
	gitDir := victim.GitDir()
	hostile := r.WithEnv("GIT_DIR="+gitDir, "GIT_WORK_TREE="+victim.Root, "GIT_INDEX_FILE="+gitDir+"/index", "GIT_COMMON_DIR="+gitDir,
		"GIT_OBJECT_DIRECTORY="+gitDir+"/objects", "GIT_NAMESPACE=n", "GIT_PREFIX=x/", "GIT_CEILING_DIRECTORIES="+r.Root,
		"GIT_CONFIG=/dev/null", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0="+victim.Root,
		"GIT_CONFIG_PARAMETERS='core.bare=true'", "GIT_EXTERNAL_DIFF=/bin/false", "GIT_GLOB_PATHSPECS=1", "GIT_ICASE_PATHSPECS=1",
		"GIT_TRACE=1", "GIT_DIFF_OPTS=-u0", "GIT_REPLACE_REF_BASE=refs/x/", "LANG=de_DE.UTF-8", "LANGUAGE=de")
	for range 2 { // asked and from facts
		repo := find(t, r.Root, hostile.Env)
		if repo.Root != r.Root {
			t.Fatalf("found %s", repo.Root)
		}
		r.Write("a", "changed\n")
		if got := git(t, repo, "diff", "--name-only"); got != "a\n" {
			t.Errorf("diff: %q", got)
		}
		git(t, repo, "update-ref", "refs/overturn/x", "HEAD")
		if err := repo.EnsureStateDir(); err != nil {
			t.Fatal(err)
		}
		settled()
	}
	if diff := before.Diff(victim.Protected(t)); diff != "" {
		t.Errorf("the victim changed: %s", diff)
	}
}

func TestOutputDoesNotDependOnSettings(t *testing.T) { // L-08, L-09, L-10, L-11
	r := gittest.New(t)
	r.Write("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	r.Write("b", "x\n")
	r.Commit("one")
	r.Write("a", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")
	r.Remove("b")
	r.Write("n/m/o.txt", "new")
	commands := [][]string{{"diff"}, {"diff", "--stat"}, {"status", "--porcelain"}, {"diff-files", "-p"}, {"diff", "HEAD", "--", "a"}}
	plain := r.Open()
	var want []string
	for _, args := range commands {
		want = append(want, git(t, plain, args...))
	}
	if !strings.Contains(want[0], "--- a/a\n") || !strings.Contains(want[2], "?? n/m/o.txt") {
		t.Fatalf("plain output: %q", want)
	}
	hostile := map[string]string{"diff.external": "/bin/true", "diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.srcPrefix": "x/",
		"diff.context": "0", "diff.interHunkContext": "20", "diff.renames": "copies", "diff.orderFile": "/nowhere", "diff.algorithm": "patience",
		"diff.wsErrorHighlight": "all", "diff.suppressBlankEmpty": "true", "diff.ignoreSubmodules": "all", "diff.submodule": "log",
		"color.ui": "always", "color.diff": "always", "core.pager": "cat -v", "status.showUntrackedFiles": "no", "status.short": "true",
		"status.branch": "true", "diff.txt.textconv": "false", "core.hooksPath": "/tmp", "commit.gpgSign": "true", "core.attributesFile": "/nowhere"}
	for key, value := range hostile {
		r.Git("config", key, value)
	}
	r.Write(".git/info/attributes", "* diff=txt\n")
	repo := r.Open()
	for i, args := range commands {
		if got := git(t, repo, args...); got != want[i] {
			t.Errorf("git %v: got\n%s\nwant\n%s", args, got, want[i])
		}
	}
}

func TestPathspecsAreLiteral(t *testing.T) {
	r := gittest.New(t)
	r.Write("*", "star")
	r.Write("a", "a")
	repo := r.Open()
	if got := git(t, repo, "ls-files", "-o", "--", "*"); got != "*\n" {
		t.Errorf("literal: %q", got)
	}
	out, err := repo.GitWith(context.Background(), gitops.CommandOptions{NoLiteralPathspecs: true}, "ls-files", "-o", "--", "*")
	if err != nil || string(out) != "*\na\n" {
		t.Errorf("not literal: %q, %v", out, err)
	}
}

func TestHooksAndTransportsAreOff(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "a")
	commit := r.Commit("one")
	marker := filepath.Join(t.TempDir(), "ran")
	r.Write(".git/hooks/reference-transaction", "#!/bin/sh\ntouch "+marker+"\n")
	r.Chmod(".git/hooks/reference-transaction", 0o755)
	repo := r.Open()
	git(t, repo, "update-ref", "refs/overturn/x", commit)
	if _, err := os.Stat(marker); err == nil {
		t.Error("a hook ran")
	}
	if _, err := repo.Git(context.Background(), "ls-remote", r.Root); err == nil {
		t.Error("a transport was used")
	}
	if _, err := repo.GitWith(context.Background(), gitops.CommandOptions{Network: true}, "ls-remote", r.Root); err != nil {
		t.Errorf("with Network: %v", err)
	}
}

func TestNoIdentityIsNeeded(t *testing.T) { // L-05, L-07
	r := gittest.New(t)
	r.Git("config", "user.useConfigOnly", "true")
	r.Git("config", "commit.gpgSign", "true")
	r.Git("config", "gpg.program", "/bin/false")
	repo := r.Open()
	tree := strings.TrimSpace(git(t, repo, "write-tree"))
	commit := strings.TrimSpace(git(t, repo, "commit-tree", "-m", "x", tree))
	if got := git(t, repo, "show", "-s", "--format=%an <%ae> %cn", commit); got != "overturn <overturn@localhost> overturn\n" {
		t.Errorf("identity %q", got)
	}
}

func TestFailureIsAType(t *testing.T) {
	r := gittest.New(t)
	repo := r.Open()
	_, err := repo.Git(context.Background(), "config", "--get", "no.such")
	if exit, ok := gitops.ExitOf(err); !ok || exit != 1 {
		t.Errorf("exit %d, %v: %v", exit, ok, err)
	}
	_, err = repo.Git(context.Background(), "no-such-verb")
	var failed *gitops.GitError
	if !errors.As(err, &failed) || failed.Exit != 1 || !strings.Contains(failed.Stderr, "is not a git command") || !strings.Contains(err.Error(), "no-such-verb") {
		t.Errorf("%v", err)
	}
	if _, ok := gitops.ExitOf(errors.New("x")); ok {
		t.Error("any error has an exit status")
	}
}
