package rollback

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"overturn/model"
	"overturn/review/patch"
)

// stagedSchema names the format of the staged set's file.
const stagedSchema = "overturn.staged/1"

// stagedSet is what was staged in one work tree, in path order. It refers to
// contents by the ids of blobs that a hidden ref holds.
type stagedSet struct {
	Schema  string        `json:"schema"`
	Scopes  []stagedScope `json:"scopes"`
	Entries []stagedEntry `json:"entries"`
	Kept    []stagedKept  `json:"kept"`

	text []byte // the file that it was read from
}

// stagedScope is a scope that entries come from, as it was resolved.
type stagedScope struct {
	Scope   string         `json:"scope"`
	Thread  model.ThreadID `json:"thread"`
	Effects []model.Effect `json:"effects"`
}

// stagedKept is a path of a scope that stays, or a part of it, with the reason.
type stagedKept struct {
	Scope int         `json:"scope"`
	Kept  model.Noted `json:"kept"`
}

// stagedEntry is one path. What was chosen of it is kept as line ranges of the
// exact comparison, so that it means the same whatever numbers hunks get later.
type stagedEntry struct {
	Path    model.Path     `json:"-"`
	Name    model.Paths    `json:"path"` // Path, as JSON spells it
	Scope   int            `json:"scope"`
	Method  model.Method   `json:"method"`
	Discard bool           `json:"discard_edits"`
	First   stagedSide     `json:"first"`
	Last    stagedSide     `json:"last"`
	Whole   bool           `json:"whole"`
	Mode    bool           `json:"mode"`
	Old     [][2]int       `json:"old_lines"`
	New     [][2]int       `json:"new_lines"`
	Hunks   []int          `json:"hunks"`
	ByLines bool           `json:"by_lines"` // single lines were chosen: the hunks are not whole
	Owner   model.Owner    `json:"owner"`
	Turns   []int          `json:"turns"`
	Thread  model.ThreadID `json:"thread,omitempty"` // that counts Turns
	Lost    string         `json:"lost,omitempty"`   // why the content could not be read; both sides are absent then
	Index   *stagedIndex   `json:"index"`
	Made    model.Paths    `json:"made_folders,omitempty"` // above a created path, that the scope's first state did not have
}

// stagedSide is the path at one end of the scope; Blob is "" where nothing stood.
type stagedSide struct {
	State model.FileState `json:"state"`
	Blob  string          `json:"blob"`
}

// stagedIndex is an index entry that the turn moved.
type stagedIndex struct {
	FirstMode string `json:"first_mode"`
	FirstOID  string `json:"first_id"`
	LastMode  string `json:"last_mode"`
	LastOID   string `json:"last_id"`
}

func (s *stagedSet) encode() ([]byte, error) {
	s.Schema = stagedSchema
	for i := range s.Entries {
		s.Entries[i].Name = model.Paths{s.Entries[i].Path}
	}
	data, err := json.MarshalIndent(s, "", " ")
	return append(data, '\n'), err
}

// decodeStaged reads what encode wrote and refuses all else.
func decodeStaged(data []byte) (*stagedSet, error) {
	s := &stagedSet{}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(s); err != nil {
		return nil, err
	}
	if s.Schema != stagedSchema {
		return nil, fmt.Errorf("its schema is %q, not %q", s.Schema, stagedSchema)
	}
	for i := range s.Entries {
		if err := s.Entries[i].check(len(s.Scopes)); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		if i > 0 && s.Entries[i-1].Path >= s.Entries[i].Path {
			return nil, fmt.Errorf("entry %d is out of order", i)
		}
	}
	for _, scope := range s.Scopes {
		if _, err := model.ParseScope(scope.Scope); err != nil {
			return nil, err
		}
	}
	for _, k := range s.Kept {
		if _, err := model.ParsePath(string(k.Kept.Path)); err != nil || k.Scope < 0 || k.Scope >= len(s.Scopes) {
			return nil, fmt.Errorf("a kept path is broken")
		}
	}
	return s, nil
}

