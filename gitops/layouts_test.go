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

func TestSymlinkedFolderIsTheSameRepository(t *testing.T) { // H-15
	r := gittest.New(t)
	repo := warm(t, r)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.Root, link); err != nil {
		t.Fatal(err)
	}
	if got := find(t, link, r.Env); got.Root != repo.Root || got.GitDir != repo.GitDir {
		t.Errorf("through a link: %+v", got)
	}
}

func TestLinkedWorkTrees(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1")
	r.Commit("one")
	linked, twin := r.Worktree("side"), r.Worktree("main2")
	mainRepo := warm(t, r)
	sideRepo := warm(t, linked)
	if sideRepo.WorkTree != "side" || sideRepo.CommonDir != mainRepo.CommonDir || sideRepo.GitDir == mainRepo.GitDir || sideRepo.Root != linked.Root {
		t.Errorf("side: %+v", sideRepo)
	}
	dirs, err := sideRepo.StateDirs(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []gitops.StateDir{
		{WorkTree: "main", Root: r.Root, Dir: mainRepo.StateDir()},
		{WorkTree: "main2", Root: twin.Root, Dir: filepath.Join(mainRepo.CommonDir, "worktrees/main2/overturn")},
		{WorkTree: "side", Root: linked.Root, Dir: sideRepo.StateDir()},
	}
	if len(dirs) != 3 || dirs[0] != want[0] || dirs[1] != want[1] || dirs[2] != want[2] {
		t.Errorf("StateDirs = %+v", dirs)
	}
	// Another .git file leads elsewhere at once.
	data, err := os.ReadFile(twin.Path(".git"))
	if err != nil {
		t.Fatal(err)
	}
	linked.Remove(".git")
	linked.Write(".git", string(data))
	if got := find(t, linked.Root, r.Env); got.WorkTree != "main2" {
		t.Errorf("after .git changed: %+v", got)
	}
}

func TestLinkedWorkTreeCalledMain(t *testing.T) {
	r := gittest.New(t)
	r.Commit("one")
	r.Git("branch", "-m", "trunk")
	if got := r.Worktree("main").Open().WorkTree; got == gitops.MainWorkTree {
		t.Errorf("the linked work tree is called %q as the main one", got)
	}
}

func TestBareLayouts(t *testing.T) { // H-14
	seed := gittest.New(t)
	seed.Write("a", "1")
	seed.Commit("one")
	base := filepath.Dir(seed.Root)
	project := filepath.Join(base, "project")
	seed.Git("clone", "-q", "--bare", seed.Root, filepath.Join(project, ".bare"))
	bare := seed.At(filepath.Join(project, ".bare"))
	bare.Git("worktree", "add", "-q", filepath.Join(project, "tree"), "main")
	tree := seed.At(filepath.Join(project, "tree"))
	repo := warm(t, tree)
	if repo.WorkTree != "tree" || repo.CommonDir != bare.Root || repo.Root != tree.Root {
		t.Errorf("work tree of a bare repository: %+v", repo)
	}
	if out, err := repo.Git(context.Background(), "status", "--porcelain"); err != nil || len(out) != 0 {
		t.Errorf("status there: %q, %v", out, err)
	}
	dirs, err := repo.StateDirs(context.Background())
	if err != nil || len(dirs) != 1 || dirs[0].WorkTree != "tree" {
		t.Errorf("StateDirs = %+v, %v", dirs, err)
	}
	// A stray, empty .git on the way up misleads nobody.
	if err := os.MkdirAll(tree.Path("sub/.git/objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := find(t, tree.Path("sub"), seed.Env); got.Root != tree.Root {
		t.Errorf("below a stray .git: %+v", got)
	}
	for _, dir := range []string{bare.Root, filepath.Join(bare.Root, "refs")} {
		_, err := gitops.Find(context.Background(), dir, seed.Env)
		if model.CodeOf(err) != model.CodeNoRepository || model.HintOf(err) == "" {
			t.Errorf("%s: %v (hint %q)", dir, err, model.HintOf(err))
		}
	}
	if err := os.WriteFile(filepath.Join(project, ".git"), []byte("gitdir: ./.bare\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := gitops.Find(context.Background(), project, seed.Env); model.CodeOf(err) != model.CodeNoRepository || !strings.Contains(err.Error(), "bare") {
		t.Errorf("folder with .git leading to a bare repository: %v", err)
	}
}

func TestNestedRepositoryIsItsOwn(t *testing.T) {
	r := gittest.New(t)
	warm(t, r)
	r.Git("init", "-q", "sub/inner")
	if got := find(t, r.Path("sub/inner"), r.Env); got.Root != r.Path("sub/inner") {
		t.Errorf("in a nested repository: %+v", got)
	}
	if got := find(t, r.Path("sub"), r.Env); got.Root != r.Root {
		t.Errorf("beside it: %+v", got)
	}
	r.Remove("sub")
}

func TestOddNames(t *testing.T) {
	base := gittest.New(t)
	for _, name := range []string{"with space", "new\nline", "latin-\xe9", "-dash", "ünï"} {
		root := filepath.Join(t.TempDir(), name)
		base.Git("init", "-q", "--", root)
		r := base.At(root)
		repo := warm(t, r)
		if repo.Root != root {
			t.Errorf("%q was found as %q", root, repo.Root)
		}
	}
}
