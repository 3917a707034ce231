package view

import (
	"strings"
	"testing"

	"overturn/model"
)

// The rules are those of the engine: undos are redone as long as nothing else was rolled
// back after them.
func TestUndoable(t *testing.T) {
	const ok, undone = model.OutcomeComplete, model.OutcomeUndone
	entry := func(id model.ID, kind string, outcome model.Outcome, by model.ID) model.HistoryEntry {
		return model.HistoryEntry{ID: id, Kind: kind, Outcome: outcome, UndoneBy: by}
	}
	first, second := entry("r1", "rollback", ok, "u1"), entry("u1", "undo", undone, "")
	for name, c := range map[string]struct {
		list       []model.HistoryEntry // newest first
		undo, redo model.ID
		before     string
	}{
		"nothing":                  {},
		"a rollback":               {list: []model.HistoryEntry{entry("r1", "rollback", ok, "")}, undo: "r1"},
		"undone":                   {list: []model.HistoryEntry{second, first}, redo: "u1"},
		"redone":                   {list: []model.HistoryEntry{entry("d1", "redo", ok, ""), entry("u1", "undo", undone, "d1"), first}, undo: "d1"},
		"one redone, one to go":    {list: []model.HistoryEntry{entry("d1", "redo", ok, ""), entry("u2", "undo", undone, "d1"), entry("r2", "rollback", ok, "u2"), second, first}, undo: "d1", redo: "u1", before: "rollback"},
		"two undone":               {list: []model.HistoryEntry{second, entry("u2", "undo", undone, ""), entry("r2", "rollback", ok, "u2"), first}, redo: "u1"},
		"two undone, one redone":   {list: []model.HistoryEntry{entry("d1", "redo", ok, ""), entry("u1", "undo", undone, "d1"), entry("u2", "undo", undone, ""), entry("r2", "rollback", ok, "u2"), first}, undo: "d1", redo: "u2"},
		"rolled back since":        {list: []model.HistoryEntry{entry("r2", "rollback", ok, ""), second, first}, undo: "r2", redo: "u1", before: "rollback"},
		"reverted since":           {list: []model.HistoryEntry{entry("r2", "revert", ok, ""), second, first}, undo: "r2", redo: "u1", before: "revert"},
		"refused since":            {list: []model.HistoryEntry{entry("r2", "rollback", model.OutcomeRefused, ""), second, first}, redo: "u1"},
		"interrupted, not settled": {list: []model.HistoryEntry{entry("r2", "rollback", "interrupted", ""), second, first}, redo: "u1"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, redo := range []bool{false, true} {
				want, before := c.undo, ""
				if redo {
					want, before = c.redo, c.before
				}
				found, came := Undoable(c.list, redo)
				if found == nil && want != "" || found != nil && found.ID != want {
					t.Errorf("redo %v: %+v, want %s", redo, found, want)
				}
				if (came == nil) != (before == "") || came != nil && came.Kind != before {
					t.Errorf("redo %v: before it %+v, want %s", redo, came, before)
				}
				words, next := NothingToUndo(found, came, redo)
				if can := want != "" && before == ""; can != (words == "") || can != (next == "") {
					t.Errorf("redo %v: %q, %q", redo, words, next)
				}
				if before != "" && !strings.Contains(next, "overturn undo "+string(want)) {
					t.Errorf("redo %v: the next step is %q", redo, next)
				}
			}
		})
	}
}
