package review

import (
	"context"

	"overturn/gitops/objects"
	"overturn/model"
)

// IndexEntry is a path's entry in the user's index; both are "" where there is none.
type IndexEntry struct{ Mode, OID string }

// IndexEntries is what the user's index held for a path at both sides of a
// comparison between snapshots; false where that is not known: against a commit of
// the project, where another program captured it, or while the index was unmerged; and
// where it moved between the turns of a range as well, as the user's own.
func (e *Engine) IndexEntries(ctx context.Context, cs *ChangeSet, p model.Path) (first, last IndexEntry, ok bool, err error) {
	if !cs.Scope.OfTurns() || cs.Plain || cs.Base.kept == nil || cs.Base.kept.index == "" || cs.Target.kept.index == "" {
		return first, last, false, nil
	}
	if first, err = e.indexEntry(ctx, cs.Base.kept.index, p); err != nil {
		return first, last, false, err
	}
	last, err = e.indexEntry(ctx, cs.Target.kept.index, p)
	if err != nil || cs.Scope.Kind == model.ScopeTurn || first == last {
		return first, last, err == nil, err
	}
	ok, err = e.stagedInTurns(ctx, cs, p)
	return first, last, ok, err
}

func (e *Engine) indexEntry(ctx context.Context, tree string, p model.Path) (IndexEntry, error) {
	en, ok, err := e.deps.Objects.Lookup(ctx, tree, p)
	if err != nil || !ok || en.Mode == objects.ModeTree {
		return IndexEntry{}, err
	}
	return IndexEntry{Mode: octal(en.Mode), OID: en.OID}, nil
}

// MadeFolder tells whether the base has no such folder. An empty one counts as
// there, where the base is a snapshot, and so does one in which something was left
// out; a commit of the project knows of neither.
func (e *Engine) MadeFolder(ctx context.Context, cs *ChangeSet, folder model.Path) (bool, error) {
	if cs.Base.kept != nil && cs.Base.kept.holds(folder) {
		return false, nil
	}
	en, ok, err := e.deps.Objects.Lookup(ctx, cs.Base.Tree, folder)
	return err == nil && (!ok || en.Mode != objects.ModeTree), err
}

// holds tells whether a folder is there for reasons that the tree does not show.
func (k *kept) holds(folder model.Path) bool {
	for _, n := range k.leftOut {
		if n.Path.Under(folder) || folder.Under(n.Path) {
			return true
		}
	}
	for _, p := range k.empty {
		if p.Under(folder) {
			return true
		}
	}
	return false
}

// Effects is what the turns of the scope did outside the files.
func (e *Engine) Effects(ctx context.Context, cs *ChangeSet) ([]model.Effect, error) {
	var all []model.Effect
	for _, n := range cs.Turns {
		turn, err := e.deps.Ledger.Brief(ctx, cs.Thread, n)
		if err != nil {
			return nil, err
		}
		all = append(all, turn.Effects...)
	}
	return all, nil
}
