package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// rollbackFiles is how many files the rollback row brings back.
const rollbackFiles = 100

// rollbackRow measures a durable rollback of a turn's files against git writing as
// many files out of its index.
func (b *bench) rollbackRow() error {
	r, err := newRepo(filepath.Join(b.dir, "rollback"), 1000, 0)
	if err != nil {
		return err
	}
	if err := b.turn(r, func() error { return r.edit(rollbackFiles, 0) }); err != nil {
		return err
	}
	// What git writes: the same number of files, in folders that no turn touches.
	var names bytes.Buffer
	for i := range rollbackFiles {
		fmt.Fprintf(&names, "git/%d/f%d.go\x00", i/10, i)
		if err := r.write(fmt.Sprintf("git/%d/f%d.go", i/10, i), r.text(r.size())); err != nil {
			return err
		}
	}
	if err := r.git("add", "git"); err != nil {
		return err
	}
	expect := ""
	figures, err := race(b.rounds, []contender{
		{name: "rollback",
			before: func(round int) (err error) {
				if round > 0 {
					if err := b.overturnQuietly(r, "undo"); err != nil {
						return err
					}
				}
				expect, err = b.plan(r)
				return err
			},
			run: func() *exec.Cmd { return b.command(r.dir, b.overturn, "rollback", "--expect", expect) }},
		{name: "checkout-index",
			before: func(int) error { return r.spoil(names.Bytes()) },
			run: func() *exec.Cmd {
				cmd := b.command(r.dir, "git", "checkout-index", "-f", "-z", "--stdin")
				cmd.Stdin = bytes.NewReader(names.Bytes())
				return cmd
			}},
	})
	if err != nil {
		return err
	}
	if left, err := r.ask("diff", "--name-only", "--", "src"); err != nil || left != "" {
		return fmt.Errorf("after the rollbacks these files still differ: %s %w", left, err)
	}
	b.print(fmt.Sprintf("rollback of %d files / checkout-index", rollbackFiles), 2, figures[0], figures[1])
	return nil
}

// plan stages the whole turn and returns the plan's fingerprint.
func (b *bench) plan(r *repo) (string, error) {
	if err := b.overturnQuietly(r, "stage", "latest"); err != nil {
		return "", err
	}
	out, err := b.command(r.dir, b.overturn, "plan", "--json").Output()
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`"fingerprint": ?"([0-9a-f]{64})"`).FindSubmatch(out)
	if found == nil {
		return "", fmt.Errorf("the plan has no fingerprint: %s", out)
	}
	return string(found[1]), nil
}

func (b *bench) overturnQuietly(r *repo, args ...string) error {
	out, err := b.command(r.dir, b.overturn, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("overturn %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return err
}

// spoil changes the files, so that git has to write them.
func (r *repo) spoil(names []byte) error {
	for _, name := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte("spoilt\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
