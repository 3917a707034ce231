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
	for _, p := range r.Paths {
		for _, c := range e.Changes[r.Scope.String()] {
			if c.Path == p || !r.Named && c.Path.Under(p) {
				e.stage(c.Path, r)
			}
		}
	}
	return slices.Clone(e.View.Staged), nil
}

func (e *Engine) stage(p model.Path, r ui.StageRequest) {
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
		t := model.Target{Path: s.Path, Op: model.OpWrite, Method: model.TakeOut, Owner: model.OwnerAgent, Turns: []int{7}, Hunks: s.Hunks, Verdict: model.VerdictClean}
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
		p.Targets = append(p.Targets, t)
		fmt.Fprintf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1,2 +1,2 @@\n-old line\n+new line\n same line\n", s.Path, s.Path, s.Path, s.Path)
	}
	p.Patch = b.Bytes()
	p.Fingerprint = fmt.Sprintf("%x", sha256.Sum256(p.Patch))
	for _, d := range model.Domains() {
		p.Domains = append(p.Domains, model.DomainCover{Domain: d, Covered: d == model.DomainTracked || d == model.DomainUntracked || d == model.DomainModes})
	}
	return p, nil
}

// Execute notes the call and empties the staged set.
func (e *Engine) Execute(ctx context.Context, expect string, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "execute"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Calls = append(e.Calls, "execute "+expect)
	r := &model.Result{ID: "01hrollback0000000000000000", Outcome: model.OutcomeComplete, Verified: true}
	for _, s := range e.View.Staged {
		r.Restored = append(r.Restored, s.Path)
	}
	e.Entries = append(e.Entries, model.HistoryEntry{ID: r.ID, Kind: "rollback", Outcome: model.OutcomeComplete, Paths: r.Restored, At: Now().Add(-time.Minute)})
	e.View.Staged, e.View.Undoable = nil, r.ID
	return r, nil
}

// History lists Entries.
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
	e.View.Undoable, e.View.Redoable = "", id
	return &model.Result{Outcome: model.OutcomeComplete, Verified: true, Restored: model.Paths{"a"}}, nil
}

// Redo notes the call.
func (e *Engine) Redo(ctx context.Context, progress func(done, of int)) (*model.Result, error) {
	if err := e.enter(ctx, "redo"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Calls = append(e.Calls, "redo")
	return &model.Result{Outcome: model.OutcomeComplete, Verified: true}, nil
}

// Declined counts the plans that were not confirmed.
func (e *Engine) Declined(*model.Plan) {
	e.Lock()
	defer e.Unlock()
	e.DeclinedPlans++
}
