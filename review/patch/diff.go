package patch

import (
	"context"
	"sort"
)

// DefaultContext is the number of unchanged lines that hunks are numbered with.
const DefaultContext = 3

// NoContext asks Compare for hunks without unchanged lines.
const NoContext = -1

// SpaceLimit is how many bytes both texts may have together for white space to be
// ignored: to line large texts up a second time takes longer than to read them.
const SpaceLimit = 8 << 20

// Options is how a comparison is shown. The zero value is the exact comparison
// with three lines of context, by which hunks are numbered.
type Options struct {
	Context     int  // unchanged lines around a change; 0 is DefaultContext
	IgnoreSpace bool // as `git diff -w`: lines are equal whose bytes but for white space are; not over SpaceLimit
}

func (o Options) context() int {
	switch {
	case o.Context == 0:
		return DefaultContext
	case o.Context < 0:
		return 0
	default:
		return o.Context
	}
}

// Edit replaces lines [OldFrom,OldTo) of the old text by lines [NewFrom,NewTo) of
// the new one; lines count from 0, and one of the ranges may be empty.
type Edit struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Hunk is a run of edits with the lines around them. Starts and counts are those
// of git's hunk header: lines count from 1, and a side without lines starts at
// the line before. Number is the hunk's number in the exact comparison with three
// lines of context; where a view joins several of these, it is the first and Last
// the last of them.
type Hunk struct {
	Number, Last       int
	OldStart, OldLines int
	NewStart, NewLines int
	Edits              []Edit
	Section            string // git's function context, at most 80 bytes
}

// Diff is the difference between two texts.
type Diff struct {
	Old, New    Text
	Hunks       []Hunk // as shown
	HiddenSpace int    // exact hunks that IgnoreSpace hides
	Adds, Dels  int    // lines of the shown edits
	exact       []Hunk // three lines of context, white space counts
	edits       []Edit // of the exact comparison
	kinds       int    // different lines in both texts, 0 where one has none
	spaced      *spaced
}

// Large tells whether the texts are so large that white space is never ignored.
func (d *Diff) Large() bool { return len(d.Old.Bytes)+len(d.New.Bytes) > SpaceLimit }

// Exact is the hunks of the exact comparison with three lines of context,
// whatever is shown: hunk n is Exact()[n-1].
func (d *Diff) Exact() []Hunk { return d.exact }

// Compare compares two texts. The result depends on nothing but its arguments.
func Compare(old, new []byte, o Options) *Diff {
	d, _ := CompareContext(context.Background(), old, new, o) // which never ends
	return d
}

// compare is CompareContext of split texts; number numbers their lines where both have some.
func compare(ctx context.Context, old, new Text, o Options, number func(w *watch, old, new Text) numbered) (*Diff, error) {
	d, w := &Diff{Old: old, New: new, spaced: newSpaced()}, watching(ctx)
	if o.IgnoreSpace && len(old.Bytes)+len(new.Bytes) > aloneSize && !d.Large() {
		go d.spaced.prepare(ctx, d.Old, d.New)
	}
	if old.Lines() == 0 || new.Lines() == 0 {
		d.edits = wholeEdit(old.Lines(), new.Lines())
	} else {
		l := number(w, old, new)
		d.edits, d.kinds = alignment{indent: true}.search(w, l), l.kinds
	}
	if err := w.err(); err != nil {
		return nil, err
	}
	d.exact = d.group(d.edits, DefaultContext)
	for i := range d.exact {
		d.exact[i].Number, d.exact[i].Last = i+1, i+1
	}
	return d.show(w, o)
}

// As is the same comparison shown otherwise: what Compare gives of the same texts,
// without lining them up again.
func (d *Diff) As(o Options) *Diff {
	other, _ := d.AsContext(context.Background(), o) // which never ends
	return other
}

// AsContext is As that ends soon after ctx does, with the cause: where white space is
// ignored for the first time, the texts are lined up without it.
func (d *Diff) AsContext(ctx context.Context, o Options) (*Diff, error) {
	other := &Diff{Old: d.Old, New: d.New, edits: d.edits, kinds: d.kinds, exact: d.exact, spaced: d.spaced}
	return other.show(watching(ctx), o)
}

func (d *Diff) show(w *watch, o Options) (*Diff, error) {
	edits := d.edits
	switch {
	case o.IgnoreSpace && !d.Large():
		edits = d.spaced.edits(w, d)
		if err := w.err(); err != nil {
			return nil, err
		}
		d.Hunks = d.group(edits, o.context())
		d.HiddenSpace = d.number()
	case o.context() != DefaultContext:
		d.Hunks = d.group(edits, o.context())
		d.number()
	default:
		d.Hunks = d.exact
	}
	for _, e := range edits {
		d.Dels += e.OldTo - e.OldFrom
		d.Adds += e.NewTo - e.NewFrom
	}
	return d, nil
}

// aloneSize is how many bytes both texts must have for a second goroutine to be worth
// its start.
const aloneSize = 1 << 20

// group joins edits whose distance is at most twice the context, as git does.
func (d *Diff) group(edits []Edit, context int) []Hunk {
	var hunks []Hunk
	sections := sectionFinder{text: d.Old}
	for first := 0; first < len(edits); {
		last := first
		for last+1 < len(edits) && edits[last+1].OldFrom-edits[last].OldTo <= 2*context {
			last++
		}
		hunks = append(hunks, d.hunk(edits[first:last+1:last+1], context, &sections))
		first = last + 1
	}
	return hunks
}

func (d *Diff) hunk(edits []Edit, context int, sections *sectionFinder) Hunk {
	head, tail := edits[0], edits[len(edits)-1]
	before := min(context, head.OldFrom, head.NewFrom)
	after := min(context, d.Old.Lines()-tail.OldTo, d.New.Lines()-tail.NewTo)
	h := Hunk{
		OldStart: head.OldFrom - before, OldLines: tail.OldTo - head.OldFrom + before + after,
		NewStart: head.NewFrom - before, NewLines: tail.NewTo - head.NewFrom + before + after,
		Edits:   edits,
		Section: sections.before(head.OldFrom - before),
	}
	if h.OldLines > 0 {
		h.OldStart++
	}
	if h.NewLines > 0 {
		h.NewStart++
	}
	return h
}

// number gives the shown hunks the numbers of the exact hunks that they overlap,
// and returns how many exact hunks no shown hunk stands for.
func (d *Diff) number() int {
	shown := make([]bool, len(d.exact))
	for i := range d.Hunks {
		h := &d.Hunks[i]
		for _, e := range h.Edits {
			n := d.exactAt(e)
			shown[n] = true
			if h.Number == 0 {
				h.Number = n + 1
			}
			h.Last = n + 1
		}
	}
	hidden := 0
	for _, s := range shown {
		if !s {
			hidden++
		}
	}
	return hidden
}

// exactAt is the index of the exact hunk that holds e, or of the nearest before
// it. There is one: texts that differ without white space differ with it.
func (d *Diff) exactAt(e Edit) int {
	n := sort.Search(len(d.exact), func(i int) bool {
		edits := d.exact[i].Edits
		tail := edits[len(edits)-1]
		return tail.OldTo >= e.OldFrom && tail.NewTo >= e.NewFrom
	})
	return min(n, len(d.exact)-1)
}

// Edits is the edits of the exact comparison of two texts alone.
func Edits(old, new []byte) []Edit {
	edits, _ := EditsContext(context.Background(), old, new) // which never ends
	return edits
}
