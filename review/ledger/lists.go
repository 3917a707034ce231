package ledger

import (
	"bytes"
	"path/filepath"
	"strconv"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/wire"
)

// listsName is the end of the name of the file that holds a turn's very long lists.
const listsName = ".lists.json"

// Where the lists of a turn lie: up to shortLists entries of all of them together in
// the first line of <n>.json, up to listsBelow bytes in its second, which a hook
// writes with the first in one go, and beyond in a file of their own.
const (
	shortLists = 100
	listsBelow = 64 << 10
)

// turnLists is what can grow with the size of a turn. Long ones lie behind the first
// line, so that finding a turn, its state and its boundaries costs the same whatever
// the turn did.
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

// fill completes a turn that was read without its lists. Where they are gone or
// damaged, the record has them.
func (s *threadState) fill(t *turnFile) {
	if !t.Apart || t.filled || t.Pruned != nil {
		return
	}
	t.filled = true
	lists, err := s.dir.lists(t)
	if err != nil {
		whole := s.recover(t.Turn.Number).Turn
		lists = takeLists(&whole)
	}
	lists.put(&t.Turn)
}

// lists reads the lists of a turn that lie behind its first line.
func (d threadDir) lists(t *turnFile) (lists turnLists, err error) {
	var data []byte
	if t.Below {
		data, err = gitops.ReadFile(d.turnPath(t.Turn.Number))
		_, data, _ = bytes.Cut(data, []byte{'\n'})
	} else {
		data, err = gitops.ReadFile(d.listsPath(t.Turn.Number))
	}
	if err == nil {
		err = wire.Into(data, &lists, readLists)
	}
	return lists, err
}

// brief is a turn without its lists.
func brief(t model.Turn) model.Turn {
	takeLists(&t)
	return t
}
