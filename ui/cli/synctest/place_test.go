//go:build linux || darwin

package synctest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }

// place is one machine: a work tree, its home, and the remote that it shares.
type place struct {
	*gittest.Repo
	t    *testing.T
	env  []string
	bare string
}

// said is what a program printed, and its exit code.
type said struct {
	code        int
	out, stderr string
}

// newBare makes a bare repository.
func newBare(t *testing.T) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(base, "bare.git")
	gittest.New(t, gittest.Plain("sha1")).Git("init", "-q", "--bare", "-b", "main", bare)
	return bare
}

// newPlace is a work tree with a pushed commit.
func newPlace(t *testing.T, bare string) *place {
	p := placeOf(t, gittest.New(t), bare)
	p.Write("a.txt", "a\n")
	p.git("add", "a.txt")
	p.git("commit", "-q", "-m", "first")
	p.git("remote", "add", "origin", bare)
	p.git("push", "-q", "origin", "main")
	return p
}

// clone is another machine.
func clone(t *testing.T, bare string, args ...string) *place {
	home := gittest.New(t, gittest.Plain("sha1"))
	root := filepath.Join(t.TempDir(), "clone")
	home.Git(append(append([]string{"clone", "-q"}, args...), "file://"+bare, root)...)
	return placeOf(t, home.At(root), bare)
}

func placeOf(t *testing.T, repo *gittest.Repo, bare string) *place {
	return &place{Repo: repo, t: t, bare: bare, env: append(clitest.Hermetic(repo.Home), "PATH="+os.Getenv("PATH"))}
}

func (p *place) run(program string, args ...string) said {
	p.t.Helper()
	cmd := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.Root, p.env, &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// git runs the user's own git, hooks and all.
func (p *place) git(args ...string) string {
	p.t.Helper()
	s := p.run("git", args...)
	if s.code != 0 {
		p.t.Fatalf("git %s: exit code %d\n%s%s", strings.Join(args, " "), s.code, s.out, s.stderr)
	}
	return strings.TrimSuffix(s.out, "\n")
}

// overturn runs the binary and holds its exit code.
func (p *place) overturn(code int, args ...string) said {
	p.t.Helper()
	s := p.run(clitest.Bin(), args...)
	if s.code != code {
		p.t.Fatalf("overturn %s: exit code %d, not %d\n%s%s", strings.Join(args, " "), s.code, code, s.out, s.stderr)
	}
	return s
}

// turn records a turn that writes a file.
func (p *place) turn(prompt, file, content string) {
	p.t.Helper()
	p.overturn(0, "turn", "start", "--thread", "T", "--prompt", prompt)
	p.Write(file, content)
	p.overturn(0, "turn", "end", "--thread", "T")
}

// there are the refs of records that the remote has.
func (p *place) there() []string {
	p.t.Helper()
	return strings.Fields(p.git("--git-dir="+p.bare, "for-each-ref", "--format=%(refname)", "refs/overturn/", "refs/heads/overturn/"))
}

// hook has the remote run a script.
func (p *place) hook(name, script string) {
	p.t.Helper()
	file := filepath.Join(p.bare, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// says holds that a text has each of words.
func (p *place) says(text string, words ...string) {
	p.t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			p.t.Errorf("%q is not in\n%s", word, text)
		}
	}
}
