package uitest

import (
	"context"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/view"
)

// Document compares a file.
func (e *Engine) Document(ctx context.Context, cmp *view.Comparison, i int, o ui.DocumentOptions) (*view.Document, error) {
	if err := e.enter(ctx, "document"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	c := e.change(cmp, i)
	e.Made = append(e.Made, string(c.Path))
	doc := NewDocument(cmp.Files[i], c, o.IgnoreSpace)
	doc.Read = e.Marks[c.Path][0]
	for k := range doc.Hunks {
		h := &doc.Hunks[k]
		h.Read = e.Marks[c.Path][h.Number]
		if !h.Read {
			h.Since = e.Since[c.Path]
		}
	}
	return doc, nil
}

// Origins is what Writers says of a path.
func (e *Engine) Origins(ctx context.Context, cmp *view.Comparison, i int) (*view.Origins, error) {
	if err := e.enter(ctx, "origins"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	e.Found++
	if o, ok := e.Writers[e.change(cmp, i).Path]; ok {
		return o, nil
	}
	return &view.Origins{}, nil
}

// Back is what Gone says of a path.
func (e *Engine) Back(ctx context.Context, cmp *view.Comparison, i int) ([]int, error) {
	if err := e.enter(ctx, "back"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	return e.Gone[e.change(cmp, i).Path], nil
}

// Card returns the card of a turn.
func (e *Engine) Card(ctx context.Context, thread model.ThreadID, turn int) (*view.Card, error) {
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
func (e *Engine) Editor(_ context.Context, path model.Path, line int) (ui.Command, bool, error) {
	return nil, false, model.Errorf(model.CodeFailed, "no editor for %s:%d", path, line)
}
