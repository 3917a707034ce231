package ownership

import (
	"context"

	"overturn/model"
	"overturn/review/patch"
)

// What Origins says of a line that no step brought.
const (
	Before   = -1 // it stood in the first version
	Untraced = -2 // following it would cost more than MaxWork, or a version is not text
)

// Origins says for each line of a version which step of the history brought it, as
// blame does: the number of the step, Before, or Untraced. It is nil where the
// version is no text.
func (h *History) Origins(ctx context.Context, version int, load Loader) ([]int32, error) {
	text, err := h.text(ctx, version, load)
	if err != nil || text == nil || patch.IsBinary(text) {
		return nil, err
	}
	out := make([]int32, lineCount(text))
	open := make([]line, len(out))
	for n := range out {
		out[n], open[n] = Before, line{n, n}
	}
	settle := func(rest []line, as int32) {
		for _, l := range rest {
			out[l.target] = as
		}
	}
	work := len(text)
	for step := version; step > 0 && len(open) > 0; step-- {
		if h.States[step-1].Kind == model.KindFile && h.States[step-1].Key == h.States[step].Key {
			continue
		}
		before, err := h.text(ctx, step-1, load)
		if err != nil {
			return nil, err
		}
		if before == nil {
			settle(open, int32(step-1))
			return out, nil
		}
		if work += len(before); work > MaxWork || patch.IsBinary(before) {
			settle(open, Untraced)
			return out, nil
		}
		came, err := patch.EditsContext(ctx, before, text)
		if err != nil {
			return nil, err
		}
		open = back(came, open, func(l line) { out[l.target] = int32(step - 1) })
		text = before
	}
	return out, ctx.Err()
}

// text is the content of a version, nil where none of a file stands.
func (h *History) text(ctx context.Context, version int, load Loader) ([]byte, error) {
	s := h.States[version]
	if s.Kind != model.KindFile {
		return nil, nil
	}
	data, err := load(ctx, s)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// back follows lines to the version before, through the edits that led from it. Those
// that the edits brought are told to brought; the others come back with their number
// there.
func back(changed []patch.Edit, open []line, brought func(line)) []line {
	kept, next, shift := open[:0], 0, 0
	for _, l := range open {
		for next < len(changed) && changed[next].NewTo <= l.now {
			shift = changed[next].OldTo - changed[next].NewTo
			next++
		}
		if next < len(changed) && changed[next].NewFrom <= l.now {
			brought(l)
			continue
		}
		kept = append(kept, line{l.target, l.now + shift})
	}
	return kept
}

// Turns are the turns that were open in the segment.
func (s *Segment) Turns() []*Turn {
	list := make([]*Turn, len(s.turns))
	for i, a := range s.turns {
		list[i] = a.turn
	}
	return list
}

// First is the first point that was captured, and its tree; false where none was.
func (l *Timeline) First() (int, string, bool) {
	for i, p := range l.points {
		if p.Tree != "" {
			return i, p.Tree, true
		}
	}
	return 0, "", false
}
