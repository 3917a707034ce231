package cli

import (
	"context"

	"overturn/review"
	"overturn/rollback/plan"
	"overturn/ui/view"
)

// Origins tells who wrote each line of a file.
func (s *screen) Origins(ctx context.Context, cmp *view.Comparison, index int) (*view.Origins, error) {
	h, err := s.held(cmp)
	if err != nil {
		return nil, err
	}
	o, err := s.reading().Origins(ctx, h.set, h.files[index])
	if err != nil || o == nil {
		return &view.Origins{}, err
	}
	shown := &view.Origins{Old: o.Old, New: o.New, By: make([]view.Writer, len(o.By))}
	for i, v := range o.By {
		shown.By[i] = view.Writer{Owner: v.Owner, Thread: v.Thread, Turn: v.Turn}
	}
	return shown, nil
}

// backGrowth is by how many bytes a file may have grown since and still be read to
// see what of a turn is back.
const backGrowth = 16 << 20

// Back lists the hunks of a scope of turns that are not on disk any more. Nothing is
// said of what stands there now and cannot be compared.
func (s *screen) Back(ctx context.Context, cmp *view.Comparison, index int) ([]int, error) {
	h, err := s.held(cmp)
	if err != nil {
		return nil, err
	}
	f := h.files[index]
	if !cmp.Scope.OfTurns() || h.set.Foreign || f.OldPath != "" || f.ReadOnly() {
		return nil, nil
	}
	var first, last plan.Version
	if first.Content, first.State, err = s.reading().Content(ctx, h.set, f, review.BaseSide); err != nil {
		return nil, err
	}
	if last.Content, last.State, err = s.reading().Content(ctx, h.set, f, review.TargetSide); err != nil {
		return nil, err
	}
	content, state, err := s.writer.Tree.Read(f.Path, max(first.State.Size, last.State.Size)+backGrowth)
	if err != nil {
		return nil, nil
	}
	return plan.Back(ctx, first, last, plan.Version{Content: content, State: state}), nil
}
