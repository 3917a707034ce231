package similar

import (
	"cmp"
	"context"
	"path"
	"slices"

	"overturn/model"
)

// MaxSize is the largest file in bytes that is worth a sketch.
const MaxSize = 1 << 20

// least is the similarity from which on two files are one that was renamed: git's own.
const least = 0.5

// File is one that went or came. Files of one Key have the same content.
type File struct {
	Path model.Path
	Key  string
}

// Match is a pair, by the indexes of both; Score is 1 where the content is the same.
type Match struct {
	Gone, Come int
	Score      float64
}

// Reader makes the sketch of a file of a list; nil where it is not to be compared.
type Reader func(ctx context.Context, i int) (*Sketch, error)

// Equal pairs files of one content, those with equal base names first.
func Equal(gone, come []File) []Match {
	byKey := make(map[string][]int, len(gone))
	for i, f := range gone {
		byKey[f.Key] = append(byKey[f.Key], i)
	}
	var list []Match
	went, came := make([]bool, len(gone)), make([]bool, len(come))
	for _, byName := range []bool{true, false} {
		for j, now := range come {
			for _, i := range byKey[now.Key] {
				if !came[j] && !went[i] && (!byName || sameName(gone[i], now)) {
					list = append(list, Match{i, j, 1})
					went[i], came[j] = true, true
				}
			}
		}
	}
	return list
}

func sameName(a, b File) bool { return path.Base(string(a.Path)) == path.Base(string(b.Path)) }

// Pair is Equal, then what is left by similarity, the best pairs first, where no more
// than limit² pairs are to be compared.
func Pair(ctx context.Context, gone, come []File, limit int, before, after Reader) ([]Match, error) {
	list := Equal(gone, come)
	went, came := make([]bool, len(gone)), make([]bool, len(come))
	for _, m := range list {
		went[m.Gone], came[m.Come] = true, true
	}
	left, right := len(gone)-len(list), len(come)-len(list)
	if left == 0 || right == 0 || left*right > limit*limit {
		return list, nil
	}
	old, err := sketches(ctx, went, before)
	if err != nil {
		return nil, err
	}
	now, err := sketches(ctx, came, after)
	if err != nil {
		return nil, err
	}
	found, err := alike(ctx, old, now)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b Match) int {
		same := func(m Match) int {
			if sameName(gone[m.Gone], come[m.Come]) {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(same(b), same(a)))
	})
	for _, m := range found {
		if !went[m.Gone] && !came[m.Come] {
			list = append(list, m)
			went[m.Gone], came[m.Come] = true, true
		}
	}
	return list, nil
}

func sketches(ctx context.Context, taken []bool, read Reader) ([]*Sketch, error) {
	list := make([]*Sketch, len(taken))
	for i := range taken {
		if taken[i] {
			continue
		}
		var err error
		if list[i], err = read(ctx, i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func alike(ctx context.Context, old, now []*Sketch) ([]Match, error) {
	var found []Match
	for j := range now {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range old {
			if score := old[i].similarity(now[j]); score >= least {
				found = append(found, Match{i, j, score})
			}
		}
	}
	return found, nil
}