func (e *stagedEntry) check(scopes int) error {
	if len(e.Name) != 1 {
		return fmt.Errorf("no path")
	}
	path, err := model.ParsePath(string(e.Name[0]))
	if err != nil {
		return err
	}
	e.Path = path
	switch {
	case e.Scope < 0 || e.Scope >= scopes:
		return fmt.Errorf("no scope %d", e.Scope)
	case e.Method != model.TakeOut && e.Method != model.Restore:
		return fmt.Errorf("no method %q", e.Method)
	case !checkRanges(e.Old) || !checkRanges(e.New):
		return fmt.Errorf("line ranges are broken")
	case e.Lost != "" && (!e.Whole || e.First.Blob+e.Last.Blob != ""):
		return fmt.Errorf("content that is lost and is not")
	case !e.Whole && !e.Mode && len(e.Old)+len(e.New) == 0:
		return fmt.Errorf("nothing is chosen")
	case !e.Whole && (e.First.State.Kind != model.KindFile || e.Last.State.Kind != model.KindFile):
		return fmt.Errorf("parts of what is no file on both sides")
	}
	for _, folder := range e.Made {
		if !e.Path.Under(folder) || folder == e.Path || folder == "" {
			return fmt.Errorf("a folder that does not hold its path")
		}
	}
	if err := e.First.check(); err != nil {
		return err
	}
	return e.Last.check()
}

func (s stagedSide) check() error {
	switch s.State.Kind {
	case model.KindAbsent:
		if s.Blob == "" && s.State == model.Absent() {
			return nil
		}
	case model.KindFile, model.KindLink:
		if _, err := hex.DecodeString(s.Blob); err == nil && len(s.Blob) >= 40 {
			return nil
		}
	}
	return fmt.Errorf("a side is broken")
}

func checkRanges(list [][2]int) bool {
	at := 0
	for _, r := range list {
		if r[0] < at || r[1] <= r[0] {
			return false
		}
		at = r[1]
	}
	return true
}

func (e *stagedEntry) lines() patch.Selection {
	return patch.Selection{Old: toRanges(e.Old), New: toRanges(e.New)}
}

func (e *stagedEntry) setLines(s patch.Selection) {
	e.Old, e.New = fromRanges(s.Old), fromRanges(s.New)
}

func toRanges(list [][2]int) []patch.Range {
	var out []patch.Range
	for _, r := range list {
		out = append(out, patch.Range{From: r[0], To: r[1]})
	}
	return out
}

func fromRanges(list []patch.Range) [][2]int {
	var out [][2]int
	for _, r := range list {
		out = append(out, [2]int{r.From, r.To})
	}
	return out
}

// find is the index of path among the entries, or where it belongs.
func (s *stagedSet) find(path model.Path) (int, bool) {
	return slices.BinarySearchFunc(s.Entries, path, func(e stagedEntry, p model.Path) int {
		switch {
		case e.Path < p:
			return -1
		case e.Path > p:
			return 1
		}
		return 0
	})
}

// put adds an entry or replaces the one of its path.
func (s *stagedSet) put(e stagedEntry) {
	if i, found := s.find(e.Path); found {
		s.Entries[i] = e
	} else {
		s.Entries = slices.Insert(s.Entries, i, e)
	}
}

// dropKept forgets why paths stay.
func (s *stagedSet) dropKept(drop func(model.Path) bool) {
	s.Kept = slices.DeleteFunc(s.Kept, func(k stagedKept) bool { return drop(k.Kept.Path) })
}

// tidy drops scopes that nothing comes from any more; with no entries all is
// dropped.
func (s *stagedSet) tidy() {
	if len(s.Entries) == 0 {
		*s = stagedSet{}
		return
	}
	renumber := map[int]int{}
	for _, e := range s.Entries {
		renumber[e.Scope] = 0
	}
	var scopes []stagedScope
	for i, scope := range s.Scopes {
		if _, used := renumber[i]; used {
			renumber[i] = len(scopes)
			scopes = append(scopes, scope)
		}
	}
	s.Scopes = scopes
	s.Kept = slices.DeleteFunc(s.Kept, func(k stagedKept) bool { _, used := renumber[k.Scope]; return !used })
	for i := range s.Entries {
		s.Entries[i].Scope = renumber[s.Entries[i].Scope]
	}
	for i := range s.Kept {
		s.Kept[i].Scope = renumber[s.Kept[i].Scope]
	}
}
