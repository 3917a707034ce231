package rollback

import (
	"context"
	"fmt"

	"overturn/model"
	"overturn/rollback/journal"
)

// Past is one entry of the history whole. Targets are as they were planned; Did says of
// each, one for one, what became of it: done, skipped, left as it was, or open (the
// entry was cut short and is not settled). Undo is the command that takes the entry back, "" where
// that cannot be done now, for the reason NoUndo.
type Past struct {
	model.HistoryEntry
	Of       model.ID
	Scopes   []string
	Settled  string // the way in which a later start settled it, "" for none
	Safety   string
	Targets  []model.Target
	Did      []string
	Kept     []model.Noted
	Skipped  []model.Noted
	Residual []model.Effect
	Verified bool
	Undo     string
	NoUndo   string
}

// HistoryOf is the entry id of the history. It reads the work tree, to say whether the
// entry can be taken back, and writes nothing.
func (e *Engine) HistoryOf(ctx context.Context, id model.ID) (*Past, error) {
	list, err := e.past()
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if p.id == id {
			return e.whole(ctx, p), nil
		}
	}
	return nil, model.Usagef("there is no rollback %s in this work tree", id).WithHint("`overturn history` lists them")
}

func (e *Engine) whole(ctx context.Context, p past) *Past {
	one := &Past{HistoryEntry: p.line(), NoUndo: e.noUndo(ctx, p)}
	if one.NoUndo == "" {
		one.Undo = undoCommand(p.id)
	}
	if p.entry == nil {
		one.Safety = safetyPrefix + string(p.id)
		return one
	}
	one.Of, one.Scopes, one.Settled, one.Safety = p.entry.Of, p.entry.Scopes, p.entry.Way, p.entry.Safety
	one.Kept, one.Skipped, one.Residual = p.entry.Kept, p.entry.Skipped, p.entry.Residual
	if r := p.entry.Result; r != nil {
		one.Kept, one.Skipped, one.Residual, one.Verified = r.Kept, r.Skipped, r.Residual, r.Verified
	}
	for n, t := range p.entry.Targets {
		one.Targets = append(one.Targets, t.Target)
		one.Did = append(one.Did, did(p.entry, n))
	}
	return one
}

func did(entry *journal.Entry, n int) string {
	switch {
	case entry.Result == nil:
		return "open"
	case len(leftOut(entry, entry.Targets[n].Target.Path)) > 0:
		return "skipped"
	case entry.Swapped[n] && tookEffect(entry):
		return "done"
	}
	return "left"
}

// noUndo is why an entry cannot be taken back now, "" where it can.
func (e *Engine) noUndo(ctx context.Context, p past) string {
	switch {
	case p.entry == nil:
		return p.damaged.Error()
	case p.entry.Result == nil:
		return "it was interrupted: `overturn recover` settles it first"
	case !tookEffect(p.entry):
		return fmt.Sprintf("it left nothing to take back: it ended as %s", p.line().Outcome)
	case p.undoneBy != "":
		return "it was taken back already, by " + string(p.undoneBy)
	}
	t, err := e.backTask(ctx, p.entry)
	switch {
	case err != nil:
		return err.Error()
	case p.entry.Revert != nil && e.canTurn(ctx, t, p.entry) != nil:
		return e.canTurn(ctx, t, p.entry).Error()
	case len(t.skipped) > 0:
		return fmt.Sprintf("%s changed since: %q: %s", count(len(t.skipped), "path"), string(t.skipped[0].Path), t.skipped[0].Reason)
	case len(t.targets) == 0 && len(t.index) == 0:
		if turned, err := e.turned(ctx, p.entry); err == nil && !turned {
			return ""
		}
		return "all is as it was before already"
	}
	return ""
}
