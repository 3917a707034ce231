package gitops_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/model"
)

// settled makes every file of the repository and of its home old enough for facts
// to be kept: the file system's change time cannot be set back, so time passes.
func settled() { time.Sleep(120 * time.Millisecond) }

// spawns runs f with an argv log and returns the verbs of git that were started.
func spawns(t *testing.T, r *gittest.Repo, f func(env gitops.Env)) []string {
	t.Helper()
	log := filepath.Join(t.TempDir(), "argv")
	f(r.WithEnv("OVERTURN_ARGV_LOG=" + log).Env)
	data, err := os.ReadFile(log)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func find(t *testing.T, dir string, env gitops.Env) *gitops.Repo {
	t.Helper()
	repo, err := gitops.Find(context.Background(), dir, env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// warm makes a repository whose facts are kept.
func warm(t *testing.T, r *gittest.Repo) *gitops.Repo {
	t.Helper()
	settled()
	repo := r.Open()
	if err := repo.EnsureStateDir(); err != nil {
		t.Fatal(err)
	}
	if got := spawns(t, r, func(env gitops.Env) { find(t, r.Root, env) }); len(got) != 0 {
		t.Fatalf("git was asked although nothing changed: %v", got)
	}
	return repo
}

func TestFindSpawnsNothingWhenNothingChanged(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "Some.Key", "Value")
	r.Git("config", "remote.origin.url", "https://user:secret@example.com/x")
	r.Git("config", "branch.Main.merge", "refs/heads/x")
	r.Write("a/b/c", "x")
	first := warm(t, r)
	second := find(t, filepath.Join(r.Root, "a/b"), r.Env) // from a sub-folder too (H-17)
	if second.Root != first.Root || second.GitDir != first.GitDir || second.CommonDir != first.CommonDir ||
		second.WorkTree != "main" || second.ObjectFormat != "sha1" || second.RefStorage != "files" {
		t.Errorf("facts say %+v, git said %+v", second, first)
	}
	for key, want := range map[string]string{"some.key": "Value", "branch.Main.merge": "refs/heads/x"} {
		if got, ok := second.Config(key); !ok || got != want {
			t.Errorf("Config(%q) = %q, %v", key, got, ok)
		}
	}
	for _, repo := range []*gitops.Repo{first, second} {
		if _, ok := repo.Config("remote.origin.url"); ok {
			t.Error("an address with a password is handed out")
		}
	}
	data, err := os.ReadFile(filepath.Join(first.StateDir(), "facts.json"))
	if err != nil || strings.Contains(string(data), "secret") {
		t.Errorf("facts: %v; they must not hold the password", err)
	}
}

func TestNoStateFolderIsMadeByLooking(t *testing.T) {
	r := gittest.New(t)
	repo := r.Open()
	if _, err := os.Lstat(repo.StateDir()); !os.IsNotExist(err) {
		t.Errorf("Find made %s", repo.StateDir())
	}
}

func TestFactsFallWithWhatTheyCameFrom(t *testing.T) {
	write := func(t *testing.T, path, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		before, change func(t *testing.T, r *gittest.Repo)
	}{
		"repository config": {nil, func(t *testing.T, r *gittest.Repo) { r.Git("config", "x.y", "new") }},
		"global appears": {nil, func(t *testing.T, r *gittest.Repo) {
			write(t, filepath.Join(r.Home, ".gitconfig"), "[x]\ny=new\n")
		}},
		"xdg appears": {nil, func(t *testing.T, r *gittest.Repo) {
			write(t, filepath.Join(r.Home, ".config/git/config"), "[x]\ny=new\n")
		}},
		"global edited in place, same size and time": {
			func(t *testing.T, r *gittest.Repo) { write(t, filepath.Join(r.Home, ".gitconfig"), "[x]\ny=old\n") },
			func(t *testing.T, r *gittest.Repo) {
				name := filepath.Join(r.Home, ".gitconfig")
				info, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				write(t, name, "[x]\ny=new\n")
				if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
					t.Fatal(err)
				}
			}},
		"include edited": {
			func(t *testing.T, r *gittest.Repo) {
				write(t, filepath.Join(r.Home, "inc"), "[x]\ny=old\n")
				r.Git("config", "include.path", "~/inc")
			},
			func(t *testing.T, r *gittest.Repo) { write(t, filepath.Join(r.Home, "inc"), "[x]\ny=new\n") }},
		"include of an include appears": {
			func(t *testing.T, r *gittest.Repo) {
				write(t, filepath.Join(r.Home, "inc"), "[include]\npath=deeper\n")
				r.Git("config", "include.path", "~/inc")
			},
			func(t *testing.T, r *gittest.Repo) { write(t, filepath.Join(r.Home, "deeper"), "[x]\ny=new\n") }},
		"branch of includeIf": {
			func(t *testing.T, r *gittest.Repo) {
				write(t, filepath.Join(r.Home, "inc"), "[x]\ny=new\n")
				r.Git("config", "includeIf.onbranch:other.path", "~/inc")
			},
			func(t *testing.T, r *gittest.Repo) { r.Git("symbolic-ref", "HEAD", "refs/heads/other") }},
		"config of the work tree appears": {
			func(t *testing.T, r *gittest.Repo) { r.Git("config", "extensions.worktreeConfig", "true") },
			func(t *testing.T, r *gittest.Repo) { r.Git("config", "--worktree", "x.y", "new") }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.New(t)
			if test.before != nil {
				test.before(t, r)
			}
			warm(t, r)
			test.change(t, r)
			if got := spawns(t, r, func(env gitops.Env) {
				if v, _ := find(t, r.Root, env).Config("x.y"); v != "new" {
					t.Errorf("x.y = %q", v)
				}
			}); len(got) == 0 {
				t.Error("git was not asked")
			}
			warm(t, r) // and the new answer is kept
		})
	}
}

func TestFactsOfSystemConfig(t *testing.T) {
	r := gittest.New(t)
	system := filepath.Join(r.Home, "system")
	r = r.WithEnv("GIT_CONFIG_SYSTEM="+system, "GIT_CONFIG_NOSYSTEM=0")
	warm(t, r)
	if err := os.WriteFile(system, []byte("[x]\ny=new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if v, _ := r.Open().Config("x.y"); v != "new" {
		t.Errorf("x.y = %q", v)
	}
}

func TestFreshFilesAreNotTrusted(t *testing.T) {
	r := gittest.New(t)
	settled()
	r.Git("config", "x.y", "1") // in the tick in which git is asked
	if err := r.Open().EnsureStateDir(); err != nil {
		t.Fatal(err)
	}
	if got := spawns(t, r, func(env gitops.Env) { find(t, r.Root, env) }); len(got) == 0 {
		t.Error("facts were kept of a file that was just written")
	}
}

func TestDamagedFactsAreAskedAgain(t *testing.T) {
	r := gittest.New(t)
	repo := warm(t, r)
	file := filepath.Join(repo.StateDir(), "facts.json")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{nil, []byte("{}"), []byte("{}\n00000000\n"), whole[:len(whole)/2], append([]byte("x"), whole...)}
	for i := 0; i < len(whole); i += 37 {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 1
		damaged = append(damaged, flipped)
	}
	for _, data := range damaged {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		again := find(t, r.Root, r.Env)
		if again.Root != repo.Root || again.GitDir != repo.GitDir || again.WorkTree != repo.WorkTree {
			t.Fatalf("facts %q gave %+v", data, again)
		}
	}
	warm(t, r)
}

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
