package patch

// Half is one of two texts of a comparison, split and its lines numbered: what can be
// done while the other one is still being read. It is good for one comparison.
type Half struct {
	text  Text
	names *interner
	ids   []int32
}

// Prepare makes the half of b.
func Prepare(b []byte) *Half {
	t := NewText(b)
	h := &Half{text: t, names: newInterner(t, Text{}, false)}
	h.ids = h.names.number()
	return h
}

// WithOld is Compare of old with the text of h.
func (h *Half) WithOld(old []byte, o Options) *Diff {
	return compare(NewText(old), h.text, o, func(old, new Text) numbered {
		ids, kinds := h.number(old)
		return numbered{old: old, new: new, oldIDs: ids, newIDs: h.ids, kinds: kinds}
	})
}

// WithNew is Compare of the text of h with new.
func (h *Half) WithNew(new []byte, o Options) *Diff {
	return compare(h.text, NewText(new), o, func(old, new Text) numbered {
		ids, kinds := h.number(new)
		return numbered{old: old, new: new, oldIDs: h.ids, newIDs: ids, kinds: kinds}
	})
}

// number numbers the lines of the other text.
func (h *Half) number(other Text) (ids []int32, kinds int) {
	h.names.texts[1] = other
	ids = h.names.numberNext(h.ids)
	return ids, len(h.names.lines)
}
