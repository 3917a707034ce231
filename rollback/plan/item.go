package plan

import (
	"crypto/sha256"
	"encoding/hex"

	"overturn/model"
	"overturn/review/patch"
)

// Version is what stands at a path: its state and, of a file, its bytes, of a link
// its text, as on disk.
type Version struct {
	State   model.FileState
	Content []byte
}

// Absent is the version of a path at which nothing stands.
func Absent() Version { return Version{State: model.Absent()} }

// New is the version with the given content, whose size and sum it fills in.
func New(kind model.Kind, mode string, content []byte) Version {
	sum := sha256.Sum256(content)
	return Version{
		State:   model.FileState{Kind: kind, Mode: mode, Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])},
		Content: content,
	}
}

func (v Version) is(k model.Kind) bool { return v.State.Kind == k }

// same tells whether the bytes and kinds are equal, whatever the modes.
func (v Version) same(w Version) bool {
	return v.State.Kind == w.State.Kind && v.State.SHA256 == w.State.SHA256 && v.State.Size == w.State.Size
}

// Chosen is what of a scope's change was staged.
type Chosen struct {
	Whole bool            // all of it, kind and existence included; the rest is empty then
	Lines patch.Selection // lines of the exact comparison of First and Last
	Mode  bool            // the change of mode
}

// Item is one path to be worked out. First and Last are what the scope began and
// ended with, Present is what stands there now. Obstacle says why the path cannot
// be touched whatever stands there, "" when it can.
type Item struct {
	Path        model.Path
	Method      model.Method
	Discard     bool // restore: edits that the scope did not make go too
	First, Last Version
	Chosen      Chosen
	Present     Version
	Obstacle    string
}

// Outcome is what becomes of an item. After is Present where nothing is done.
// Conflicts are the stretches that could not be merged: Base lines of the scope's
// last state, Ours of the present.
type Outcome struct {
	Op        model.Op
	Verdict   model.Verdict
	Reason    string // of a conflict or a loss; "" when there is nothing to say
	After     Version
	Conflicts []patch.Conflict
}

// want is the scope's last state without what was chosen.
func (i Item) want() Version {
	if i.Chosen.Whole {
		return i.First
	}
	content := i.Last.Content
	if !i.Chosen.Lines.Empty() {
		d := patch.Compare(i.First.Content, i.Last.Content, patch.Options{})
		content = patch.Without(d, i.Chosen.Lines)
	}
	mode := i.Last.State.Mode
	if i.Chosen.Mode {
		mode = i.First.State.Mode
	}
	return New(i.Last.State.Kind, mode, content)
}
