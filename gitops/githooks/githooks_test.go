package githooks_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/githooks"
	"overturn/gitops/gittest"
	"overturn/model"
)

// yard is a repository with a program that leaves a line in seen each time it is called.
type yard struct {
	t       *testing.T
	repo    *gittest.Repo
	program string
	seen    string
}

func newYard(t *testing.T) *yard {
	y := &yard{t: t, repo: gittest.New(t, gittest.Plain("sha1"))}
	dir := filepath.Join(t.TempDir(), "it's here")
	y.program, y.seen = filepath.Join(dir, "overturn"), filepath.Join(dir, "seen")
	y.write(y.program, "#!/bin/sh\necho \"$*\" >>'"+strings.ReplaceAll(y.seen, "'", `'\''`)+"'\ncat >/dev/null\nexit 7\n", 0o755)
	return y
}

func (y *yard) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) write(file, text string, mode fs.FileMode) {
	y.t.Helper()
	y.must(os.MkdirAll(filepath.Dir(file), 0o755))
	y.must(os.WriteFile(file, []byte(text), 0o600))
	y.must(os.Chmod(file, mode))
}

func (y *yard) folder() githooks.Folder {
	y.t.Helper()
	found, err := gitops.Find(context.Background(), y.repo.Root, y.repo.Env)
	y.must(err)
	f, err := githooks.FolderOf(found)
	y.must(err)
	return f
}

func (y *yard) put() error {
	return y.folder().Put(context.Background(), "pre-push", githooks.Line(y.program, "pre-push"))
}

// call runs the hook as git does, with lines on its input.
func (y *yard) call(file string) (code int, out string) {
	cmd := exec.Command(file, "origin", "an address")
	cmd.Stdin = strings.NewReader("refs/heads/main 1 refs/heads/main 2\n")
	data, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(data)
	}
	y.must(err)
	return 0, string(data)
}

func (y *yard) calls() string {
	data, err := os.ReadFile(y.seen)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	y.must(err)
	return string(data)
}

// TestHooksOfTheUserKeepTheirExitAndInput: whatever stands there runs as before, and
// comes back to the byte.
func TestHooksOfTheUserKeepTheirExitAndInput(t *testing.T) {
	for name, hook := range map[string]struct {
		text string
		code int
		out  string
	}{
		"none":                  {"", 0, ""},
		"sh":                    {"#!/bin/sh\nread a b; echo \"$a $1\"; exit 3\n", 3, "refs/heads/main origin\n"},
		"bash by env, set -eu":  {"#!/usr/bin/env bash\nset -eu\ncat\nexec sh -c 'exit 4'\n", 4, "refs/heads/main 1 refs/heads/main 2\n"},
		"a lefthook-like one":   {"#!/bin/sh\n\nif [ \"$LEFTHOOK\" = \"0\" ]; then\n  exit 0\nfi\ncall_lefthook() { echo \"$2\"; }\ncall_lefthook run \"pre-push\" \"$@\"\n", 0, "pre-push\n"},
		"a first line alone":    {"#!/bin/sh\n", 0, ""},
		"no newline at the end": {"#!/bin/sh\nexit 5", 5, ""},
		"another language":      {"#!/usr/bin/awk -f\nBEGIN { print ARGV[1]; exit 6 }\n", 6, "origin\n"},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			file := filepath.Join(y.repo.CommonDir(), "hooks", "pre-push")
			if hook.text != "" {
				y.write(file, hook.text, 0o751)
			}
			for range 2 {
				y.must(y.put())
			}
			at, err := y.folder().At("pre-push")
			if err != nil || at != file {
				t.Errorf("At: %q, %v", at, err)
			}
			code, out := y.call(file)
			if code != hook.code || out != hook.out {
				t.Errorf("the hook ends with %d and %q, not %d and %q", code, out, hook.code, hook.out)
			}
			if got := y.calls(); got != "git-hook pre-push origin an address\n" {
				t.Errorf("called with %q", got)
			}
			y.must(y.folder().Remove("pre-push"))
			y.must(y.folder().Remove("pre-push"))
			data, err := os.ReadFile(file)
			if hook.text == "" {
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("a hook is left: %q, %v", data, err)
				}
				return
			}
			info, serr := os.Stat(file)
			if err != nil || serr != nil || string(data) != hook.text || info.Mode().Perm() != 0o751 {
				t.Errorf("taken out: %q, %v, %v", data, info.Mode(), err)
			}
		})
	}
}

func TestAProgramThatIsGoneIsPassedOver(t *testing.T) {
	y := newYard(t)
	y.must(y.put())
	y.must(os.Remove(y.program))
	if code, out := y.call(filepath.Join(y.repo.CommonDir(), "hooks", "pre-push")); code != 0 || out != "" {
		t.Errorf("%d %q", code, out)
	}
}

