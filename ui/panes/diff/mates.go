package diff

import (
	"bytes"
	"slices"

	"overturn/ui/view"
)

// What is compared to find mates: so many lines against lines in one edit, so many of
// them in all when a split layout is built, and so many bytes of each.
const (
	matesInEdit   = 2500
	matesInLayout = 12_000
	matesText     = 240
)

// leastAlike is the share of two lines, in letters beside each other, from which they
// are taken for one line that was edited.
const leastAlike = 0.45

// mates tells for each removed line of an edit the added line that it became, from 0,
// -1 where it became none: as many as are alike, in order. Lines that were edited are
// found so where others came between them. It is nil for edits that are too large to
// compare, and for those of one line each: there the n-th line became the n-th.
func mates(doc *view.Document, e view.Edit) []int32 {
	dels, adds := e.OldTo-e.OldFrom, e.NewTo-e.NewFrom
	if dels*adds > matesInEdit || dels <= 1 && adds <= 1 {
		return nil
	}
	olds, news := make([][]uint16, dels), make([][]uint16, adds)
	for i := range olds {
		olds[i] = bigrams(doc.Old.Line(e.OldFrom + i))
	}
	for k := range news {
		news[k] = bigrams(doc.New.Line(e.NewFrom + k))
	}
	return align(olds, news)
}

// align is the mates with the largest likeness in all; of equal ones the first.
func align(olds, news [][]uint16) []int32 {
	list := make([]int32, len(olds))
	width := len(news) + 1
	like := make([]float32, len(olds)*len(news))
	best := make([]float32, (len(olds)+1)*width)
	for i := len(olds) - 1; i >= 0; i-- {
		for k := len(news) - 1; k >= 0; k-- {
			l := likeness(olds[i], news[k])
			like[i*len(news)+k] = l
			b := max(best[(i+1)*width+k], best[i*width+k+1])
			if l >= leastAlike {
				b = max(b, best[(i+1)*width+k+1]+l)
			}
			best[i*width+k] = b
		}
	}
	for i := range list {
		list[i] = -1
	}
	for i, k := 0, 0; i < len(olds) && k < len(news); {
		l, b := like[i*len(news)+k], best[i*width+k]
		switch {
		case l >= leastAlike && b == best[(i+1)*width+k+1]+l:
			list[i] = int32(k)
			i, k = i+1, k+1
		case b == best[(i+1)*width+k]:
			i++
		default:
			k++
		}
	}
	return list
}

// bigrams are the pairs of bytes beside each other in a line, sorted; blanks at its
// ends do not count.
func bigrams(line []byte) []uint16 {
	line = bytes.TrimSpace(line[:min(len(line), matesText)])
	if len(line) < 2 {
		return nil
	}
	list := make([]uint16, 0, len(line)-1)
	for i := 1; i < len(line); i++ {
		list = append(list, uint16(line[i-1])<<8|uint16(line[i]))
	}
	slices.Sort(list)
	return list
}

// likeness is twice what two lines have in common, over all that they have.
func likeness(a, b []uint16) float32 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			common++
			i, k = i+1, k+1
		case a[i] < b[k]:
			i++
		default:
			k++
		}
	}
	return float32(2*common) / float32(len(a)+len(b))
}
