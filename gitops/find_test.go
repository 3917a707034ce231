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
