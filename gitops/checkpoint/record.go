package checkpoint

import (
	"time"

	"overturn/model"
)

// Schema is what metadata.json names itself.
const Schema = "overturn.checkpoint/1"

// The format families; the policy ref gates on them.
const (
	FormatRefs   = "refs-v1"
	FormatBranch = "branch-v1"
)

// FormatOf is the format that a backend of the given type writes.
func FormatOf(backend string) string {
	if backend == TypeBranch {
		return FormatBranch
	}
	return FormatRefs
}

// Record is one checkpoint. Turn.Checkpoint is its id. Times are UTC; Turn's
// effects are those of effects.json.
type Record struct {
	Format string
	Turn   model.Turn

	// Repository is the id of the clone that recorded the turn, a ULID in lower case:
	// threads of two clones may have one name. "" in older records. What came from
	// elsewhere may be any text.
	Repository string

	Evidence []byte // evidence.jsonl
	Changes  []byte // raw changes, NUL-terminated (see the package comment)

	// Transcript is the turn's part of the agent's own transcript, in the agent's
	// form; it comes later than the rest, as Attribution does (nil: not yet).
	Transcript  []byte
	Attribution *Attribution

	// Tip is the commit that the record was read from, "" for one not yet stored.
	Tip string

	// Snapshots are the trees of the turn's boundaries, where the user shares them.
	Snapshots Snapshots

	// Backend is the type of the store that the record was read from, and Fallback why
	// it was not the one that is asked first; both are "" for one not yet stored, and
	// no part of it.
	Backend  string
	Fallback string

	unknown map[string]rawJSON // fields of metadata.json that this version does not know
}

// Snapshots are ids of trees: the work tree at the start of a turn and at its end, ""
// where it was not captured or is not shared. In a record's tree they are the folders
// snapshots/start and snapshots/end, so that what has the record has them.
type Snapshots struct{ Start, End string }

// Attribution is who owned the turn's changes when somebody reviewed it: the verdict
// that was derived then, for readers who lack the snapshots it follows from.
type Attribution struct {
	At    time.Time          `json:"at"`
	Files []model.FileChange `json:"files"`
}

// ID is the id of the checkpoint.
func (r *Record) ID() model.ID { return r.Turn.Checkpoint }

// Info is a row of a list: what is known without reading the record.
type Info struct {
	ID     model.ID
	Ref    string    // that holds it; that of the branch backend holds all of its records
	Commit string    // its newest commit; "" when the backend has none
	At     time.Time // when its turn began; zero where only the contents could tell and they cannot be read
	Type   string    // of the backend that has it
}

// Where names the place of a record among the refs: its own ref, or its folder on the
// branch that holds it, as git spells a path in a commit; "" where it is in no ref.
func (i Info) Where() string {
	if i.Ref == BranchRef {
		return BranchRef + ":" + string(i.ID[:2]) + "/" + string(i.ID[2:])
	}
	return i.Ref
}
