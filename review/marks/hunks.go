package marks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"overturn/model"
	"overturn/model/anchor"
	"overturn/review/patch"
)

// OfHunks is the exact hunks of a comparison, in their order, as what can be read: the
// same ones however they are shown. Of several that change the same, each is known by
// the lines around it too: who read one has not read the others.
func OfHunks(path model.Path, d *patch.Diff) []Change {
	hunks := d.Exact()
	list, same := make([]Change, len(hunks)), make(map[string]int, len(hunks))
	for i, h := range hunks {
		list[i] = ofHunk(path, d, h)
		same[list[i].Hash]++
	}
	nth := map[string]int{}
	for i, h := range hunks {
		if same[list[i].Hash] < 2 {
			continue
		}
		sum := sha256.New()
		fmt.Fprintf(sum, "twin\x00%s\x00%s", list[i].Hash, around(d.New, h))
		key := hex.EncodeToString(sum.Sum(nil))
		if nth[key]++; nth[key] > 1 { // what is around is the same too
			fmt.Fprintf(sum, "\x00%d", nth[key])
		}
		list[i].Hash = hex.EncodeToString(sum.Sum(nil))
	}
	return list
}

// around is the lines before and after a hunk on the new side.
func around(now patch.Text, h patch.Hunk) []byte {
	const reach = 3
	var b []byte
	from, to := h.Edits[0].NewFrom, h.Edits[len(h.Edits)-1].NewTo
	for i := max(from-reach, 0); i < min(to+reach, now.Lines()); i++ {
		if i < from || i >= to {
			b = append(append(b, now.Line(i)...), '\n')
		}
	}
	return b
}

func ofHunk(path model.Path, d *patch.Diff, h patch.Hunk) Change {
	edits := make([]anchor.Edit, len(h.Edits))
	for i, e := range h.Edits {
		edits[i] = anchor.Edit(e)
	}
	return Change{Path: path, Hash: anchor.Hash(d.Old, d.New, edits), Text: text(d, h)}
}

// OfWhole is a change that has no lines, such as one of a mode, of a binary or of a
// link, as something that can be read; sides is what tells both of its sides apart
// from all others.
func OfWhole(path model.Path, sides string) Change {
	sum := sha256.Sum256([]byte("whole\x00" + sides))
	return Change{Path: path, Hash: hex.EncodeToString(sum[:])}
}

// text is the changed lines of a hunk, each with its sign.
func text(d *patch.Diff, h patch.Hunk) string {
	var b strings.Builder
	put := func(sign byte, t patch.Text, from, to int) {
		for i := from; i < to && b.Len() < TextLimit; i++ {
			line := t.Line(i)
			b.WriteByte(sign)
			b.Write(line[:min(len(line), TextLimit)])
			b.WriteByte('\n')
		}
	}
	for _, e := range h.Edits {
		put('-', d.Old, e.OldFrom, e.OldTo)
		put('+', d.New, e.NewFrom, e.NewTo)
	}
	s := b.String()
	return s[:min(len(s), TextLimit)]
}
