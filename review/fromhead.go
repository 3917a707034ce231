package review

import (
	"context"
	"strings"

	"overturn/model"
)

// Before is what is known of the time before the first turn of a thread whose baseline
// is not there.
type Before struct {
	Head  string // commit that HEAD was at then; "" where nothing was committed
	Now   bool   // Head is what HEAD is at now: nobody noted where it was then
	dirty map[model.Path]bool
	cut   bool   // the lists of what was dirty are not whole
	known bool   // there are such lists
	first string // tree of the end of turn 1, "" where it was not captured
	base  string // tree of Head
	e     *Engine
}

// FromHead compares the beginning of a thread with boundary s.To, where HEAD as it was
// when the first turn began stands for a baseline that is not there. It vouches for a path
// only as far as Before does.
func (e *Engine) FromHead(ctx context.Context, s model.Scope, first model.Turn) (*ChangeSet, *Before, error) {
	s.Kind, s.From = model.ScopeRange, 0
	r := Resolved{Scope: s}
	if err := e.resolveThread(ctx, &r); err != nil {
		return nil, nil, err
	}
	if err := r.reached(s.To); err != nil {
		return nil, nil, err
	}
	b, err := e.before(ctx, first)
	if err != nil {
		return nil, nil, err
	}
	r.base = end{label: "HEAD", commit: b.Head, project: true}
	if r.target, err = e.numbered(ctx, r.Thread, s.To); err != nil {
		return nil, nil, err
	}
	for n := 1; n <= s.To; n++ {
		r.Turns = append(r.Turns, n)
	}
	cs, err := e.open(ctx, s, &r)
	if err != nil {
		return nil, nil, err
	}
	l := newLister(e, cs, nil)
	if err := l.run(ctx); err != nil {
		return nil, nil, err
	}
	cs.Files, b.base = l.files, cs.Base.Tree
	cs.converts.complete(l.files)
	return cs, b, nil
}

// before gathers what the first turn says of the time before it.
func (e *Engine) before(ctx context.Context, first model.Turn) (*Before, error) {
	b := &Before{Head: first.Base, dirty: map[model.Path]bool{}, e: e}
	if first.End != nil {
		b.first = first.End.Tree
	}
	start := first.Start
	if start == nil {
		if b.Head != "" {
			return b, nil
		}
		head, err := e.deps.Repo.Head(ctx)
		b.Head, b.Now = head.Commit, true
		return b, err
	}
	b.Head, b.known, b.cut = start.Head, true, start.Inventory.More > 0
	for _, list := range [][]model.Noted{start.Inventory.Staged, start.Inventory.Unstaged, start.Inventory.Untracked} {
		for _, n := range list {
			b.dirty[model.Path(strings.TrimSuffix(string(n.Path), "/"))] = true
		}
	}
	return b, nil
}

// Vouches says why HEAD cannot stand for what was at a path before the first turn, ""
// where it can: there was no edit of the user's.
func (b *Before) Vouches(ctx context.Context, p model.Path) (string, error) {
	for at := p; at != "." && at != ""; at = parent(at) {
		if b.dirty[at] {
			return "it had edits of yours before the first turn, and the baseline that holds them is not there", nil
		}
	}
	if b.known && !b.cut {
		return "", nil
	}
	if b.first != "" {
		was, there, err := b.e.deps.Objects.Lookup(ctx, b.base, p)
		if err != nil {
			return "", err
		}
		ended, stood, err := b.e.deps.Objects.Lookup(ctx, b.first, p)
		if err != nil || there == stood && was.OID == ended.OID && was.Mode == ended.Mode {
			return "", err
		}
	}
	return "the baseline is not there, and nobody knows whether you had edited it before the first turn", nil
}

func parent(p model.Path) model.Path {
	cut := strings.LastIndexByte(string(p), '/')
	if cut < 0 {
		return ""
	}
	return p[:cut]
}
