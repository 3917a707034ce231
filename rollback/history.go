package rollback

import (
	"context"
	"errors"
	"slices"

	"overturn/model"
	"overturn/rollback/journal"
)

// OutcomeInterrupted marks an entry of the history that was cut short and is not
// settled.
const OutcomeInterrupted model.Outcome = "interrupted"

// past is an entry with the newest one that took it back, "" when none did.
type past struct {
	id       model.ID
	entry    *journal.Entry // nil when damaged
	damaged  error
	undoneBy model.ID
}

// stands tells whether what the entry did is in the work tree as far as the
// history knows.
func (p past) stands() bool {
	return p.entry != nil && p.entry.Result != nil && tookEffect(p.entry) && p.undoneBy == ""
}

// endsRedo tells whether undos that are older cannot be redone in order any more.
func (p past) endsRedo() bool {
	return p.entry != nil && p.entry.Of == "" && p.entry.Result != nil && tookEffect(p.entry)
}

func tookEffect(entry *journal.Entry) bool {
	switch entry.Result.Outcome {
	case model.OutcomeComplete, model.OutcomePartial:
		return entry.Way != journal.WayUnwind
	case model.OutcomeUndone:
		return entry.Kind == journal.KindUndo && entry.Way != journal.WayUnwind
	}
	return false
}

// past reads the whole history, newest first.
func (e *Engine) past() ([]past, error) { return pastOf(e.journal()) }

func pastOf(store *journal.Store) ([]past, error) {
	ids, err := store.IDs()
	if err != nil {
		return nil, err
	}
	var list []past
	undone := map[model.ID]model.ID{}
	for _, id := range ids {
		entry, err := store.Read(id)
		var damaged *journal.Damaged
		switch {
		case errors.As(err, &damaged):
			list = append(list, past{id: id, damaged: damaged})
			continue
		case model.CodeOf(err) == model.CodeUsage: // it never began
			continue
		case err != nil:
			return nil, err
		}
		if entry.Of != "" && undone[entry.Of] == "" && entry.Result != nil && tookEffect(entry) {
			undone[entry.Of] = id
		}
		list = append(list, past{id: id, entry: entry, undoneBy: undone[id]})
	}
	return list, nil
}

// History lists the rollbacks, undos and redos of this work tree, newest first.
// One whose journal cannot be read is listed with kind "damaged", one that is not
// settled with outcome "interrupted".
func (e *Engine) History(ctx context.Context) ([]model.HistoryEntry, error) {
	list, err := e.past()
	if err != nil {
		return nil, err
	}
	entries := []model.HistoryEntry{}
	for _, p := range list {
		entries = append(entries, p.line())
	}
	return entries, nil
}

// line is the entry as a list of the history shows it.
func (p past) line() model.HistoryEntry {
	h := model.HistoryEntry{ID: p.id, At: p.id.Time(), Kind: journal.KindDamaged, UndoneBy: p.undoneBy}
	if p.entry != nil {
		h.Kind, h.At, h.Outcome, h.Why = p.entry.Kind, p.entry.At, OutcomeInterrupted, p.entry.Why
		h.Paths, h.Threads = targetsOf(p.entry), threadsOf(p.entry)
		h.Forgotten = p.entry.Talked != nil && p.entry.Talked.Conversation.Done && !p.entry.Talked.Back
		if p.entry.Result != nil {
			h.Outcome = p.entry.Result.Outcome
		}
	}
	return h
}

// threadsOf are the threads of the turns whose changes an entry took back, each once.
func threadsOf(entry *journal.Entry) []model.ThreadID {
	var list []model.ThreadID
	if entry.Revert != nil {
		list = append(list, entry.Revert.Thread)
	}
	for _, t := range entry.Targets {
		if id := t.Target.Thread; id != "" && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// HistoryPatch returns the patch that was confirmed for the entry.
func (e *Engine) HistoryPatch(ctx context.Context, id model.ID) ([]byte, error) {
	entry, err := e.journal().Read(id)
	if err != nil {
		return nil, withDamageHint(err)
	}
	data, err := e.Objects.Blob(ctx, entry.Patch)
	if err != nil {
		return nil, model.Failf(err, "the patch of rollback %s cannot be read", id).
			WithHint("it is held by %s; `git fsck` says which objects are damaged", entry.Safety)
	}
	return data, nil
}

func withDamageHint(err error) error {
	var d *journal.Damaged
	if !errors.As(err, &d) {
		return err
	}
	return (&model.Error{Code: model.CodeFailed, Message: "the history is damaged", Err: err}).
		WithHint("what stood there before is in %s%s; move %s away to go on without it", safetyPrefix, d.ID, d.File)
}
