package rollback

import (
	"context"
	"errors"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
	"overturn/rollback/journal"
	"overturn/rollback/restore"
)

// Undo takes the entry id back ("": the newest that is not undone and is no undo):
// every path goes from what the entry left to what was there before it, byte for
// byte, modes and staged entries included. A path that was changed since is
// CodeRefused and nothing is written, unless o.Partial. An undo is an entry of its
// own; when all is already as before, nothing is done and the result has no id.
func (e *Engine) Undo(ctx context.Context, id model.ID, o ExecuteOptions) (*model.Result, error) {
	return e.takeBack(ctx, id, o, "undo", func(p past) bool { return p.entry.Kind != journal.KindUndo })
}

// Redo undoes the undo id ("": the newest that is not undone yet, unless something was
// rolled back after it: to go on from there is CodeUsage).
func (e *Engine) Redo(ctx context.Context, id model.ID, o ExecuteOptions) (*model.Result, error) {
	return e.takeBack(ctx, id, o, "redo", func(p past) bool { return p.entry.Kind == journal.KindUndo })
}

func (e *Engine) takeBack(ctx context.Context, id model.ID, o ExecuteOptions, verb string, want func(past) bool) (*model.Result, error) {
	unlock, err := e.exclusive(ctx, verb)
	if err != nil {
		return nil, err
	}
	defer unlock()
	entry, err := e.choose(id, verb, want)
	if err != nil {
		return nil, err
	}
	t, err := e.backTask(ctx, entry)
	if err != nil {
		return nil, err
	}
	t.partial, t.progress = o.Partial, o.Progress
	if entry.Revert != nil {
		err := e.canTurn(ctx, t, entry)
		if err == nil {
			err = e.canTalk(ctx, entry)
		}
		if err != nil {
			return emptyResult(model.OutcomeRefused, t.fingerprint, t.scopes), heldBy(err, entry)
		}
	}
	if len(t.skipped) > 0 && !o.Partial {
		r := emptyResult(model.OutcomeRefused, t.fingerprint, t.scopes)
		r.Skipped = t.skipped
		e.Trace.Record(trace.Event{Event: trace.RollbackRefused, ID: entry.ID, Paths: notedPaths(t.skipped), Reason: t.skipped[0].Reason})
		return r, model.Refusedf("%s changed since: %q: %s; nothing was written", count(len(t.skipped), "path"), string(t.skipped[0].Path), t.skipped[0].Reason).
			WithHint("what stood there before is in %s: git show %s:PATH; it can be taken back once these paths are as it left them", entry.Safety, entry.Safety)
	}
	if len(t.targets) == 0 && len(t.index) == 0 {
		if turned, err := e.turned(ctx, entry); err != nil || turned {
			return t.nothing(), err
		}
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackConfirmed, ID: entry.ID, Paths: preparedPaths(t.targets), After: t.fingerprint, Outcome: t.kind})
	return e.carry(ctx, t)
}

// heldBy adds to an undo's refusal where what it would have brought back is held.
func heldBy(err error, entry *journal.Entry) error {
	hint := "what stood there before is in " + entry.Safety
	if h := model.HintOf(err); h != "" {
		hint = h + "; " + hint
	}
	return model.Failf(err, "%s %s is not taken back", entry.Kind, entry.ID).WithHint("%s", hint)
}

// choose finds the entry that is meant.
func (e *Engine) choose(id model.ID, verb string, want func(past) bool) (*journal.Entry, error) {
	if id != "" {
		entry, err := e.journal().Read(id)
		if err != nil {
			return nil, withDamageHint(err)
		}
		if !tookEffect(entry) {
			return nil, model.Usagef("rollback %s left nothing to take back: it ended as %s", id, entry.Result.Outcome)
		}
		return entry, nil
	}
	list, err := e.past()
	if err != nil {
		return nil, err
	}
	var newer *journal.Entry // the first rollback after what redo would take
	for _, p := range list {
		switch {
		case p.stands() && want(p):
			if verb == "redo" && newer != nil {
				return nil, overtaken(p.entry, newer)
			}
			return p.entry, nil
		case p.endsRedo():
			newer = p.entry
		}
	}
	return nil, model.Usagef("there is nothing to %s", verb).WithHint("`overturn history` lists past rollbacks")
}

// overtaken refuses to redo what an undo took back before newer was rolled back: the
// two were never one after the other. By its id it can be had all the same.
func overtaken(undo, newer *journal.Entry) error {
	return model.Usagef("there is nothing to redo: %s %s came after the newest undo", newer.Kind, newer.ID).
		WithHint("`overturn undo %s` takes that undo back all the same", undo.ID)
}

