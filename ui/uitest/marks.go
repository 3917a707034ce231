package uitest

import (
	"context"

	"overturn/model"
	"overturn/ui"
	"overturn/ui/view"
)

// Mark keeps in Marks what was read.
func (e *Engine) Mark(ctx context.Context, cmp *view.Comparison, i int, o ui.DocumentOptions, hunks []int, read bool) (of, done int, err error) {
	if err := e.enter(ctx, "mark"); err != nil {
		return 0, 0, err
	}
	e.Lock()
	defer e.Unlock()
	if e.Marks == nil {
		e.Marks = map[model.Path]map[int]bool{}
	}
	path := e.change(cmp, i).Path
	if e.Marks[path] == nil {
		e.Marks[path] = map[int]bool{}
	}
	for _, n := range e.numbers(cmp, i, o) {
		if len(hunks) == 0 || n == hunks[0] {
			e.Marks[path][n] = read
		}
	}
	of, done = e.readOf(cmp, i, o)
	return of, done, nil
}

// numbers are the hunks of a file, or 0 for one without.
func (e *Engine) numbers(cmp *view.Comparison, i int, o ui.DocumentOptions) []int {
	doc := NewDocument(cmp.Files[i], e.change(cmp, i), o.IgnoreSpace)
	var list []int
	for _, h := range doc.Hunks {
		list = append(list, h.Number)
	}
	if len(list) == 0 && doc.HiddenSpace == 0 {
		list = []int{0}
	}
	return list
}

func (e *Engine) readOf(cmp *view.Comparison, i int, o ui.DocumentOptions) (of, done int) {
	for _, n := range e.numbers(cmp, i, o) {
		of++
		if e.Marks[e.change(cmp, i).Path][n] {
			done++
		}
	}
	return of, done
}
