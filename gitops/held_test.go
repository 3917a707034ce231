package gitops_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/model"
)

// looksBare makes the folder look like a git directory whose configuration names
// itself, or another folder, as its work tree.
func looksBare(r *gittest.Repo, folder, worktree string) {
	r.Write(folder+"/HEAD", "ref: refs/heads/main\n")
	r.Write(folder+"/objects/.keep", "")
	r.Write(folder+"/refs/.keep", "")
	r.Write(folder+"/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "+worktree+"\n\tfsmonitor = false\n")
}

// TestWorkTreeAtAnotherPlace: configuration that came with the files makes no
// folder a repository, and sends nobody out of the folder that holds .git.
func TestWorkTreeAtAnotherPlace(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	other := filepath.Join(filepath.Dir(r.Root), "other")
	for _, dir := range []string{other, r.Path("below/deep"), r.Path("beside")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	looksBare(r, "bare/itself", r.Path("bare/itself"))
	looksBare(r, "bare/out", r.Root)
	r.Git("init", "-q", "inner")
	file := filepath.Join(filepath.Dir(r.Root), "apart")
	r.Git("init", "-q", "--separate-git-dir="+file, "separate")
	for _, c := range []struct {
		name, worktree, dir, says string // says is "" where the work tree is followed
	}{
		{"itself", "", "bare/itself", "lies in a git directory"},
		{"below one", "", "bare/itself/objects", "lies in a git directory"},
		{"out", "", "bare/out", "lies in a git directory"},
		{"another folder", other, ".", "work tree at another place: " + other},
		{"the parent", "../..", ".", "another place: " + filepath.Dir(r.Root)},
		{"below, seen from above", r.Path("below"), ".", "another place: " + r.Path("below")},
		{"below, seen from beside", r.Path("below"), "beside", "another place"},
		{"below", r.Path("below"), "below/deep", ""},
		{"the folder itself", r.Root, "below", ""},
		{"inner", "", "inner", ""},
		{"separate", "", "separate", ""},
	} {
		config := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
		if c.worktree != "" {
			config += "\tworktree = " + c.worktree + "\n"
		}
		r.Write(".git/config", config)
		for range 2 { // a second look is no different
			repo, err := gitops.Find(context.Background(), r.Path(c.dir), r.Env)
			switch {
			case c.says == "":
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				} else if err := repo.EnsureStateDir(); err != nil {
					t.Error(err)
				}
			case model.CodeOf(err) != model.CodeNoRepository || !strings.Contains(err.Error(), c.says) || model.HintOf(err) == "":
				t.Errorf("%s: %v, %+v", c.name, err, repo)
			}
			settled()
		}
	}
	for _, folder := range []string{"bare/itself/overturn", "bare/out/overturn"} {
		if r.Exists(folder) {
			t.Errorf("%s was made", folder)
		}
	}
}

// TestStateFolderThatIsALink: what came with the files does not choose where
// overturn writes.
func TestStateFolderThatIsALink(t *testing.T) {
	r := gittest.New(t)
	aside := t.TempDir()
	r.Symlink(aside, ".git/overturn")
	settled()
	for range 2 {
		if _, err := gitops.Find(context.Background(), r.Root, r.Env); model.CodeOf(err) != model.CodeFailed || !strings.Contains(err.Error(), "is a link, no folder") {
			t.Errorf("found: %v", err)
		}
	}
	if left, err := os.ReadDir(aside); err != nil || len(left) > 0 {
		t.Errorf("written there: %v, %v", left, err)
	}
}
