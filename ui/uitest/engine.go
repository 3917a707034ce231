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
	"overturn/ui/kept"
	"overturn/ui/view"
)

// Change is a file of a scope: its two contents, nil where it is absent.
type Change struct {
	Path     model.Path
	Old, New []byte
	Owner    model.Owner
	Binary   bool
	Header   []string
	Alarms   []string
	Folded   string
}

// Engine is an engine in memory. Set its fields before the review starts, or
// under Lock.
type Engine struct {
	sync.Mutex
	View          view.Overview
	Changes       map[string][]Change            // by scope
	Others        map[model.ThreadID][]view.Turn // turns of threads beside View's
	LeftOut       []model.Noted
	Cards         map[int]view.Card
	Entries       []model.HistoryEntry
	Reverting     *view.Revert     // what PlanRevert answers; nil: nothing is to be done
	Fail          map[string]error // by the name of the call
	Slow          map[string]chan struct{}
	Done          map[string]int // what a slow call has done of a thousand
	Calls         []string       // writes, in order
	Reasons       []string       // of the rollbacks among them
	Verdicts      map[model.Path]model.Verdict
	Effects       []model.Effect
	Talk          Talk
	Made          []string // paths of the documents made, in order
	Found         int      // how often writers were found
	Writers       map[model.Path]*view.Origins
	Gone          map[model.Path][]int // hunks that are not on disk any more
	DeclinedPlans int                  // plans whose confirmation was asked for and not given
	Moved         map[model.Path][]view.Move
	MovesAsked    int                         // how often
	Looked        int                         // files that a search has done with
	Stages        []ui.StageRequest           // in order
	Marked        int                         // what other reviews marked, counted
	Marks         map[model.Path]map[int]bool // what was read: hunks by number, 0 for a file without
	Since         map[model.Path][]string     // what changed in hunks since they were read
	Left          kept.State                  // by the review before
	News          chan struct{}
	discarded     map[model.Path]bool       // staged so that later edits go too
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
		if done, ok := e.Done[name]; ok {
			model.TellProgress(ctx, done, 1000)
		}
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
func (e *Engine) Overview(ctx context.Context, thread model.ThreadID, turns int) (*view.Overview, error) {
	if err := e.enter(ctx, "overview"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	o := e.View
	o.Staged, o.Turns = slices.Clone(o.Staged), slices.Clone(o.Turns)
	o.Newest, o.Others = o.Thread, len(e.Others)
	if _, ok := e.Others[thread]; !ok && thread != "" && thread != e.View.Thread {
		return nil, model.Usagef("there is no thread %q", thread)
	}
	if turns, ok := e.Others[thread]; ok {
		o.Thread, o.Agent, o.Turns, o.Others = thread, turns[0].Agent, turns, len(e.Others)
	}
	if n := len(o.Turns); n > turns {
		o.Turns, o.Older = o.Turns[n-turns:], n-turns
	}
	return &o, nil
}

// Threads lists the thread of View and Others.
func (e *Engine) Threads(ctx context.Context) ([]view.Thread, error) {
	if err := e.enter(ctx, "threads"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	list := []view.Thread{{ID: e.View.Thread, Agent: e.View.Agent, WorkTree: "main", Title: e.View.Title, Turns: len(e.View.Turns), LastAt: Now()}}
	for id, turns := range e.Others {
		list = append(list, view.Thread{ID: id, Agent: turns[0].Agent, WorkTree: "main", Title: turns[0].Prompt, Turns: len(turns), LastAt: turns[len(turns)-1].StartedAt})
	}
	slices.SortFunc(list, func(a, b view.Thread) int { return b.LastAt.Compare(a.LastAt) })
	return list, nil
}

// Timeline merges the turns of all threads.
func (e *Engine) Timeline(ctx context.Context, turns int) (list []view.Turn, more bool, err error) {
	if err := e.enter(ctx, "timeline"); err != nil {
		return nil, false, err
	}
	e.Lock()
	defer e.Unlock()
	for _, t := range e.View.Turns {
		t.Thread, t.Agent = e.View.Thread, e.View.Agent
		list = append(list, t)
	}
	for id, turns := range e.Others {
		for _, t := range turns {
			t.Thread = id
			list = append(list, t)
		}
	}
	slices.SortStableFunc(list, func(a, b view.Turn) int { return b.StartedAt.Compare(a.StartedAt) })
	if len(list) > turns {
		return list[:turns], true, nil
	}
	return list, false, nil
}

// Tidy has nothing to do.
func (e *Engine) Tidy(ctx context.Context, _ func() time.Duration) error { return e.enter(ctx, "tidy") }

func (e *Engine) resolve(s model.Scope) model.Scope {
	turns, ok := e.Others[s.Thread]
	if !ok {
		turns = e.View.Turns
	}
	latest := 0
	for _, t := range turns {
		if t.State != model.TurnOpen {
			latest = max(latest, t.Number)
		}
	}
	if s.Kind == model.ScopeLatest && latest > 0 {
		return model.Scope{Kind: model.ScopeTurn, Turn: latest, Thread: s.Thread}
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
	for _, t := range e.View.Turns {
		if s.Kind == model.ScopeTurn && t.Number == s.Turn && t.State == model.TurnOpen {
			return nil, model.Usagef("turn %d is ahead of the latest finished one", s.Turn)
		}
	}
	c := &view.Comparison{Scope: s, Base: "HEAD 1a2b3c4", Target: "on disk", LeftOut: e.LeftOut, Marked: e.Marked}
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
		c.Files = append(c.Files, view.File{FileChange: model.FileChange{Path: ch.Path, Change: kind, Additions: -1, Deletions: -1}, Hunks: -1,
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
func (e *Engine) Summaries(ctx context.Context, cmp *view.Comparison, indexes []int, o ui.DocumentOptions) ([]view.Summary, error) {
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
		s.Hunks, s.Read = e.readOf(cmp, i, o)
		out = append(out, s)
	}
	return out, nil
}

// Now is the time of all tests.
func Now() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
