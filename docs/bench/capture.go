package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// tempIndex is how a tool without an engine of its own takes a snapshot.
const tempIndex = `set -e; export GIT_INDEX_FILE="$1"; rm -f "$1"; git read-tree HEAD; git add -A
git update-ref refs/bench/temp "$(git commit-tree -m x "$(git write-tree)")"; rm -f "$1"`

// captureRows measure one capture in a repository of n files: the hook of a turn's
// start, which looks at the whole work tree, stores what changed since the last
// turn ended, and moves a ref.
func (b *bench) captureRows(n int, bar float64) func() error {
	return func() error {
		r, err := newRepo(filepath.Join(b.dir, fmt.Sprintf("capture%d", n)), n, 2*n)
		if err != nil {
			return err
		}
		changes := []struct {
			edits int
			bar   float64
		}{{0, bar}, {10, bar}, {1000, 2.5}}
		if n > 10_000 {
			changes = changes[:2]
		}
		turn := 1 // the first capture of a repository reads every file: it is no row
		if err := b.hook(r, "UserPromptSubmit", turn).Run(); err != nil {
			return err
		}
		for _, c := range changes {
			if err := b.captureRow(r, n, c.edits, c.bar, &turn); err != nil {
				return err
			}
		}
		return b.recorded(r, turn-1)
	}
}

func (b *bench) captureRow(r *repo, n, edits int, bar float64, turn *int) error {
	list := []contender{
		{name: "capture",
			before: func(int) error {
				if err := b.hook(r, "Stop", *turn).Run(); err != nil {
					return err
				}
				*turn++
				return r.edit(edits, edits/5)
			},
			run: func() *exec.Cmd { return b.hook(r, "UserPromptSubmit", *turn) }},
		{name: "git status", run: func() *exec.Cmd { return b.command(r.dir, "git", "--no-optional-locks", "status", "--porcelain") }},
		{name: "temp index", last: (b.rounds + 3) / 4, run: func() *exec.Cmd {
			return b.command(r.dir, "sh", "-c", tempIndex, "sh", filepath.Join(b.dir, "index"))
		}},
	}
	figures, err := race(b.rounds, list)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("capture, %d of %d files changed / ", edits, n)
	b.print(name+"git status", bar, figures[0], figures[1])
	if edits <= 10 {
		b.print(name+"temp index", 0.15, figures[0], figures[2])
	}
	return nil
}
