package gitops_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/model"
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

// TestCancelKillsTheWholeGroup: a filter that git started dies with it (E-03).
func TestCancelKillsTheWholeGroup(t *testing.T) {
	r := gittest.New(t)
	pidFile := filepath.Join(t.TempDir(), "pid")
	r.Write(".gitattributes", "slow filter=slow\n")
	r.Git("config", "filter.slow.clean", "echo $$ > "+pidFile+"; exec sleep 60")
	r.Write("slow", "x")
	repo := r.Open()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for range 500 {
			if data, err := os.ReadFile(pidFile); err == nil && len(data) > 1 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	start := time.Now()
	_, err := repo.Git(ctx, "hash-object", "--path=slow", "slow")
	if !errors.Is(err, context.Canceled) || time.Since(start) > 30*time.Second {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
	data, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(data)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			break
		}
		if i > 200 {
			t.Fatalf("the filter lives on: %s", stat)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestChild(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "content")
	r.Commit("one")
	repo := r.Open()
	child, err := repo.Command(context.Background(), gitops.CommandOptions{}, "cat-file", "--batch-check")
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(child.Stdout)
	for range 3 { // an answer for each question, while it lives
		if _, err := io.WriteString(child.Stdin, "HEAD:a\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := out.ReadString('\n'); err != nil || !strings.HasSuffix(line, " blob 7\n") {
			t.Errorf("%q, %v", line, err)
		}
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	child, err = repo.Command(context.Background(), gitops.CommandOptions{Env: []string{"GIT_INDEX_FILE=" + filepath.Join(t.TempDir(), "index")},
		Stdin: strings.NewReader("")}, "ls-files")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(child.Stdout); err != nil || len(data) != 0 {
		t.Errorf("with another index: %q, %v", data, err)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	child, err = repo.Command(context.Background(), gitops.CommandOptions{}, "cat-file", "--batch")
	if err != nil {
		t.Fatal(err)
	}
	child.Kill()
	if err := child.Wait(); err == nil {
		t.Error("a killed child ended well")
	}
}

func TestArgvLog(t *testing.T) {
	r := gittest.New(t)
	log := filepath.Join(t.TempDir(), "argv")
	repo := find(t, r.Root, r.WithEnv("OVERTURN_ARGV_LOG="+log).Env)
	git(t, repo, "status", "--porcelain")
	if n := gittest.CheckArgv(t, log); n != 3 {
		t.Errorf("%d children were logged", n)
	}
	data, err := os.ReadFile(log)
	if err != nil || !strings.HasSuffix(string(data), "[\"status\",\"--porcelain\"]\n") {
		t.Errorf("%s %v", data, err)
	}
	for _, args := range []string{"reset --hard", "-c a=b checkout x", "-C /x clean -fd", "read-tree -um HEAD", "read-tree --reset -u A", "rm a", "--no-pager stash", "gc --auto", "switch x", "restore .",
		"worktree remove x", "worktree", "commit -m x", "apply x", "apply --index x"} {
		if gittest.Harmful(strings.Fields(args)) == "" {
			t.Errorf("git %s passes", args)
		}
	}
	for _, args := range []string{"read-tree HEAD", "update-ref --stdin", "status --porcelain", "worktree list", "checkout-index -f -z --stdin", "log -- reset", "apply --cached -", ""} {
		if why := gittest.Harmful(strings.Fields(args)); why != "" {
			t.Errorf("git %s: %s", args, why)
		}
	}
}

func TestGitMissingOrTooOld(t *testing.T) {
	r := gittest.New(t)
	empty := t.TempDir()
	_, err := gitops.Find(context.Background(), r.Root, r.WithEnv("PATH="+empty).Env)
	if model.CodeOf(err) != model.CodeFailed || !strings.Contains(model.HintOf(err), "install git") {
		t.Errorf("missing: %v (%s)", err, model.HintOf(err))
	}
	fake := t.TempDir()
	script := "#!/bin/sh\ncase $1 in version) echo git version 2.30.9;; *) printf '%s\\n' \"$@\";; esac\n"
	if err := os.WriteFile(filepath.Join(fake, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = gitops.Find(context.Background(), r.Root, r.WithEnv("PATH="+fake+":"+os.Getenv("PATH")).Env)
	if model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), "2.30.9 is too old") || !strings.Contains(model.HintOf(err), "2.31") {
		t.Errorf("old: %v (%s)", err, model.HintOf(err))
	}
	// A git in the folder itself is never run.
	r.Write("git", script)
	r.Chmod("git", 0o755)
	t.Chdir(r.Root)
	if _, err := gitops.Find(context.Background(), r.Root, r.WithEnv("PATH=.:"+":"+empty).Env); !strings.Contains(fmt.Sprint(err), "not found") {
		t.Errorf("git of the work tree: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	r := gittest.New(t)
	ctx := context.Background()
	plain := filepath.Join(filepath.Dir(r.Root), "plain")
	if err := os.MkdirAll(plain, 0o755); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(filepath.Dir(r.Root), "broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, ".git"), []byte("gitdir: /no/where\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	warm(t, r)
	untrusted := r.WithEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER=1").Env
	for name, test := range map[string]struct {
		dir        string
		env        gitops.Env
		code       model.Code
		says, hint string
	}{
		"none":      {plain, r.Env, model.CodeNoRepository, "no git repository", "git init"},
		"no folder": {filepath.Join(plain, "x"), r.Env, model.CodeUsage, "cannot enter", "exists"},
		"a file":    {filepath.Join(broken, ".git"), r.Env, model.CodeUsage, "cannot enter", "exists"},
		"inside":    {filepath.Join(r.Root, ".git/refs"), r.Env, model.CodeNoRepository, "git directory", "work tree"},
		"broken":    {broken, r.Env, model.CodeNoRepository, "cannot be used", ".git"},
		"untrusted": {r.Root, untrusted, model.CodeNoRepository, "dubious ownership", "git config --global --add safe.directory " + r.Root}, // L-12, facts notwithstanding
	} {
		_, err := gitops.Find(ctx, test.dir, test.env)
		if model.CodeOf(err) != test.code || !strings.Contains(fmt.Sprint(err), test.says) || !strings.Contains(model.HintOf(err), test.hint) {
			t.Errorf("%s: %v (code %s, hint %q)", name, err, model.CodeOf(err), model.HintOf(err))
		}
	}
	r.Git("config", "--global", "safe.directory", r.Root)
	if _, err := gitops.Find(ctx, r.Root, untrusted); err != nil {
		t.Errorf("trusted by safe.directory: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := gitops.Find(cancelled, plain, r.Env); model.CodeOf(err) != model.CodeCancelled {
		t.Errorf("cancelled: %v", err)
	}
}
