package rollback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/settings"
	"overturn/rollback/journal"
)

// PruneHistory lets go of the rollbacks of one work tree that the rule does not keep:
// their kept copies, where these still are what the safety snapshot holds, their
// journals, their safety snapshots. It stays whatever undo and redo would take next,
// what is not settled, and whatever tells that something that stays was taken back.
// known collects the safety refs of journals that there are.
func PruneHistory(ctx context.Context, d Deps, stateDir string, rule model.PruneRule, known map[string]bool, done *model.Pruned) error {
	e := &historyPrune{Deps: d, stateDir: stateDir, rule: rule, done: done}
	if !rule.DryRun {
		if _, err := os.Stat(filepath.Join(stateDir, "journal")); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		lock, err := durable.TryAcquire(filepath.Join(stateDir, "rollback.lock"), "pruning the history")
		if err != nil {
			return err
		}
		defer lock.Unlock()
	}
	list, err := pastOf(journal.Open(stateDir))
	if err != nil {
		return err
	}
	reasons := e.reasons(list)
	for _, p := range list {
		ref := safetyPrefix + string(p.id)
		known[ref] = true
		if why := reasons[p.id]; why != "" {
			if held, err := d.Refs.Read(ctx, ref); err != nil {
				return err
			} else if held != "" {
				done.Keep(ref, why)
			}
			continue
		}
		if err := e.letGo(ctx, p, ref); err != nil {
			return err
		}
	}
	return nil
}

type historyPrune struct {
	Deps
	stateDir string
	rule     model.PruneRule
	done     *model.Pruned
}

// reasons says why each entry stays; entries without a reason go. list is newest first.
func (e *historyPrune) reasons(list []past) map[model.ID]string {
	reasons := map[model.ID]string{}
	undoable, redoable := false, false
	for i, p := range list {
		why := ""
		redoable = redoable || p.endsRedo() // nothing that is older is redone
		switch {
		case p.entry == nil:
			why = "its journal is damaged"
		case p.entry.Result == nil:
			why = "the rollback is not settled"
		case p.entry.Kind != journal.KindUndo && p.stands() && !undoable:
			undoable, why = true, "undo would take it back"
		case p.entry.Kind == journal.KindUndo && p.stands() && !redoable:
			redoable, why = true, "redo would take it back"
		case e.rule.Keep > 0 && i < e.rule.Keep:
			why = fmt.Sprintf("it is among the newest %d rollbacks of its work tree", e.rule.Keep)
		case e.rule.OlderThan > 0 && e.Clock().Sub(p.entry.At) < e.rule.OlderThan:
			why = "it is younger than " + settings.AgeWords(e.rule.OlderThan)
		case e.keepsCopies(p):
			why = "a file that it took out was written to afterwards: the copy is nowhere else"
		}
		reasons[p.id] = why
	}
	// What took back an entry that stays, stays: without it that would seem to stand.
	for changed := true; changed; {
		changed = false
		for _, p := range list {
			if reasons[p.id] == "" && p.entry.Of != "" && reasons[p.entry.Of] != "" {
				reasons[p.id], changed = "it tells what became of rollback "+string(p.entry.Of), true
			}
		}
	}
	return reasons
}

func (e *historyPrune) keptFolder(id model.ID) string {
	return filepath.Join(e.stateDir, "kept", string(id))
}

// keepsCopies tells whether a copy of the entry is not what it was when it was kept.
func (e *historyPrune) keepsCopies(p past) bool {
	names, all, err := spareCopies(e.keptFolder(p.id), p.entry)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return all != len(names)
}

// letGo removes one entry: copies, journal, ref. Cut short behind the journal, the ref
// is one that no journal names.
func (e *historyPrune) letGo(ctx context.Context, p past, ref string) error {
	held, err := e.Refs.Read(ctx, ref)
	if err != nil {
		return err
	}
	folder := e.keptFolder(p.id)
	file := filepath.Join(e.stateDir, "journal", string(p.id)+".jsonl")
	names, _, err := spareCopies(folder, p.entry)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		e.done.Files = append(e.done.Files, folder)
	}
	e.done.Files = append(e.done.Files, file)
	if held != "" {
		e.done.Removed = append(e.done.Removed, ref)
	}
	if e.rule.DryRun {
		return nil
	}
	for _, name := range append(names, "") {
		durable.Point("prune.history.copies")
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return model.Failf(err, "cannot remove the kept files of %s", p.id)
		}
	}
	durable.Point("prune.history.journal")
	if err := os.Remove(file); err != nil {
		return model.Failf(err, "cannot remove the journal of %s", p.id)
	}
	if err := durable.SyncDir(filepath.Dir(file)); err != nil {
		return model.Failf(err, "cannot remove the journal of %s", p.id)
	}
	durable.Point("prune.history.ref")
	if held == "" {
		return nil
	}
	return e.Refs.Apply(ctx, []refs.Update{{Name: ref, Old: held}})
}

// PruneSafety lets go of safety snapshots that no journal names any more, by their age.
func PruneSafety(ctx context.Context, d Deps, rule model.PruneRule, known map[string]bool, done *model.Pruned) error {
	all, err := d.Refs.List(ctx, safetyPrefix)
	if err != nil {
		return err
	}
	var updates []refs.Update
	for _, ref := range all {
		id, err := model.ParseID(ref.Name[len(safetyPrefix):])
		switch {
		case known[ref.Name]:
		case err != nil:
			done.Keep(ref.Name, "it is not the name of a safety snapshot")
		case rule.OlderThan <= 0 || d.Clock().Sub(id.Time()) < rule.OlderThan:
			done.Keep(ref.Name, "no journal names it, and it is not old enough")
		default:
			updates = append(updates, refs.Update{Name: ref.Name, Old: ref.OID})
			done.Removed = append(done.Removed, ref.Name)
		}
	}
	if rule.DryRun {
		return nil
	}
	for some := range slices.Chunk(updates, 2000) {
		durable.Point("prune.safety.refs")
		if err := d.Refs.Apply(ctx, some); err != nil {
			return err
		}
	}
	return nil
}
