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
