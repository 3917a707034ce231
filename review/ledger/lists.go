package ledger

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"

	"overturn/model"
)

// listsName is the end of the name of the file that holds a turn's long lists.
const listsName = ".lists.json"

// shortLists is how many entries of all lists together stay in <n>.json.
const shortLists = 100

// turnLists is what can grow with the size of a turn. Long ones lie in a file of
// their own, so that finding a turn, its state and its boundaries costs the same
// whatever the turn did.
type turnLists struct {
	Files   []model.FileChange `json:"files"`
	LeftOut []model.Noted      `json:"left_out"`
	Start   *model.Inventory   `json:"start,omitempty"`
	End     *model.Inventory   `json:"end,omitempty"`
}

func (l turnLists) entries() int {
	n := len(l.Files) + len(l.LeftOut)
	for _, inv := range []*model.Inventory{l.Start, l.End} {
		if inv != nil {
			n += len(inv.Staged) + len(inv.Unstaged) + len(inv.Untracked) + len(inv.Submodules)
		}
	}
	return n
}

// takeLists takes the lists out of a turn.
func takeLists(t *model.Turn) turnLists {
	l := turnLists{Files: t.Files, LeftOut: t.LeftOut}
	t.Files, t.LeftOut = nil, nil
	for _, side := range []struct {
		b   **model.Boundary
		inv **model.Inventory
	}{{&t.Start, &l.Start}, {&t.End, &l.End}} {
		if *side.b == nil {
			continue
		}
		bare := **side.b
		inv := bare.Inventory
		*side.inv, bare.Inventory = &inv, model.Inventory{}
		*side.b = &bare
	}
	return l
}

// put puts the lists into a turn.
func (l turnLists) put(t *model.Turn) {
	t.Files, t.LeftOut = l.Files, l.LeftOut
	if t.Start != nil && l.Start != nil {
		t.Start.Inventory = *l.Start
	}
	if t.End != nil && l.End != nil {
		t.End.Inventory = *l.End
	}
}

func (d threadDir) listsPath(n int) string {
	return filepath.Join(d.room(n), strconv.Itoa(n)+listsName)
}

// fill completes a turn that was read without its lists. Where their file is gone
// or damaged, the record has them.
func (s *threadState) fill(t *turnFile) {
	if !t.Apart || t.filled || t.Pruned != nil {
		return
	}
	t.filled = true
	var lists turnLists
	data, err := os.ReadFile(s.dir.listsPath(t.Turn.Number))
	if err != nil || json.Unmarshal(data, &lists) != nil {
		whole := s.recover(t.Turn.Number).Turn
		lists = takeLists(&whole)
	}
	lists.put(&t.Turn)
}

// brief is a turn without its lists.
func brief(t model.Turn) model.Turn {
	takeLists(&t)
	return t
}
