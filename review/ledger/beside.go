package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"overturn/gitops/snapshot"
	"overturn/model"
)

// besideOf is a digest of what a snapshot keeps beside its tree. Two captures
// with one tree and one digest are the same state, and need one snapshot only.
func besideOf(s *snapshot.Stored) string {
	h := sha256.New()
	fmt.Fprintf(h, "index %s\n", s.IndexTree)
	for _, u := range s.Unmerged {
		fmt.Fprintf(h, "unmerged %q %d %o %s\n", u.Path, u.Stage, u.Mode, u.OID)
	}
	for _, p := range slices.Sorted(maps.Keys(s.Raw)) {
		fmt.Fprintf(h, "raw %q %s\n", p, s.Raw[p])
	}
	for _, p := range slices.Sorted(maps.Keys(s.Perm)) {
		fmt.Fprintf(h, "perm %q %o\n", p, s.Perm[p])
	}
	for _, n := range s.LeftOut {
		fmt.Fprintf(h, "left out %q %q\n", n.Path, n.Reason)
	}
	for _, p := range s.Empty {
		fmt.Fprintf(h, "empty %q\n", p)
	}
	for _, p := range s.Turned {
		fmt.Fprintf(h, "turned %q\n", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// asStored is a capture as it will be read back from the given commit.
func asStored(s *snapshot.Snapshot, commit string) *snapshot.Stored {
	return &snapshot.Stored{
		Commit: commit, Tree: s.Tree, Head: s.Head, Operation: s.Operation, CapturedAt: s.CapturedAt.UTC(), Inventory: s.Inventory,
		LeftOut: s.LeftOut, IndexTree: s.IndexTree, Unmerged: s.Unmerged, Raw: s.Raw, Perm: s.Perm, Empty: s.Empty, Turned: s.Turned,
	}
}

// keptTrees names the trees of a turn's moments for the end snapshot, which keeps
// them from gc. Each tree once; not those that the boundaries hold anyway, and
// not one that is gone already.
func (p *pass) keptTrees(ctx context.Context, t *turnFile, lines []evidenceLine) (map[string]string, error) {
	seen := map[string]bool{p.snap.Tree: true}
	if t.Turn.Start != nil {
		seen[t.Turn.Start.Tree] = true
	}
	kept := map[string]string{}
	for _, line := range lines {
		if line.Tree == "" || seen[line.Tree] {
			continue
		}
		seen[line.Tree] = true
		there, err := p.l.d.Objects.Has(ctx, line.Tree)
		if err != nil {
			return nil, err
		}
		if there {
			kept[fmt.Sprintf("moment-%04d/", len(kept)+1)] = line.Tree
		}
	}
	return kept, nil
}

// permList spells the unusual permission bits for the local file.
func permList(perm map[model.Path]uint32) []model.Noted {
	var list []model.Noted
	for _, p := range slices.Sorted(maps.Keys(perm)) {
		list = append(list, model.Noted{Path: p, Reason: strconv.FormatUint(uint64(perm[p]), 8)})
	}
	return list
}

// unionNoted joins two lists by path; the newer reason wins.
func unionNoted(old, new []model.Noted) []model.Noted {
	byPath := map[model.Path]model.Noted{}
	for _, n := range slices.Concat(old, new) {
		byPath[n.Path] = n
	}
	var list []model.Noted
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		list = append(list, byPath[p])
	}
	return list
}

// linesJSON is evidence as a file holds it.
func linesJSON(lines []evidenceLine) []byte {
	var out []byte
	for _, line := range lines {
		if data, err := json.Marshal(line); err == nil {
			out = append(append(out, data...), '\n')
		}
	}
	return out
}
