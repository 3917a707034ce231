package similar

import (
	"bytes"
	"cmp"
	"slices"
)

// Sketch is a file as git's similarity sees it (diffcore-delta.c): pieces that end
// at a newline or after 64 bytes, by hash, with how many bytes each stands for.
type Sketch struct {
	size   int
	pieces []piece // in order of hash
}

type piece struct {
	hash  uint64
	bytes int
}

// pieceLimit is the longest piece, as in git.
const pieceLimit = 64

// New makes the sketch of a content. Lines of text that end in CR LF count as if they
// ended in LF.
func New(data []byte, binary bool) *Sketch {
	s := &Sketch{size: len(data)}
	for len(data) > 0 {
		n := min(len(data), pieceLimit)
		if end := bytes.IndexByte(data[:n], '\n'); end >= 0 {
			n = end + 1
		}
		part := data[:n]
		if !binary && n > 1 && part[n-1] == '\n' && part[n-2] == '\r' {
			part = append(slices.Clone(part[:n-2]), '\n')
		}
		s.pieces = append(s.pieces, piece{fnv1a(part), n})
		data = data[n:]
	}
	slices.SortFunc(s.pieces, func(a, b piece) int { return cmp.Compare(a.hash, b.hash) })
	joined := s.pieces[:0]
	for _, p := range s.pieces {
		if last := len(joined) - 1; last >= 0 && joined[last].hash == p.hash {
			joined[last].bytes += p.bytes
		} else {
			joined = append(joined, p)
		}
	}
	s.pieces = joined
	return s
}

// fnv1a is the 64-bit hash of Fowler, Noll and Vo.
func fnv1a(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// similarity is the share of the larger file that is copied from the other, 0 to 1,
// as git scores it. A nil or empty sketch resembles nothing.
func (s *Sketch) similarity(t *Sketch) float64 {
	if s == nil || t == nil || s.size == 0 || t.size == 0 {
		return 0
	}
	large, small := max(s.size, t.size), min(s.size, t.size)
	if 2*small < large {
		return 0
	}
	copied := 0
	for i, j := 0, 0; i < len(s.pieces) && j < len(t.pieces); {
		switch a, b := s.pieces[i], t.pieces[j]; {
		case a.hash < b.hash:
			i++
		case a.hash > b.hash:
			j++
		default:
			copied += min(a.bytes, b.bytes)
			i, j = i+1, j+1
		}
	}
	return float64(copied) / float64(large)
}
