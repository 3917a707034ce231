package uitest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
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
	View          view.Overview
	Changes       map[string][]Change // by scope
	LeftOut       []model.Noted
	Cards         map[int]view.Card
	Entries       []model.HistoryEntry
	Fail          map[string]error // by the name of the call
	Slow          map[string]chan struct{}
	Calls         []string // writes, in order
	Verdicts      map[model.Path]model.Verdict
	Effects       []model.Effect
	Effort        int // documents made
	DeclinedPlans int // plans whose confirmation was asked for and not given
	News          chan struct{}
	held          map[*view.Comparison]bool // what Compare has returned
	blocked       atomic.Int32              // calls that wait for Slow or News
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

// Overview is a copy of View, with its newest turns.
func (e *Engine) Overview(ctx context.Context, turns int) (*view.Overview, error) {
	if err := e.enter(ctx, "overview"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	o := e.View
	o.Staged = slices.Clone(o.Staged)
	if n := len(o.Turns); n > turns {
		o.Turns, o.Older = o.Turns[n-turns:], n-turns
	}
	return &o, nil
}

// Tidy has nothing to do.
func (e *Engine) Tidy(ctx context.Context, _ func() time.Duration) error { return e.enter(ctx, "tidy") }

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
	if e.held == nil {
		e.held = map[*view.Comparison]bool{}
	}
	e.held[c] = true
	return c, nil
}

func (e *Engine) change(cmp *view.Comparison, i int) Change {
	if !e.held[cmp] {
		panic("asked about a comparison that Compare did not return")
	}
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
