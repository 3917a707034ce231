package patch

import (
	"cmp"
	"slices"
	"sort"
)

func nonEmpty(from, to int) []Range {
	if from >= to {
		return nil
	}
	return []Range{{from, to}}
}

// joinRanges is the union of a and b in order, without overlaps or neighbours.
func joinRanges(a, b []Range) []Range {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y Range) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) })
	out := all[:0]
	for _, r := range all {
		switch n := len(out); {
		case r.From >= r.To:
		case n > 0 && r.From <= out[n-1].To:
			out[n-1].To = max(out[n-1].To, r.To)
		default:
			out = append(out, r)
		}
	}
	return out
}

// overlaps is the parts of the ranges that lie in [from,to).
func overlaps(ranges []Range, from, to int) []Range {
	var out []Range
	for _, r := range ranges {
		if lo, hi := max(r.From, from), min(r.To, to); lo < hi {
			out = append(out, Range{lo, hi})
		}
	}
	return out
}

// contains tells whether line lies in one of the ranges, which are in order and
// disjoint.
func contains(ranges []Range, line int) bool {
	i := sort.Search(len(ranges), func(i int) bool { return ranges[i].To > line })
	return i < len(ranges) && ranges[i].From <= line
}
