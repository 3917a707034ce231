package snapshot

import (
	"time"

	"overturn/gitops"
	"overturn/model"
)

// InventoryLimit is how many paths each list of an inventory holds at most;
// Inventory.More counts the rest. It is for people to read, and each turn writes two
// of them: beside 100,000 untracked files 50 turns must not write megabytes.
const InventoryLimit = 100

// LeftOutLimit is how many paths LeftOut of a stored snapshot holds at most. What is on
// it is never deleted.
const LeftOutLimit = 1000

// Unmerged is one stage of a path that a merge left open.
type Unmerged struct {
	Path  model.Path
	Stage int // 1 base, 2 ours, 3 theirs
	Mode  uint32
	OID   string
}

// Snapshot is a work tree as one Capture saw it. Its objects are in the writer
// that Capture was given; nothing is published yet.
type Snapshot struct {
	Tree       string // root tree: what git add would have stored
	Head       gitops.Head
	Operation  string // merge, rebase, cherry-pick, revert, bisect, am, or ""
	CapturedAt time.Time
	Inventory  model.Inventory

	// LeftOut lists what was seen and not captured. A path may be a folder: all
	// below it is left out. Where a path was tracked, Tree holds what the user's
	// index says, so that it never reads as deleted.
	LeftOut []model.Noted
	// Notes are paths that were captured, but not in git's way: for example raw
	// because their filter failed.
	Notes []model.Noted

	IndexTree string // tree of the user's index, "" while it is unmerged
	Unmerged  []Unmerged
	Raw       map[model.Path]string // blob of the bytes on disk, of exactly the files whose blob in Tree holds others
	Perm      map[model.Path]uint32 // permission bits of files, where other than 644 and 755

	// Empty lists folders that hold nothing at all: trees cannot say that they are
	// there.
	Empty []model.Path

	// Turned lists files, and folders that git ignores, that stood there when git
	// began or ceased to ignore them; see Unsure.
	Turned []model.Path

	besides string // tree of the index, our side where it is unmerged
	rawTree string // of Raw, where it is stored already
	save    func(commit, rawTree string) error
}

// Published tells that commit, which WriteCommit made of s, was flushed and is
// held by a ref: the next capture starts from here. An error is no harm to the
// snapshot; the next capture only costs more.
func (s *Snapshot) Published(commit string) error {
	if s.save == nil {
		return nil
	}
	save := s.save
	s.save = nil
	return save(commit, s.rawTree)
}

// Discarded tells that s will not be published. What was learnt is kept, but the
// next capture asks of every new object whether it is there.
func (s *Snapshot) Discarded() error { return s.Published("") }

// Trailers name the boundary that a snapshot commit is of.
type Trailers struct {
	Thread   model.ThreadID
	Turn     int
	Boundary string            // "start", "end", "safety" …
	Extra    map[string]string // further trailers: token to one line of text
}

// Stored is a snapshot read back from its commit.
type Stored struct {
	Commit      string
	Tree        string
	Trailers    Trailers
	Head        gitops.Head
	Operation   string
	CapturedAt  time.Time
	Inventory   model.Inventory
	LeftOut     []model.Noted
	Notes       []model.Noted
	IndexTree   string
	Unmerged    []Unmerged
	Raw         map[model.Path]string
	Perm        map[model.Path]uint32
	Empty       []model.Path
	Turned      []model.Path
	Attachments map[string]string // name to blob or tree

	objs reader
}

// Entry is what a snapshot holds at a path.
type Entry struct {
	Kind   model.Kind
	Mode   string // six octal digits, all permission bits as on disk
	OID    string // as in the tree, "" when absent
	RawOID string // blob of the bytes that were on disk: OID, unless git stores others
}
