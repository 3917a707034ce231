package uitest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/view"
)

// Change is a file of a scope: its two contents, nil where it is absent.
type Change struct {
	Path     model.Path
	Old, New []byte
	Owner    model.Owner
	Binary   bool
	Header   []string
}

// Engine is an engine in memory. Set its fields before the review starts, or
// under Lock.
type Engine struct {
	sync.Mutex
	View     view.Overview
	Changes  map[string][]Change // by scope
	LeftOut  []model.Noted
	Cards    map[int]view.Card
	Entries  []model.HistoryEntry
	Fail     map[string]error // by the name of the call
	Slow     map[string]chan struct{}
	Calls    []string // writes, in order
	Verdicts map[model.Path]model.Verdict
	Effects  []model.Effect
	Effort   int // documents made
	News     chan struct{}
	blocked  atomic.Int32 // calls that wait for Slow or News
}

// NewEngine makes an engine without turns.
func NewEngine() *Engine {
	return &Engine{Changes: map[string][]Change{}, Cards: map[int]view.Card{}, Fail: map[string]error{}, Slow: map[string]chan struct{}{},
		Verdicts: map[model.Path]model.Verdict{}, News: make(chan struct{}, 8), View: view.Overview{Root: "/home/dev/shop", WorkTree: "main", Branch: "main", Head: "1a2b3c4d5e6f"}}
}

func (e *Engine) enter(ctx context.Context, name string) error {
	if c, ok := e.Slow[name]; ok {
		e.blocked.Add(1)
		defer e.blocked.Add(-1)
		select {
		case <-c:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	e.Lock()
	defer e.Unlock()
	return e.Fail[name]
}

// Overview is a copy of View.
func (e *Engine) Overview(ctx context.Context) (*view.Overview, error) {
	if err := e.enter(ctx, "overview"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	o := e.View
	o.Staged = slices.Clone(o.Staged)
	return &o, nil
}

func (e *Engine) resolve(s model.Scope) model.Scope {
	if s.Kind == model.ScopeLatest && len(e.View.Turns) > 0 {
		return model.Scope{Kind: model.ScopeTurn, Turn: e.View.Turns[len(e.View.Turns)-1].Number, Thread: s.Thread}
	}
	return s
}

// Compare lists the changes of a scope.
func (e *Engine) Compare(ctx context.Context, s model.Scope) (*view.Comparison, error) {
	if err := e.enter(ctx, "compare"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	s = e.resolve(s)
	c := &view.Comparison{Scope: s, Base: "HEAD 1a2b3c4", Target: "on disk", LeftOut: e.LeftOut}
	if s.OfTurns() {
		c.Base, c.Target = fmt.Sprintf("start of turn %d", s.Turn), fmt.Sprintf("end of turn %d", s.Turn)
	}
	for _, ch := range e.Changes[s.String()] {
		kind := model.Modified
		switch {
		case ch.Old == nil:
			kind = model.Added
		case ch.New == nil:
			kind = model.Deleted
		}
		c.Files = append(c.Files, view.File{FileChange: model.FileChange{Path: ch.Path, Change: kind, Additions: -1, Deletions: -1},
			Key: fmt.Sprintf("%x", sha256.Sum256(append(append(slices.Clone(ch.Old), 0), ch.New...)))})
	}
	return c, nil
}

func (e *Engine) change(cmp *view.Comparison, i int) Change {
	for _, c := range e.Changes[cmp.Scope.String()] {
		if c.Path == cmp.Files[i].Path {
			return c
		}
	}
	return Change{Path: cmp.Files[i].Path}
}

// Summaries counts lines.
func (e *Engine) Summaries(ctx context.Context, cmp *view.Comparison, indexes []int) ([]view.Summary, error) {
	if err := e.enter(ctx, "summaries"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	var out []view.Summary
	for _, i := range indexes {
		c := e.change(cmp, i)
		s := view.Summary{Index: i, Owner: c.Owner, Binary: c.Binary}
		if !c.Binary {
			for _, ed := range compare(NewText(c.Old), NewText(c.New), false) {
				s.Additions += ed.NewTo - ed.NewFrom
				s.Deletions += ed.OldTo - ed.OldFrom
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Document compares a file.
func (e *Engine) Document(ctx context.Context, cmp *view.Comparison, i int, o ui.DocumentOptions) (*view.Document, error) {
	if err := e.enter(ctx, "document"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Effort++
	c := e.change(cmp, i)
	return NewDocument(cmp.Files[i], c, o.IgnoreSpace), nil
}

// Card returns the card of a turn.
func (e *Engine) Card(ctx context.Context, turn int) (*view.Card, error) {
	if err := e.enter(ctx, "card"); err != nil {
		return nil, err
	}
	c := e.Cards[turn]
	return &c, nil
}

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
	s := view.Staged{Path: p, Scope: r.Scope.String(), Hunks: slices.Clone(r.Hunks)}
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

// Watch waits for News.
func (e *Engine) Watch(ctx context.Context) error {
	e.blocked.Add(1)
	defer e.blocked.Add(-1)
	select {
	case <-e.News:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Editor is not there.
func (e *Engine) Editor(path model.Path, line int) (ui.Command, bool, error) {
	return nil, false, model.Errorf(model.CodeFailed, "no editor for %s:%d", path, line)
}

// Now is the time of all tests.
func Now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