// backTask is the entry turned round, against what is there now. All bytes are
// read, and held against their hashes, before anything is written.
func (e *Engine) backTask(ctx context.Context, entry *journal.Entry) (*task, error) {
	t := &task{kind: journal.KindUndo, of: entry.ID, scopes: entry.Scopes, domains: entry.Domains, residual: entry.Residual, perm: map[model.Path]uint32{}}
	if entry.Kind == journal.KindUndo {
		t.kind = journal.KindRedo
	}
	var norm []patch.NormTarget
	for n, was := range entry.Targets {
		left := leftOut(entry, was.Target.Path)
		if !entry.Swapped[n] {
			t.kept = append(t.kept, left...)
			continue
		}
		target, err := e.backTarget(ctx, was, entry.Targets)
		if err != nil {
			return nil, err
		}
		switch {
		case target.Verdict == model.VerdictConflict && len(left) > 0 && entry.Way != "":
			t.kept = append(t.kept, left...) // settling the entry left it to who changed it
			continue
		case target.Verdict == model.VerdictConflict:
			t.skipped = append(t.skipped, model.Noted{Path: target.Path, Reason: target.Reason})
		case target.Verdict == model.VerdictClean:
			t.targets = append(t.targets, target)
		}
		norm = append(norm, patch.NormTarget{
			Path: target.Path, From: target.From, To: target.To, FromID: target.BeforeID, ToID: target.AfterID,
			FromContent: target.Before, ToContent: target.After, Conflict: target.Verdict == model.VerdictConflict,
		})
	}
	if entry.Indexed {
		t.index = reversed(entry.Index)
	}
	for i := len(entry.Make) - 1; i >= 0; i-- {
		t.remove = append(t.remove, entry.Make[i])
	}
	for _, f := range entry.Removed {
		t.perm[f.Path] = f.Perm
	}
	t.patch = patch.Normalised(norm)
	t.fingerprint = patch.Fingerprint(t.patch)
	return t, e.pendingIndex(ctx, t)
}

// leftOut says of a path that the entry skipped why taking the entry back leaves it too.
func leftOut(entry *journal.Entry, p model.Path) []model.Noted {
	for _, n := range entry.Result.Skipped {
		if n.Path == p {
			return []model.Noted{{Path: p, Reason: "the " + entry.Kind + " left it out: " + n.Reason}}
		}
	}
	return nil
}

// pendingIndex drops entries that are already back.
func (e *Engine) pendingIndex(ctx context.Context, t *task) error {
	if len(t.index) == 0 {
		return nil
	}
	present, err := e.indexEntries(ctx)
	if err != nil {
		return err
	}
	var pending []journal.IndexChange
	for _, c := range t.index {
		switch present[c.Path] {
		case c.From:
			pending = append(pending, c)
		case c.To:
		default:
			t.kept = append(t.kept, model.Noted{Path: c.Path, Reason: "its staged entry was changed or marked since and stays"})
		}
	}
	t.index = pending
	return nil
}

// backTarget is one target turned round.
func (e *Engine) backTarget(ctx context.Context, was journal.Target, all []journal.Target) (PreparedTarget, error) {
	p := PreparedTarget{Target: was.Target, BeforeID: was.After, AfterID: was.Before}
	p.From, p.To, p.Verdict, p.Reason = was.Target.To, was.Target.From, model.VerdictClean, ""
	p.Op = opOf(p.From, p.To)
	var err error
	if p.Before, err = e.bytesOf(ctx, was.After, p.Path, p.From); err != nil {
		return p, err
	}
	if p.After, err = e.bytesOf(ctx, was.Before, p.Path, p.To); err != nil {
		return p, err
	}
	found, err := e.present(p.Path, all)
	if err != nil {
		return p, err
	}
	switch found {
	case p.From:
		if p.From.Kind == model.KindAbsent && !e.clears(p.Path, all) {
			p.Verdict, p.Reason = model.VerdictConflict, "a folder stands there, and something in it stays"
		}
	case p.To, restore.Reachable(p.To):
		p.Verdict = model.VerdictAlready
	default:
		p.Verdict, p.Reason = model.VerdictConflict, "it changed since"
		if found.Kind == model.KindAbsent {
			p.Reason = "it is gone"
		} else if found.Kind != p.From.Kind {
			p.Reason = "a " + string(found.Kind) + " stands there now"
		}
	}
	return p, nil
}

// clears tells whether a folder that stands at a path goes when the entry is turned
// round: it holds nothing but what the entry brought. Where none stands, it does.
func (e *Engine) clears(p model.Path, all []journal.Target) bool {
	if found, err := e.Tree.State(p); err != nil || found.Kind != model.KindOther {
		return true
	}
	goes := make(map[model.Path]bool, len(all))
	for _, t := range all {
		goes[t.Target.Path] = t.Target.From.Kind == model.KindAbsent
	}
	return e.empties(p, goes)
}

// present is what stands at a path, seen from an entry with these targets. Where a
// parent is no folder nothing does; and a folder that holds other targets of the
// entry counts as nothing too, as it goes when they go.
func (e *Engine) present(p model.Path, among []journal.Target) (model.FileState, error) {
	found, err := e.Tree.State(p)
	var in *worktree.Blocked
	if errors.As(err, &in) {
		return model.Absent(), nil
	}
	if err == nil && found.Kind == model.KindOther {
		for _, t := range among {
			if t.Target.Path != p && t.Target.Path.Under(p) {
				return model.Absent(), nil
			}
		}
	}
	return found, err
}
