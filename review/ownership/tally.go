package ownership

import (
	"slices"

	"overturn/model"
)

// tally collects verdicts, each once.
type tally struct{ by []Verdict }

func (t *tally) add(verdicts ...Verdict) {
	for _, v := range verdicts {
		if !slices.Contains(t.by, v) {
			t.by = append(t.by, v)
		}
	}
}

// hunk is the sum of the verdicts as a hunk of the given number.
func (t *tally) hunk(number int) Hunk {
	h := Hunk{Number: number, Owner: model.OwnerUnknown}
	for i, v := range t.by {
		switch {
		case i == 0:
			h.Owner, h.Thread = v.Owner, v.Thread
		case !v.same(t.by[0]):
			h.Owner, h.Thread = model.OwnerMixed, ""
		}
		if v.Turn == 0 {
			continue
		}
		if len(h.Turns) == 0 {
			h.In = v.In
		} else if h.In != v.In {
			h.In = ""
		}
		if !slices.Contains(h.Turns, v.Turn) {
			h.Turns = append(h.Turns, v.Turn)
		}
	}
	slices.Sort(h.Turns)
	return h
}
