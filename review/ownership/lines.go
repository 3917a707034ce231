package ownership

import (
	"context"

	"overturn/model"
	"overturn/review/patch"
)

// traced is the step that each changed line belongs to: added by line of the new
// side, deleted by line of the old side. A line that has no entry could not be traced.
type traced struct{ added, deleted map[int]int }

// trace follows the changed lines of diff through the versions. Nil comes back
// where that would cost more than MaxWork, or a version is not text.
func (h *History) trace(ctx context.Context, diff *patch.Diff, load Loader) (*traced, error) {
	texts := make([][]byte, len(h.States))
	work := 0
	for i, s := range h.States {
		if s.Kind != model.KindFile {
			continue
		}
		data, err := load(ctx, s)
		if err != nil {
			return nil, err
		}
		if work += len(data); work > MaxWork || patch.IsBinary(data) {
			return nil, nil
		}
		texts[i] = data
	}
	// Where the comparison shows other bytes than the versions hold (line ends
	// turned by git), lines keep their numbers as long as their count is the same.
	last := len(texts) - 1
	if lineCount(texts[0]) != diff.Old.Lines() || lineCount(texts[last]) != diff.New.Lines() {
		return nil, nil
	}
	t := &traced{added: map[int]int{}, deleted: map[int]int{}}
	if err := t.traceAdded(ctx, texts, diff); err != nil {
		return nil, err
	}
	return t, t.traceDeleted(ctx, texts, diff)
}

func lineCount(b []byte) int { return patch.NewText(b).Lines() }

// traceAdded walks from the target back, as blame does: a line that the version
// before lacks was added by the step between.
func (t *traced) traceAdded(ctx context.Context, texts [][]byte, diff *patch.Diff) error {
	var open []line
	for _, e := range edits(diff) {
		for n := e.NewFrom; n < e.NewTo; n++ {
			open = append(open, line{n, n})
		}
	}
	for step := len(texts) - 1; step > 0 && len(open) > 0; step-- {
		came, err := patch.EditsContext(ctx, texts[step-1], texts[step])
		if err != nil {
			return err
		}
		open = back(came, open, func(l line) { t.added[l.target] = step - 1 })
	}
	return nil
}

// line is a line of the target and where it stands in the version at hand.
type line struct{ target, now int }

// traceDeleted looks for the last version that still had a line of the base,
// whatever happened to it in between: the step behind it took the line away.
func (t *traced) traceDeleted(ctx context.Context, texts [][]byte, diff *patch.Diff) error {
	var open []int
	for _, e := range edits(diff) {
		for n := e.OldFrom; n < e.OldTo; n++ {
			open = append(open, n)
		}
	}
	for version := len(texts) - 2; version > 0 && len(open) > 0; version-- {
		gone, err := patch.EditsContext(ctx, texts[0], texts[version])
		if err != nil {
			return err
		}
		kept, next := open[:0], 0
		for _, n := range open {
			for next < len(gone) && gone[next].OldTo <= n {
				next++
			}
			if next < len(gone) && gone[next].OldFrom <= n {
				kept = append(kept, n)
				continue
			}
			t.deleted[n] = version
		}
		open = kept
	}
	for _, n := range open {
		t.deleted[n] = 0
	}
	return nil
}

func edits(d *patch.Diff) []patch.Edit {
	var all []patch.Edit
	for _, h := range d.Exact() {
		all = append(all, h.Edits...)
	}
	return all
}

// count gives each hunk the steps of its lines. A hunk none of whose lines could
// be traced belongs to all that made the file.
func (h *History) count(diff *patch.Diff, lines *traced) []tally {
	if lines == nil {
		return h.whole(diff, h.made())
	}
	hunks := make([]tally, len(diff.Exact()))
	for i, hunk := range diff.Exact() {
		for _, e := range hunk.Edits {
			for n := e.NewFrom; n < e.NewTo; n++ {
				if step, ok := lines.added[n]; ok {
					hunks[i].add(h.Steps[step])
				}
			}
			for n := e.OldFrom; n < e.OldTo; n++ {
				hunks[i].add(h.Steps[lines.deleted[n]])
			}
		}
		if len(hunks[i].by) == 0 {
			hunks[i].add(h.made()...)
		}
	}
	return hunks
}
