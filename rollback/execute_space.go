package rollback

import (
	"fmt"

	"overturn/gitops/worktree"
	"overturn/model"
)

// spaceMargin is left free beside what a rollback writes: journal, trees, refs.
const spaceMargin = 1 << 20

// disks is what a task needs of each file system: the objects and the state may lie
// on another than the work tree, and within that others may be mounted.
type disks struct {
	tree  *worktree.Tree
	of    map[model.Path]worktree.Space // of folders
	needs map[uint64]int64
}

// space refuses early where the new files, and the raw copies of both sides,
// would not fit.
func (e *Engine) space(t *task) error {
	d := disks{e.Tree, map[model.Path]worktree.Space{}, map[uint64]int64{}}
	store, err := worktree.SpaceOf(e.Repo.CommonDir)
	if err != nil {
		return err
	}
	state, err := worktree.SpaceOf(e.Repo.GitDir)
	if err != nil {
		return err
	}
	d.needs[store.Device] += spaceMargin
	spaces := []worktree.Space{store, state}
	for _, target := range t.targets {
		at, err := d.at(worktree.Dir(target.Path))
		if err != nil {
			return err
		}
		spaces = append(spaces, at)
		d.needs[at.Device] += int64(len(target.After))
		d.needs[store.Device] += int64(len(target.After) + len(target.Before))
		if at.Device != state.Device { // what is displaced is kept as a copy
			d.needs[state.Device] += int64(len(target.Before))
		}
	}
	for _, s := range spaces {
		if need := d.needs[s.Device]; need > s.Free {
			return model.Errorf(model.CodeFailed, "not enough space: %s needed, %s free; nothing was written", bytesText(need), bytesText(s.Free)).
				WithHint("free some space, or roll back fewer paths at a time")
		}
	}
	return nil
}

// at is the room of a folder, asked once.
func (d *disks) at(folder model.Path) (worktree.Space, error) {
	if s, known := d.of[folder]; known {
		return s, nil
	}
	s, err := d.tree.Space(folder)
	d.of[folder] = s
	return s, err
}

func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
