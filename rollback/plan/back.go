package plan

import (
	"context"

	"overturn/model"
	"overturn/review/patch"
)

// maxBack is how many bytes of texts are merged to find what is back.
const maxBack = 32 << 20

// Back lists the hunks of a scope's change, by their numbers in the exact comparison,
// that are not there any more: taken out, they would change nothing (VerdictAlready).
// Hunks beyond a bound of work are not looked at.
func Back(ctx context.Context, first, last, present Version) []int {
	d := patch.Compare(first.Content, last.Content, patch.Options{})
	numbers := make([]int, len(d.Exact()))
	for i, h := range d.Exact() {
		numbers[i] = h.Number
	}
	switch {
	case present.State == last.State:
		return nil
	case present.State == first.State, present.same(first):
		return numbers
	case !present.is(model.KindFile) || !first.is(model.KindFile) || !last.is(model.KindFile) || patch.IsBinary(present.Content):
		return nil
	}
	since := patch.Edits(last.Content, present.Content)
	cost := len(last.Content) + len(present.Content)
	var back []int
	for i, h := range d.Exact() {
		if ctx.Err() != nil || (i+1)*cost > maxBack {
			break
		}
		if !touched(h.Edits, since) {
			continue
		}
		sel, _ := d.SelectHunks([]int{h.Number})
		item := Item{Method: model.TakeOut, First: first, Last: last, Present: present, Chosen: Chosen{Lines: sel}}
		if Work(item).Verdict == model.VerdictAlready {
			back = append(back, h.Number)
		}
	}
	return back
}

// touched tells whether every edit of a hunk was edited again: else it is there.
func touched(hunk, since []patch.Edit) bool {
	for _, e := range hunk {
		hit := false
		for _, s := range since {
			hit = hit || s.OldFrom <= e.NewTo && s.OldTo >= e.NewFrom
		}
		if !hit {
			return false
		}
	}
	return true
}
