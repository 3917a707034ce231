// Command durability shows that what overturn reports as done survives a power
// cut: it runs one capture and one rollback of the real program under strace, and
// holds the order of their system calls against the rules in rules.go. Every
// object and the folder that names it must have been synced before the ref that
// needs it moves, and everything that a line of the journal claims before that
// line is written.
//
// It needs Linux and strace. `docs/durability/run` builds the program and calls it:
// it prints what was seen, and exits with 1 when a rule was broken.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: durability PROGRAM")
		os.Exit(2)
	}
	dir, err := os.MkdirTemp("", "overturn-durability-")
	if err == nil {
		err = errors.Join(show(os.Stdout, os.Args[1], dir), os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "durability:", err)
		os.Exit(1)
	}
}

// show runs every scene in dir and prints what it did.
func show(w io.Writer, program, dir string) error {
	s, err := newStage(program, dir)
	if err != nil {
		return err
	}
	broken := 0
	for _, scene := range scenes() {
		report, err := s.play(scene)
		if err != nil {
			return fmt.Errorf("%s: %w", scene.name, err)
		}
		fmt.Fprintf(w, "%-28s %d objects, %d refs, %d journal lines, %d syncs; %d rules broken\n",
			scene.name, report.objects, len(report.refs), len(report.marks), report.syncs, len(report.faults))
		for _, f := range report.faults {
			fmt.Fprintln(w, "  ", f)
		}
		broken += len(report.faults)
	}
	if broken > 0 {
		return fmt.Errorf("%d rules are broken", broken)
	}
	return nil
}

// scene is a call of overturn to be watched, after some work in the repository.
type scene struct {
	name, work string
	args       []string
}

// scenes are a first start, an end, and a rollback that replaces, creates and deletes.
func scenes() []scene {
	return []scene{
		{"capture: first turn start", "true", []string{"turn", "start", "--thread", "T"}},
		{"capture: turn end", "printf 'two\n' > a; rm gone; mkdir -p made/deep; printf 'x\n' > made/deep/new", []string{"turn", "end", "--thread", "T"}},
		{"rollback", "OVERTURN stage 1 > ../plan", []string{"rollback", "--expect", "FINGERPRINT"}},
		{"undo", "true", []string{"undo"}},
	}
}

// stage is a repository and the program to be watched in it.
type stage struct {
	program, dir, root string
	env                []string
}

func newStage(program, dir string) (*stage, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	program, err = filepath.Abs(program)
	s := &stage{program: program, dir: dir, root: filepath.Join(dir, "repo")}
	s.env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "OVERTURN_FAIL_POINT=",
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.invalid", "GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.invalid")
	if err == nil {
		err = os.Mkdir(s.root, 0o755)
	}
	if err == nil {
		_, err = s.shell("git init -q -b main; printf 'one\n' > a; printf 'two\n' > gone; git add .; git commit -qm base")
	}
	return s, err
}

func (s *stage) shell(script string) (string, error) {
	cmd := exec.Command("sh", "-ec", strings.ReplaceAll(script, "OVERTURN", "'"+s.program+"'"))
	cmd.Dir, cmd.Env = s.root, s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", script, err, out)
	}
	return string(out), nil
}

// play watches one scene.
func (s *stage) play(c scene) (*report, error) {
	if _, err := s.shell(c.work); err != nil {
		return nil, err
	}
	args := []string{"-f", "-y", "-s", "100", "-o", filepath.Join(s.dir, "calls"), "-e", "trace=" + watched, s.program}
	for _, a := range c.args {
		if a == "FINGERPRINT" {
			print, err := s.shell("OVERTURN plan --patch | sha256sum | cut -d' ' -f1")
			if err != nil {
				return nil, err
			}
			a = strings.TrimSpace(print)
		}
		args = append(args, a)
	}
	cmd := exec.Command("strace", args...)
	cmd.Dir, cmd.Env = s.root, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(s.dir, "calls"))
	if err != nil {
		return nil, err
	}
	return check(s.root, bytes.NewReader(data))
}
