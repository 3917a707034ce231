package review_test

import (
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// TestBranch tells what is committed on a branch from what is not.
func TestBranch(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("base.txt", "0\n")
	f.Write("back.txt", "0\n")
	f.Write("both.txt", lines(1, 20))
	f.Commit("base")
	f.Git("switch", "-q", "-c", "work")
	f.Write("committed.txt", "1\n")
	f.Write("back.txt", "1\n")
	f.Write("both.txt", strings.Replace(lines(1, 20), "line 2\n", "two\n", 1))
	f.Commit("work")
	f.Git("switch", "-q", "main")
	f.Write("main-only.txt", "1\n")
	f.Commit("main went on")
	f.Git("switch", "-q", "work")
	f.Write("back.txt", "0\n")
	f.Write("both.txt", strings.Replace(f.Read("both.txt"), "line 18\n", "eighteen\n", 1))
	f.Write("staged.txt", "1\n")
	f.Git("add", "staged.txt")
	f.Write("untracked.txt", "1\n")
	f = newFixture(t, f.Repo)
	cs := f.compare("branch")
	var got []string
	for _, file := range cs.Files {
		row := string(file.Path)
		if file.Committed {
			row += " committed"
		}
		if file.Uncommitted {
			row += " uncommitted"
		}
		if file.Staged {
			row += " staged"
		}
		got = append(got, row)
	}
	equal(t, "rows", strings.Join(got, "\n"), "both.txt committed uncommitted\ncommitted.txt committed\nstaged.txt uncommitted staged\nuntracked.txt uncommitted")
	equal(t, "base", cs.BaseFrom, "refs/heads/main (main)")
}

// TestBranchBase walks the order in which a base is looked for.
func TestBranchBase(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("a", "1\n")
	first := f.Commit("first")
	f.Git("branch", "release")
	f.Git("branch", "topic")
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"nothing to compare with but main", func() { f.Git("switch", "-q", "topic") }, "refs/heads/main (main)"},
		{"the default branch of a remote", func() {
			f.Git("remote", "add", "origin", f.Root)
			f.Git("fetch", "-q", "origin")
			f.Git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release")
		}, "refs/remotes/origin/release (default branch of origin)"},
		{"its own copy on the remote is no base", func() {
			f.Git("branch", "-q", "--set-upstream-to=origin/topic")
		}, "refs/remotes/origin/release (default branch of origin)"},
		{"an upstream of another name is", func() {
			f.Git("branch", "-q", "--set-upstream-to=origin/main")
		}, "refs/remotes/origin/main (upstream)"},
		{"gh's note", func() { f.Git("config", "branch.topic.gh-merge-base", "release") }, "release (gh-merge-base)"},
	} {
		step.do()
		f = newFixture(t, f.Repo)
		if got := f.compare("branch").BaseFrom; got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
	}
	equal(t, "named", f.compare("branch=main").BaseFrom, "main (named)")
	equal(t, "by id", f.compare("branch="+first[:12]).BaseFrom, first[:12]+" (named)")
	f.Git("checkout", "-q", "--detach")
	f = newFixture(t, f.Repo)
	equal(t, "detached", f.compare("branch").BaseFrom, "refs/remotes/origin/release (default branch of origin)")
	f.Git("checkout", "-q", "--orphan", "alone")
	f.Git("commit", "-q", "-m", "unrelated")
	f = newFixture(t, f.Repo)
	if _, err := f.review.Compare(t.Context(), f.scope("branch=main")); err == nil || !strings.Contains(err.Error(), "no common commit") {
		t.Errorf("unrelated histories: %v", err)
	}
}
