package view

import (
	"slices"

	"overturn/model"
)

// Undoable finds in the history, newest first, the entry that undo would take back,
// or with redo the undo that redo would take back; nil when there is none. Before is
// what was rolled back after the undo that redo would take, or nil: it is not redone
// then, as the two never followed each other.
func Undoable(entries []model.HistoryEntry, redo bool) (found, before *model.HistoryEntry) {
	i := slices.IndexFunc(entries, func(e model.HistoryEntry) bool {
		return e.UndoneBy == "" && redo == (e.Kind == "undo") && (redo || took(e))
	})
	if i < 0 {
		return nil, nil
	}
	if redo {
		for k := range entries[:i] {
			if e := &entries[k]; e.Kind != "undo" && e.Kind != "redo" && took(*e) {
				before = e
			}
		}
	}
	return &entries[i], before
}

func took(e model.HistoryEntry) bool {
	return e.Outcome == model.OutcomeComplete || e.Outcome == model.OutcomePartial
}

// NothingToUndo says why nothing is undone or redone, and the next step, for the answer
// of Undoable; "" when something can be.
func NothingToUndo(found, before *model.HistoryEntry, redo bool) (words, next string) {
	switch {
	case before != nil:
		return "nothing to redo: a " + before.Kind + " came after the newest undo", "overturn undo " + string(found.ID) + " takes that undo back all the same"
	case found == nil && redo:
		return "there is no undo to redo", "history lists what was done"
	case found == nil:
		return "there is no rollback to undo", "history lists what was done"
	}
	return "", ""
}
