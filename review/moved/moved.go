// Package moved finds runs of lines that left one place of a change set and came at
// another: the reader need not read them twice. White space around a line does not
// count, so that a block which was indented anew is found too.
//
// Invariants: pure and deterministic; bounded by the lines that are looked at and by
// the comparisons that are made, never by a clock; a line belongs to one block at most.
// What is found is a hint for the eye and changes no hunk. A crash leaves nothing behind.
package moved

import (
	"bytes"
	"hash/maphash"

	"overturn/model"
	"overturn/review/patch"
)

// File is one file of a change set.
type File struct {
	Path model.Path
	Diff *patch.Diff
}

// Block is the lines [From, To) of one side of a file, from 0, and where they went or
// came from: Line, from 1, of Path.
type Block struct {
	Old      bool
	From, To int
	Path     model.Path
	Line     int
}

// The least that counts as a block: as many lines, and as many letters and digits as
// git's --color-moved wants of one (20): braces and blanks are everywhere.
const (
	leastLines   = 3
	leastLetters = 20
)

// What is looked at, at most.
const (
	maxLines       = 200_000 // changed lines of all files
	maxCandidates  = 24      // places that one line is looked for at
	maxComparisons = 4_000_000
)

// line is one changed line.
type line struct {
	hash uint64
	file int32
	no   int32 // from 0
	edit int32 // counted through the change set
}

// finder holds the changed lines of both sides, in order.
type finder struct {
	files   []File
	seed    maphash.Seed
	gone    []line
	come    []line
	edit    int32
	byHash  map[uint64][]int32 // indexes in come
	taken   []bool             // of come
	budget  int
	results map[model.Path][]Block
}

// Find finds the blocks of each file, in the order of its removed lines. Files that do
// not fit the bounds any more are left out.
func Find(files []File) map[model.Path][]Block {
	f := &finder{files: files, seed: maphash.MakeSeed(), budget: maxComparisons, byHash: map[uint64][]int32{}, results: map[model.Path][]Block{}}
	for i := range files {
		f.add(int32(i))
	}
	for k, l := range f.come {
		if list := f.byHash[l.hash]; len(list) < maxCandidates {
			f.byHash[l.hash] = append(list, int32(k))
		}
	}
	f.taken = make([]bool, len(f.come))
	for i := 0; i < len(f.gone) && f.budget > 0; {
		at, n := f.longest(i)
		if n == 0 {
			i++
			continue
		}
		f.keep(i, at, n)
		i += n
	}
	return f.results
}

func (f *finder) add(i int32) {
	d := f.files[i].Diff
	for _, h := range d.Exact() {
		for _, e := range h.Edits {
			if len(f.gone)+len(f.come)+e.OldTo-e.OldFrom+e.NewTo-e.NewFrom > maxLines {
				return
			}
			for n := e.OldFrom; n < e.OldTo; n++ {
				f.gone = append(f.gone, line{f.hash(d.Old.Line(n)), i, int32(n), f.edit})
			}
			for n := e.NewFrom; n < e.NewTo; n++ {
				f.come = append(f.come, line{f.hash(d.New.Line(n)), i, int32(n), f.edit})
			}
			f.edit++
		}
	}
}

func (f *finder) hash(text []byte) uint64 { return maphash.Bytes(f.seed, bytes.TrimSpace(text)) }

// longest is the longest block that begins at removed line i: where it came, and how
// many lines it has; 0 where there is none worth telling.
func (f *finder) longest(i int) (at, n int) {
	for _, c := range f.byHash[f.gone[i].hash] {
		if k := f.run(i, int(c)); k > n {
			at, n = int(c), k
		}
	}
	if n < leastLines || f.letters(i, n) < leastLetters {
		return 0, 0
	}
	return at, n
}

// run counts the lines that removed lines from i and added lines from k have in common.
func (f *finder) run(i, k int) (n int) {
	a, b := f.gone[i], f.come[k]
	if a.edit == b.edit || f.taken[k] { // across from each other: changed in place
		return 0
	}
	for i+n < len(f.gone) && k+n < len(f.come) && !f.taken[k+n] && f.budget > 0 {
		x, y := f.gone[i+n], f.come[k+n]
		f.budget--
		if x.edit != a.edit || y.edit != b.edit || x.hash != y.hash || !f.same(x, y) {
			break
		}
		n++
	}
	return n
}

func (f *finder) same(x, y line) bool {
	return bytes.Equal(bytes.TrimSpace(f.files[x.file].Diff.Old.Line(int(x.no))), bytes.TrimSpace(f.files[y.file].Diff.New.Line(int(y.no))))
}

// letters counts letters and digits of n removed lines, as far as they matter.
func (f *finder) letters(i, n int) (sum int) {
	for _, l := range f.gone[i : i+n] {
		for _, c := range f.files[l.file].Diff.Old.Line(int(l.no)) {
			if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
				if sum++; sum >= leastLetters {
					return sum
				}
			}
		}
	}
	return sum
}

func (f *finder) keep(i, k, n int) {
	a, b := f.gone[i], f.come[k]
	from, to := f.files[a.file].Path, f.files[b.file].Path
	f.results[from] = append(f.results[from], Block{true, int(a.no), int(a.no) + n, to, int(b.no) + 1})
	f.results[to] = append(f.results[to], Block{false, int(b.no), int(b.no) + n, from, int(a.no) + 1})
	for j := range n {
		f.taken[k+j] = true
	}
}
