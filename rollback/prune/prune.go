package prune

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
	"overturn/review/ledger"
	"overturn/rollback"
)

// Deps is what a prune works with.
type Deps struct {
	Repo    *gitops.Repo
	Objects *objects.Store
	Refs    *refs.Store
	Records checkpoint.Store
	Ledger  *ledger.Ledger
	Clock   model.Clock
}

// Run prunes the whole repository: every work tree, and what those that are gone left.
func Run(ctx context.Context, d Deps, rule model.PruneRule) (*model.Pruned, error) {
	done := &model.Pruned{Removed: []string{}, Kept: []model.RefNote{}, Files: []string{}, DryRun: rule.DryRun}
	dirs, err := d.Repo.StateDirs(ctx)
	if err != nil {
		return nil, err
	}
	holds, err := d.holds(ctx, dirs)
	if err != nil {
		return nil, err
	}
	if err := d.Ledger.Prune(ctx, rule, holds, done); err != nil {
		return done, err
	}
	if err := d.history(ctx, dirs, rule, done); err != nil {
		return done, err
	}
	known, err := journaled(dirs)
	if err != nil {
		return done, err
	}
	if err := d.loose(ctx, rule, known, done); err != nil {
		return done, err
	}
	for _, dir := range dirs {
		if err := d.local(dir, rule, known, done); err != nil {
			return done, err
		}
	}
	slices.Sort(done.Removed)
	slices.SortStableFunc(done.Kept, func(a, b model.RefNote) int { return strings.Compare(a.Ref, b.Ref) })
	if rule.DryRun {
		return done, nil
	}
	return done, d.space(ctx, rule, done)
}

// holds collects the turns that the work trees need.
func (d Deps) holds(ctx context.Context, dirs []gitops.StateDir) (ledger.Holds, error) {
	holds := ledger.Holds{}
	threads, err := d.Ledger.Threads(ctx)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		list, err := rollback.HeldBy(dir.Dir)
		if err != nil {
			return nil, err
		}
		for _, h := range list {
			for _, t := range threads {
				if h.Scope.Thread != "" && t.ID != h.Scope.Thread || h.Scope.Thread == "" && t.WorkTree != dir.WorkTree {
					continue
				}
				from, to := bounds(h.Scope)
				for n := from; n <= to; n++ {
					holds[ledger.ThreadTurn{Thread: t.ID, Turn: n}] = h.Reason
				}
			}
		}
	}
	return holds, nil
}

// bounds is the turns whose snapshots a scope refers to, as it was resolved when it was
// staged; of a live one none.
func bounds(s model.Scope) (from, to int) {
	switch s.Kind {
	case model.ScopeTurn:
		return s.Turn, s.Turn
	case model.ScopeRange:
		return max(s.From, 1), s.To
	}
	return 1, 0
}

func (d Deps) history(ctx context.Context, dirs []gitops.StateDir, rule model.PruneRule, done *model.Pruned) error {
	known := map[string]bool{}
	deps := rollback.Deps{Repo: d.Repo, Objects: d.Objects, Refs: d.Refs, Clock: d.Clock}
	for _, dir := range dirs {
		if err := rollback.PruneHistory(ctx, deps, dir.Dir, rule, known, done); err != nil {
			return err
		}
	}
	return rollback.PruneSafety(ctx, deps, rule, known, done)
}

// revertedRefs is where a revert puts what it took out of a thread.
const revertedRefs = "refs/overturn/reverted/"

