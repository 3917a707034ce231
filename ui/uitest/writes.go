package uitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"time"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/view"
)

// Stage stages in memory.
func (e *Engine) Stage(ctx context.Context, r ui.StageRequest) ([]view.Staged, error) {
	if err := e.enter(ctx, "stage"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Stages = append(e.Stages, r)
	for _, p := range r.Paths {
		for _, c := range e.Changes[r.Scope.String()] {
			kept := !r.Named && (c.Owner == model.OwnerUser || c.Owner == model.OwnerUnknown)
			if (c.Path == p || !r.Named && c.Path.Under(p)) && !kept {
				e.stage(c.Path, r)
			}
		}
	}
	return slices.Clone(e.View.Staged), nil
}

func (e *Engine) stage(p model.Path, r ui.StageRequest) {
	if e.discarded == nil {
		e.discarded = map[model.Path]bool{}
	}
	e.discarded[p] = r.Discard
	s := view.Staged{Path: p, Scope: r.Scope.String(), Thread: r.Scope.Thread, Hunks: slices.Clone(r.Hunks)}
	for _, l := range r.Lines {
		if s.Lines != "" {
			s.Lines += ","
		}
		if l.Old {
			s.Lines += "-"
		}
		s.Lines += strconv.Itoa(l.From) + "-" + strconv.Itoa(l.To)
	}
	for i, have := range e.View.Staged {
		if have.Path == p {
			if !s.Whole() && !have.Whole() {
				s.Hunks = append(s.Hunks, have.Hunks...)
				slices.Sort(s.Hunks)
				s.Hunks = slices.Compact(s.Hunks)
			}
			e.View.Staged[i] = s
			return
		}
	}
	e.View.Staged = append(e.View.Staged, s)
}

// Unstage unstages in memory.
func (e *Engine) Unstage(ctx context.Context, paths []model.Path) ([]view.Staged, error) {
	if err := e.enter(ctx, "unstage"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.View.Staged = slices.DeleteFunc(e.View.Staged, func(s view.Staged) bool { return slices.Contains(paths, s.Path) })
	return slices.Clone(e.View.Staged), nil
}

// Plan plans what is staged.
func (e *Engine) Plan(ctx context.Context) (*model.Plan, error) {
	if err := e.enter(ctx, "plan"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	p := &model.Plan{Scopes: []string{"7"}, Effects: e.Effects, Reversible: model.ReversibleYes}
	var b bytes.Buffer
	for _, s := range e.View.Staged {
		t := model.Target{Path: s.Path, Op: model.OpWrite, Method: model.TakeOut, Owner: model.OwnerAgent, Turns: []int{7}, Thread: e.View.Thread, Hunks: s.Hunks, Lines: s.Lines, Verdict: model.VerdictClean}
		for _, c := range e.Changes[s.Scope] {
			if c.Path == s.Path && c.Old == nil {
				t.Op = model.OpDelete
			}
			if c.Path == s.Path && c.New == nil {
				t.Op = model.OpCreate
			}
		}
		if v, ok := e.Verdicts[s.Path]; ok {
			t.Verdict = v
			t.Reason = "lines 10 to 12 were changed again after turn 7"
		}
		if e.discarded[s.Path] {
			t.Method, t.Verdict, t.Discard, t.Reason = model.Restore, model.VerdictDrifted, true, "it was edited since; that edit is discarded"
		}
		p.Targets = append(p.Targets, t)
		fmt.Fprintf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1,2 +1,2 @@\n-old line\n+new line\n same line\n", s.Path, s.Path, s.Path, s.Path)
	}
	p.Patch = b.Bytes()
	var other []byte // what stands there is part of a plan of ours too
	for _, t := range p.Targets {
		if t.Verdict != model.VerdictClean {
			other = append(other, t.Verdict...)
		}
	}
	p.Fingerprint = fmt.Sprintf("%x", sha256.Sum256(append(other, p.Patch...)))
	for _, d := range model.Domains() {
		p.Domains = append(p.Domains, model.DomainCover{Domain: d, Covered: d == model.DomainTracked || d == model.DomainUntracked || d == model.DomainModes})
	}
	return p, nil
}

// Execute notes the call and empties the staged set.
func (e *Engine) Execute(ctx context.Context, c ui.Confirmed, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "execute"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	call := "execute " + c.Fingerprint
	if c.Partial {
		call += " partial"
	}
	e.Calls, e.Reasons = append(e.Calls, call), append(e.Reasons, c.Why)
	r := &model.Result{ID: "01hrollback0000000000000000", Outcome: model.OutcomeComplete, Verified: true}
	for _, s := range e.View.Staged {
		if e.Verdicts[s.Path] == model.VerdictConflict && !e.discarded[s.Path] {
			r.Outcome = model.OutcomePartial
			r.Skipped = append(r.Skipped, model.Noted{Path: s.Path, Reason: "edited since where the scope changed it: line 3"})
			continue
		}
		r.Restored = append(r.Restored, s.Path)
	}
	e.noted(model.HistoryEntry{ID: r.ID, Kind: "rollback", Outcome: model.OutcomeComplete, Paths: r.Restored})
	e.View.Staged = nil
	return r, nil
}

// noted puts an entry in front of the history, made a minute ago.
func (e *Engine) noted(h model.HistoryEntry) {
	h.At = Now().Add(-time.Minute)
	e.Entries = append([]model.HistoryEntry{h}, e.Entries...)
}

// takenBack notes that by took the entry id back, and returns the paths of it.
func (e *Engine) takenBack(id, by model.ID) model.Paths {
	for i := range e.Entries {
		if e.Entries[i].ID == id {
			e.Entries[i].UndoneBy = by
			return e.Entries[i].Paths
		}
	}
	return nil
}

// History lists Entries, newest first.
func (e *Engine) History(ctx context.Context) ([]model.HistoryEntry, error) {
	if err := e.enter(ctx, "history"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	return slices.Clone(e.Entries), nil
}

// HistoryPatch is a small patch.
func (e *Engine) HistoryPatch(ctx context.Context, id model.ID) ([]byte, error) {
	return []byte("diff --git a/x b/x\n@@ -1 +1 @@\n-patch of\n+" + string(id) + "\n"), e.enter(ctx, "patch")
}

// Undo notes the call.
func (e *Engine) Undo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "undo"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Calls = append(e.Calls, "undo "+string(id))
	paths := e.takenBack(id, "01hundo00000000000000000000")
	e.noted(model.HistoryEntry{ID: "01hundo00000000000000000000", Kind: "undo", Outcome: model.OutcomeUndone, Paths: paths})
	return &model.Result{Outcome: model.OutcomeComplete, Verified: true, Restored: model.Paths{"a"}}, nil
}

// Redo notes the call.
func (e *Engine) Redo(ctx context.Context, id model.ID, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "redo"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Calls = append(e.Calls, "redo "+string(id))
	e.takenBack(id, "01hredo00000000000000000000")
	return &model.Result{Outcome: model.OutcomeComplete, Verified: true}, nil
}

// Wait keeps a plan for the end of the turns in View.Running.
func (e *Engine) Wait(ctx context.Context, c ui.Confirmed) error {
	if err := e.enter(ctx, "wait"); err != nil {
		return err
	}
	e.Lock()
	defer e.Unlock()
	e.View.Queued = &view.Queued{ID: c.Fingerprint, Paths: len(e.View.Staged), For: "turn 8 of claude-code", Open: true}
	return nil
}

// Due carries out what waits.
func (e *Engine) Due(ctx context.Context, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "due"); err != nil {
		return nil, err
	}
	e.Lock()
	w := e.View.Queued
	e.View.Queued = nil
	e.Unlock()
	if w == nil {
		return nil, nil
	}
	return e.Execute(ctx, ui.Confirmed{Fingerprint: w.ID}, progress)
}

// Forget lets go of what waits.
func (e *Engine) Forget(ctx context.Context) error {
	e.Lock()
	defer e.Unlock()
	e.View.Queued = nil
	e.Calls = append(e.Calls, "forget")
	return nil
}

// Declined counts the plans that were not confirmed.
func (e *Engine) Declined(*model.Plan) {
	e.Lock()
	defer e.Unlock()
	e.DeclinedPlans++
}
