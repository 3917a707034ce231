package patch

import "context"

// Half is one of two texts of a comparison, split and its lines numbered: what can be
// done while the other one is still being read. It is good for one comparison.
type Half struct {
	text  Text
	names *interner
	ids   []int32
}

// Prepare makes the half of b. It ends soon after ctx does, with the cause.
func Prepare(ctx context.Context, b []byte) (*Half, error) {
	t, w := NewText(b), watching(ctx)
	h := &Half{text: t, names: newInterner(t, Text{}, false)}
	h.ids = h.names.number(w)
	if err := w.err(); err != nil {
		return nil, err
	}
	return h, nil
}

// WithOld is CompareContext of old with the text of h.
func (h *Half) WithOld(ctx context.Context, old []byte, o Options) (*Diff, error) {
	return compare(ctx, NewText(old), h.text, o, func(w *watch, old, new Text) numbered {
		ids, kinds := h.number(w, old)
		return numbered{old: old, new: new, oldIDs: ids, newIDs: h.ids, kinds: kinds}
	})
}

// WithNew is CompareContext of the text of h with new.
func (h *Half) WithNew(ctx context.Context, new []byte, o Options) (*Diff, error) {
	return compare(ctx, h.text, NewText(new), o, func(w *watch, old, new Text) numbered {
		ids, kinds := h.number(w, new)
		return numbered{old: old, new: new, oldIDs: h.ids, newIDs: ids, kinds: kinds}
	})
}

// number numbers the lines of the other text.
func (h *Half) number(w *watch, other Text) (ids []int32, kinds int) {
	h.names.texts[1] = other
	ids = h.names.numberNext(w, h.ids)
	return ids, len(h.names.lines)
}
