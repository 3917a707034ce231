package view

// Run is a stretch of a line in a colour of its own: bytes From to To, painted as
// the role of themes that Role is.
type Run struct {
	From, To uint32
	Role     uint8
}

// Coloured is the colours of a text from its first line on, as far as they are
// known. The zero value knows none.
type Coloured struct {
	Runs []Run    // of all lines, each counted from its line's beginning
	Ends []uint32 // for each line that is known, where its runs end
}

// Line is the runs of line i, ascending; nothing where they are not known.
func (c Coloured) Line(i int) []Run {
	if i < 0 || i >= len(c.Ends) {
		return nil
	}
	from := uint32(0)
	if i > 0 {
		from = c.Ends[i-1]
	}
	return c.Runs[from:c.Ends[i]]
}

// Colours is the colours of both sides of a document.
type Colours struct{ Old, New Coloured }