// loose takes the refs that no list names: records of turns that are nowhere, and
// what old reverts took out, of which no history tells. Only their age says anything.
func (d Deps) loose(ctx context.Context, rule model.PruneRule, known map[model.ID]bool, done *model.Pruned) error {
	named := map[string]bool{}
	for _, ref := range done.Removed {
		named[ref] = true
	}
	for _, k := range done.Kept {
		named[k.Ref] = true
	}
	infos, err := d.Records.List(ctx)
	if err != nil {
		return err
	}
	old := func(at time.Time) bool {
		return rule.OlderThan > 0 && !at.IsZero() && d.Clock().Sub(at) >= rule.OlderThan
	}
	var updates []refs.Update
	var onBranch []model.ID
	for _, info := range infos {
		place := info.Where()
		switch {
		case named[place]:
			continue
		case !old(info.At):
			done.Keep(place, "no turn here names it, and it is not old enough")
			continue
		case info.Ref == checkpoint.BranchRef:
			onBranch = append(onBranch, info.ID)
		default:
			updates = append(updates, refs.Update{Name: info.Ref, Old: info.Commit})
		}
		done.Removed = append(done.Removed, place)
	}
	reverted, err := d.Refs.List(ctx, strings.TrimSuffix(revertedRefs, "/"))
	if err != nil {
		return err
	}
	for _, ref := range reverted {
		id, _, _ := strings.Cut(strings.TrimPrefix(ref.Name, revertedRefs), "/")
		switch {
		case named[ref.Name]:
		case known[model.ID(id)]:
			done.Keep(ref.Name, "a revert took it out, and undo may bring it back")
		case checkpoint.KindOf(id) == checkpoint.KindULID && old(model.ID(id).Time()):
			updates = append(updates, refs.Update{Name: ref.Name, Old: ref.OID})
			done.Removed = append(done.Removed, ref.Name)
		default:
			done.Keep(ref.Name, "a revert took it out, and it is not old enough")
		}
	}
	if rule.DryRun {
		return nil
	}
	for some := range slices.Chunk(updates, 2000) {
		durable.Point("prune.loose.refs")
		if err := d.Refs.Apply(ctx, some); err != nil {
			return err
		}
	}
	if len(onBranch) > 0 {
		return d.Records.Forget(ctx, onBranch...)
	}
	return nil
}

// local removes what grows old in a state folder: the full trace that was turned
// over, events that were none, and the stat table of a work tree that is away, which
// the next capture makes anew.
func (d Deps) local(dir gitops.StateDir, rule model.PruneRule, known map[model.ID]bool, done *model.Pruned) error {
	var files []string
	aged := func(path string) {
		if info, err := os.Lstat(path); err == nil && rule.OlderThan > 0 && d.Clock().Sub(info.ModTime()) >= rule.OlderThan {
			files = append(files, path)
		}
	}
	aged(filepath.Join(dir.Dir, "trace.jsonl.1"))
	entries, err := os.ReadDir(filepath.Join(dir.Dir, "inbox"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return model.Failf(err, "cannot list the inbox")
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".broken") {
			aged(filepath.Join(dir.Dir, "inbox", e.Name()))
		}
	}
	if dir.Root != "" {
		if _, err := os.Lstat(dir.Root); errors.Is(err, fs.ErrNotExist) {
			aged(filepath.Join(dir.Dir, "table"))
		}
	}
	reverted, err := d.revertedFiles(dir, rule, known)
	if err != nil {
		return err
	}
	done.Files = append(append(done.Files, files...), reverted...)
	if rule.DryRun {
		return nil
	}
	if err := dropReverted(reverted); err != nil {
		return err
	}
	for _, path := range files {
		durable.Point("prune.local.remove")
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return model.Failf(err, "cannot remove %s", path)
		}
	}
	return nil
}

// space parts the objects that no ref of ours needs any more.
func (d Deps) space(ctx context.Context, rule model.PruneRule, done *model.Pruned) error {
	if err := d.Refs.Sweep(ctx); err != nil {
		return err
	}
	durable.Point("prune.space")
	parted, err := d.Objects.Retire(ctx, d.needed, rule.Now)
	if err != nil {
		return err
	}
	done.Before, done.After = parted.Before, parted.After
	if !parted.Until.IsZero() {
		until := parted.Until.UTC()
		done.Until = &until
	}
	return nil
}

// needed lists the objects that our refs, and the moments of open turns, reach.
func (d Deps) needed(ctx context.Context) (map[string]string, error) {
	all, err := d.Refs.List(ctx, "")
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	for _, ref := range all {
		in.WriteString(ref.OID + "\n")
	}
	trees, err := d.Ledger.MomentTrees(ctx)
	if err != nil {
		return nil, err
	}
	for _, tree := range trees {
		if there, err := d.Objects.Has(ctx, tree); err == nil && there {
			in.WriteString(tree + "\n")
		}
	}
	paths := map[string]string{}
	if in.Len() == 0 {
		return paths, nil
	}
	out, err := d.Repo.GitInput(ctx, []byte(in.String()), "rev-list", "--objects", "--stdin")
	if err != nil {
		return nil, model.Failf(err, "the refs are let go, their space is not given back: cannot list the objects that are needed").
			WithHint("`overturn doctor` names the snapshots that lack objects; prune again when they are mended or gone")
	}
	for line := range strings.Lines(string(out)) {
		id, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		paths[id] = path
	}
	return paths, nil
}
