package objects

import (
	"errors"
	"time"

	"overturn/model"
)

// ErrNotFound says that no object database of the repository holds the object.
var ErrNotFound = errors.New("object not found")

// The git modes of tree entries.
const (
	ModeTree    uint32 = 0o040000
	ModeFile    uint32 = 0o100644
	ModeExec    uint32 = 0o100755
	ModeLink    uint32 = 0o120000
	ModeGitlink uint32 = 0o160000
)

// The object types.
const (
	TypeBlob   = "blob"
	TypeTree   = "tree"
	TypeCommit = "commit"
	TypeTag    = "tag"
)

// TreeEntry is one name in a tree.
type TreeEntry struct {
	Mode uint32
	Name string // raw bytes, without slashes
	OID  string
}

// IsTree tells whether the entry is a folder.
func (e TreeEntry) IsTree() bool { return e.Mode == ModeTree }

// TreeChange is a path that differs between two trees; the side where it is
// absent has mode 0 and id "". Folders do not appear, what is in them does.
type TreeChange struct {
	Path             model.Path
	OldMode, NewMode uint32
	OldOID, NewOID   string
}

// Change is what became of the path, renames apart.
func (c TreeChange) Change() model.Change {
	const typeBits = 0o170000
	switch {
	case c.OldOID == "":
		return model.Added
	case c.NewOID == "":
		return model.Deleted
	case c.OldMode&typeBits != c.NewMode&typeBits:
		return model.Retyped
	case c.OldOID == c.NewOID:
		return model.ModeOnly
	}
	return model.Modified
}

// Signature is who and when. When is kept to the second, with its zone.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Commit is a commit object. Message is everything behind the blank line that
// ends the header. Headers that have no field here are dropped when read.
type Commit struct {
	Tree      string
	Parents   []string
	Author    Signature
	Committer Signature
	Message   string
}

// notFound names the object that is missing.
func notFound(oid string) error {
	return model.Failf(ErrNotFound, "object %s", oid).WithHint("run git fsck; a clone or another copy of the repository may still hold it")
}

// damaged is an object that is there and cannot be used.
func damaged(oid string, cause error) error {
	return model.Failf(cause, "object %s is damaged", oid).WithHint("run git fsck; a clone or another copy of the repository may still hold it")
}
