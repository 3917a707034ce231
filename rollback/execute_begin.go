package rollback

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/durable"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// begin goes as far as the durable line "prepared".
func (e *Engine) begin(ctx context.Context, t *task) (*run, error) {
	for i := range t.targets {
		to := restore.Reachable(t.targets[i].To)
		if to != t.targets[i].To {
			t.kept = append(t.kept, model.Noted{Path: t.targets[i].Path, Reason: "set-uid, set-gid and sticky bits are not brought back"})
			t.targets[i].To = to
		}
	}
	if err := e.ready(t); err != nil {
		return nil, err
	}
	makes, err := e.missingFolders(t)
	if err != nil {
		return nil, err
	}
	id, err := e.newID()
	if err != nil {
		return nil, err
	}
	p, err := e.safety(ctx, id, t)
	if err != nil {
		return nil, err
	}
	durable.Point(t.kind + ".safety")
	if t.revert != nil {
		if p.Revert, err = t.revert(id); err != nil {
			return nil, err
		}
	}
	p.Staged = t.staged
	p.At, p.Pid, p.Make, p.Remove, p.Index = e.Clock().UTC(), os.Getpid(), makes, t.remove, t.index
	p.Kept, p.Skipped, p.Domains, p.Residual = t.kept, t.skipped, t.domains, t.residual
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	log, err := e.journal().Begin(p)
	if err != nil {
		return nil, err
	}
	durable.Point(t.kind + ".prepared")
	r := &run{e: e, t: t, p: p, log: log, failed: map[int]string{}}
	for n, target := range t.targets {
		r.steps = append(r.steps, &restore.Step{N: n, Path: target.Path, From: target.From, To: target.To, Content: target.After})
	}
	r.order = swapOrder(r.steps)
	r.batch = e.batch(&r.p, t.perm, false)
	return r, nil
}

// newID is an id that sorts behind all entries of the history, which is what undo and
// redo go by; the clock may have been set back since.
func (e *Engine) newID() (model.ID, error) {
	ids, err := e.journal().IDs()
	if err != nil {
		return "", err
	}
	var newest model.ID
	if len(ids) > 0 {
		newest = ids[0]
	}
	return e.IDs.After(newest)
}

// batch is the batch of p in the direction from its states From to To, or back.
func (e *Engine) batch(p *journal.Prepared, perm map[model.Path]uint32, unwind bool) *restore.Batch {
	o := restore.Options{Kept: e.keptFolder(p.ID), Perm: perm, Removable: folderPaths(p.Remove)}
	if unwind {
		o.Removable = folderPaths(p.Make)
	}
	for _, t := range p.Targets {
		o.Targets = append(o.Targets, t.Target.Path)
	}
	o.Removable = append(o.Removable, foldersBetween(o.Targets)...)
	return restore.New(e.Tree, p.ID, o)
}

// foldersBetween lists the folders at a target that hold other targets: they have
// to go before a file can stand there.
func foldersBetween(targets []model.Path) []model.Path {
	is := map[model.Path]bool{}
	for _, p := range targets {
		is[p] = true
	}
	var list []model.Path
	for _, p := range targets {
		var chain []model.Path
		for dir := worktree.Dir(p); dir != ""; dir = worktree.Dir(dir) {
			chain = append(chain, dir)
			if is[dir] {
				list = append(list, chain...)
				chain = nil
			}
		}
	}
	return list
}

// missingFolders lists the folders that the task will make, outermost first. One
// that is still a file and goes in the same task counts as missing.
func (e *Engine) missingFolders(t *task) ([]journal.Folder, error) {
	goes := map[model.Path]bool{}
	for _, target := range t.targets {
		goes[target.Path] = target.To.Kind == model.KindAbsent
	}
	seen := map[model.Path]bool{}
	var list []journal.Folder
	for _, target := range t.targets {
		if target.From.Kind != model.KindAbsent {
			continue
		}
		missing, err := e.Tree.MissingParents(target.Path)
		var in *worktree.Blocked
		if errors.As(err, &in) && goes[in.At] {
			missing, err = foldersFrom(in.At, target.Path), nil
		}
		if errors.As(err, &in) {
			continue // Write says it, with the path
		}
		if err != nil {
			return nil, err
		}
		for _, folder := range missing {
			if !seen[folder] {
				seen[folder] = true
				list = append(list, journal.Folder{Path: folder, Perm: t.perm[folder]})
			}
		}
	}
	return list, nil
}

// foldersFrom is at and the folders between it and p, outermost first.
func foldersFrom(at, p model.Path) []model.Path {
	var list []model.Path
	for dir := worktree.Dir(p); dir != "" && dir.Under(at); dir = worktree.Dir(dir) {
		list = append(list, dir)
	}
	slices.Reverse(list)
	return list
}

// swapOrder takes files away before others are put in place, the deepest first:
// a file may have to stand where a folder was, and the other way round.
func swapOrder(steps []*restore.Step) []*restore.Step {
	order := slices.Clone(steps)
	slices.SortStableFunc(order, func(a, b *restore.Step) int {
		if a.Deletes() != b.Deletes() {
			if a.Deletes() {
				return -1
			}
			return 1
		}
		if a.Deletes() {
			return strings.Count(string(b.Path), "/") - strings.Count(string(a.Path), "/")
		}
		return 0
	})
	return order
}

func folderPaths(folders []journal.Folder) []model.Path {
	var paths []model.Path
	for _, f := range folders {
		paths = append(paths, f.Path)
	}
	return paths
}
