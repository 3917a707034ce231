package review

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"overturn/model"
)

const (
	noteCommit = "submodule: the commit checked out in it is shown; what changed inside is not captured"
	noteInside = "submodule changed inside, not captured"
)

// submodules lists the submodules of either side, in order.
func submodules(base, target *Side) []model.Path {
	var list []model.Path
	for _, s := range []*Side{base, target} {
		if s.kept != nil {
			list = append(list, s.kept.submodules...)
		}
	}
	slices.SortFunc(list, cmpPath)
	return slices.Compact(list)
}

// changedInside tells which submodules hold edits that are not in their commit.
// Only git can say, and only of the present.
func (e *Engine) changedInside(ctx context.Context, list []model.Path) ([]model.Path, error) {
	if len(list) == 0 {
		return nil, nil
	}
	args := []string{"status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=none", "--"}
	for _, p := range list {
		args = append(args, string(p))
	}
	out, err := e.deps.Repo.Git(ctx, args...)
	if err != nil {
		return nil, model.Failf(err, "cannot look into the submodules")
	}
	var dirty []model.Path
	for _, record := range bytes.Split(out, []byte{0}) {
		if p, ok := dirtySubmodule(string(record)); ok {
			dirty = append(dirty, p)
		}
	}
	slices.SortFunc(dirty, cmpPath)
	return dirty, nil
}

// dirtySubmodule reads a record of an ordinary change, "1 XY SUB MODES… PATH", of
// which SUB is "S<commit><modified><untracked>" for a submodule.
func dirtySubmodule(record string) (model.Path, bool) {
	const fields = 9
	parts := strings.SplitN(record, " ", fields)
	if len(parts) != fields || parts[0] != "1" {
		return "", false
	}
	sub := parts[2]
	return model.Path(parts[fields-1]), len(sub) == 4 && sub[0] == 'S' && (sub[2] == 'M' || sub[3] == 'U')
}
