package uitest

import (
	"context"

	"overturn/model"
	"overturn/ui/find"
	"overturn/ui/view"
)

// Search looks through both sides of each change: lines of the new side, and those of
// the old side that went.
func (e *Engine) Search(ctx context.Context, cmp *view.Comparison, q find.Query, each func([]view.Match) bool, progress func(done, of int)) error {
	for i := range cmp.Files {
		e.Lock()
		e.Looked = i
		e.Unlock()
		if err := e.enter(ctx, "search"); err != nil {
			return err
		}
		progress(i, len(cmp.Files))
		e.Lock()
		c := e.change(cmp, i)
		e.Unlock()
		if c.Binary {
			continue
		}
		if list := matchesOf(c, q, i); len(list) > 0 && !each(list) {
			return nil
		}
	}
	return ctx.Err()
}

func matchesOf(c Change, q find.Query, file int) (list []view.Match) {
	old, now := NewText(c.Old), NewText(c.New)
	look := func(t *Text, sign byte, from, to int) {
		for n := from; n < to; n++ {
			if at := q.Index(t.Line(n), 0); at >= 0 {
				list = append(list, view.Match{File: file, Sign: sign, Line: n, Text: t.Line(n), From: at, To: at + q.Len()})
			}
		}
	}
	next := 0
	for _, ed := range compare(old, now, false) {
		look(now, ' ', next, ed.NewFrom)
		look(old, '-', ed.OldFrom, ed.OldTo)
		look(now, '+', ed.NewFrom, ed.NewTo)
		next = ed.NewTo
	}
	look(now, ' ', next, now.Lines())
	return list
}

// Moves is what Moved says.
func (e *Engine) Moves(ctx context.Context, cmp *view.Comparison) (map[model.Path][]view.Move, error) {
	if err := e.enter(ctx, "moves"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.MovesAsked++
	return e.Moved, nil
}
