package model

import "encoding/json"

// Change is how a path differs between two states.
type Change string

// The kinds of change. Renames are a view; plans never hold one.
const (
	Added    Change = "added"
	Modified Change = "modified"
	Deleted  Change = "deleted"
	Renamed  Change = "renamed"
	ModeOnly Change = "mode"
	Retyped  Change = "type"
)

// Owner is who made a difference. Evidence is stored; the owner is derived.
type Owner string

// The owners; see CONTRACT, Words. Mixed is a file with hunks of several.
const (
	OwnerAgent   Owner = "agent"
	OwnerUser    Owner = "user"
	OwnerMixed   Owner = "mixed"
	OwnerUnknown Owner = "unknown"
)

// Kind is what stands at a path.
type Kind string

// The kinds of file state. A special file (socket, FIFO, device) or a folder is
// KindOther: never captured, never a target.
const (
	KindAbsent  Kind = "absent"
	KindFile    Kind = "file"
	KindLink    Kind = "link"
	KindGitlink Kind = "gitlink"
	KindOther   Kind = "other"
)

// FileChange is one row of a change set (CONTRACT's FILE). Additions and
// Deletions are -1 where they were not counted.
type FileChange struct {
	Path      Path
	OldPath   Path // of a rename, else ""
	Change    Change
	Additions int
	Deletions int
	Binary    bool
	Owner     Owner
}

type fileChangeWire struct {
	wirePath
	OldPath    string `json:"old_path"`
	OldPathB64 string `json:"old_path_b64,omitempty"`
	Change     Change `json:"change"`
	Additions  int    `json:"additions"`
	Deletions  int    `json:"deletions"`
	Binary     bool   `json:"binary"`
	Owner      Owner  `json:"owner,omitempty"`
}

// UnmarshalJSON is the inverse of MarshalJSON; paths come back to the byte.
func (f *FileChange) UnmarshalJSON(data []byte) error {
	var w fileChangeWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	if err != nil {
		return err
	}
	old, err := wirePath{w.OldPath, w.OldPathB64}.path()
	if err != nil {
		return err
	}
	*f = FileChange{path, old, w.Change, w.Additions, w.Deletions, w.Binary, w.Owner}
	return nil
}

// Noted is a path with the reason why it was left out, kept or skipped.
type Noted struct {
	Path   Path
	Reason string
}

type notedWire struct {
	wirePath
	Reason string `json:"reason"`
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (n *Noted) UnmarshalJSON(data []byte) error {
	var w notedWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*n = Noted{path, w.Reason}
	return err
}