func TestALinkIsNotWrittenThrough(t *testing.T) {
	y := newYard(t)
	script := y.repo.Path("scripts/pre-push")
	y.write(script, "#!/bin/sh\nexit 3\n", 0o755)
	file := filepath.Join(y.repo.CommonDir(), "hooks", "pre-push")
	y.must(os.MkdirAll(filepath.Dir(file), 0o755))
	y.must(os.Symlink(script, file))
	y.must(y.put())
	if code, _ := y.call(file); code != 3 || y.calls() == "" {
		t.Errorf("exit %d, calls %q", code, y.calls())
	}
	y.must(y.folder().Remove("pre-push"))
	if target, err := os.Readlink(file); err != nil || target != script {
		t.Errorf("the link is %q, %v", target, err)
	}
	if data, err := os.ReadFile(script); err != nil || string(data) != "#!/bin/sh\nexit 3\n" {
		t.Errorf("the script is %q, %v", data, err)
	}
}

// TestPlacesThatAreNotOurs: what is for all repositories, or committed, is not changed;
// the error has the line to add.
func TestPlacesThatAreNotOurs(t *testing.T) {
	for name, place := range map[string]func(y *yard) string{
		"a folder for all": func(y *yard) string { return t.TempDir() },
		"committed": func(y *yard) string {
			y.write(y.repo.Path(".husky/pre-push"), "#!/bin/sh\nexit 0\n", 0o755)
			y.repo.Git("add", ".husky")
			return ".husky"
		},
		"not ignored": func(y *yard) string {
			y.must(os.MkdirAll(y.repo.Path("githooks"), 0o755))
			return "githooks"
		},
	} {
		t.Run(name, func(t *testing.T) {
			y := newYard(t)
			y.repo.Git("config", "core.hooksPath", place(y))
			err := y.put()
			if model.CodeOf(err) != model.CodeRefused || !strings.Contains(model.HintOf(err), "git-hook pre-push") {
				t.Errorf("%v (%s)", err, model.HintOf(err))
			}
		})
	}
}

func TestAFolderThatAHookManagerMade(t *testing.T) { // husky 9
	y := newYard(t)
	y.write(y.repo.Path(".husky/_/.gitignore"), "*", 0o644)
	hook := y.repo.Path(".husky/_/pre-push")
	y.write(hook, "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n", 0o755)
	y.write(y.repo.Path(".husky/_/h"), "echo husky; exit 9\n", 0o755)
	y.repo.Git("config", "core.hooksPath", ".husky/_")
	y.must(y.put())
	if code, out := y.call(hook); code != 9 || out != "husky\n" || y.calls() == "" {
		t.Errorf("%d %q %q", code, out, y.calls())
	}
	y.must(y.folder().Remove("pre-push"))
	if data, _ := os.ReadFile(hook); strings.Contains(string(data), "overturn") {
		t.Errorf("left: %q", data)
	}
}

func TestAHookThatGitDoesNotRun(t *testing.T) {
	y := newYard(t)
	y.write(filepath.Join(y.repo.CommonDir(), "hooks", "pre-push"), "#!/bin/sh\n", 0o644)
	if err := y.put(); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("%v", err)
	}
}

// TestAFolderOfHooksThatIsALink: .git/hooks may lead to a folder that is not this
// repository's alone; nothing is written through the link.
func TestAFolderOfHooksThatIsALink(t *testing.T) {
	y := newYard(t)
	hooks := filepath.Join(y.repo.Root, ".git", "hooks")
	for name, to := range map[string]string{"elsewhere": filepath.Join(t.TempDir(), "shared"), "committed": filepath.Join(y.repo.Root, "hooks")} {
		y.must(os.RemoveAll(hooks))
		y.write(filepath.Join(to, "pre-push"), "#!/bin/sh\nexit 0\n", 0o755)
		y.repo.Commit(name)
		y.must(os.Symlink(to, hooks))
		err := y.put()
		if model.CodeOf(err) != model.CodeRefused || !strings.Contains(model.HintOf(err), "git-hook pre-push") {
			t.Errorf("%s: %v (%s)", name, err, model.HintOf(err))
		}
		if data, err := os.ReadFile(filepath.Join(to, "pre-push")); err != nil || string(data) != "#!/bin/sh\nexit 0\n" {
			t.Errorf("%s: the hook is %q, %v", name, data, err)
		}
	}
	y.must(os.Remove(hooks))
	real := filepath.Join(y.repo.Root, ".git", "real-hooks")
	y.must(os.Mkdir(real, 0o755))
	y.must(os.Symlink("real-hooks", hooks))
	y.must(y.put())
	if _, err := os.Stat(filepath.Join(real, "pre-push")); err != nil {
		t.Errorf("a link within the git directory: %v", err)
	}
}
