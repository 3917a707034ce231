// Package objects reads and writes git objects in process.
package objects

import (
	"context"
	"errors"
	"time"

	"overturn/gitops"
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
	Name string
	OID  string
}

// TreeChange is a path that differs between two trees; the side where it is
// absent has mode 0 and id "".
type TreeChange struct {
	Path             model.Path
	OldMode, NewMode uint32
	OldOID, NewOID   string
}

// Signature is who and when; When keeps its zone.
type Signature struct {
	Name, Email string
	When        time.Time
}

// Commit is a commit object. Message is without the header's blank line.
type Commit struct {
	Tree      string
	Parents   []string
	Author    Signature
	Committer Signature
	Message   string
}

// Store reads the objects of one repository. It is safe for several goroutines.
type Store struct{ repo *gitops.Repo }

// Open returns the store of repo's objects; it does nothing until it is asked.
func Open(repo *gitops.Repo) *Store { return &Store{repo} }

// Close ends children and closes files.
func (s *Store) Close() error { return nil }

// Read returns an object whole, or ErrNotFound.
func (s *Store) Read(ctx context.Context, oid string) (typ string, data []byte, err error) {
	return "", nil, ErrNotFound
}

// Blob is Read of a blob; another type is an error.
func (s *Store) Blob(ctx context.Context, oid string) ([]byte, error) { return nil, ErrNotFound }

// Size is the length of the object in bytes.
func (s *Store) Size(ctx context.Context, oid string) (int64, error) { return 0, ErrNotFound }

// Has tells whether the object is stored here.
func (s *Store) Has(ctx context.Context, oid string) (bool, error) { return false, nil }

// Tree is Read of a tree, in git's order. The empty tree needs not be stored.
func (s *Store) Tree(ctx context.Context, oid string) ([]TreeEntry, error) { return nil, ErrNotFound }

// Commit is Read of a commit.
func (s *Store) Commit(ctx context.Context, oid string) (Commit, error) { return Commit{}, ErrNotFound }

// Diff lists the paths that differ, recursively, in tree order; "" is the empty tree.
func (s *Store) Diff(ctx context.Context, oldTree, newTree string) ([]TreeChange, error) {
	return nil, ErrNotFound
}

// DiffFunc is Diff as a stream; an error of yield ends it and is returned.
func (s *Store) DiffFunc(ctx context.Context, oldTree, newTree string, yield func(TreeChange) error) error {
	return ErrNotFound
}

// Lookup finds what stands at path below tree; false when nothing does.
func (s *Store) Lookup(ctx context.Context, tree string, path model.Path) (TreeEntry, bool, error) {
	return TreeEntry{}, false, ErrNotFound
}

// Hash is the id that an object has in this repository; nothing is stored.
func (s *Store) Hash(typ string, data []byte) string { return "" }

// EmptyTree is the id of the empty tree in this repository.
func (s *Store) EmptyTree() string { return s.Hash(TypeTree, nil) }

// Writer collects new objects; they are stored and durable when Flush returns.
// It is safe for several goroutines.
type Writer struct{ store *Store }

// NewWriter returns an empty Writer.
func (s *Store) NewWriter() *Writer { return &Writer{s} }

// Write adds an object and returns its id. What is stored already is not
// written again. data is not kept: the caller may change it afterwards.
func (w *Writer) Write(typ string, data []byte) (string, error) { return "", nil }

// WriteTree adds a tree; entries may be in any order.
func (w *Writer) WriteTree(entries []TreeEntry) (string, error) { return "", nil }

// WriteCommit adds a commit.
func (w *Writer) WriteCommit(c Commit) (string, error) { return "", nil }

// Pending is the number of objects that the next Flush will write.
func (w *Writer) Pending() int { return 0 }

// Flush stores what was added; when it returns nil, all of it survives a crash.
// The Writer is empty afterwards and may be used again.
func (w *Writer) Flush(ctx context.Context) error { return nil }
