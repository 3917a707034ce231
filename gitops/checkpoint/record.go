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
	Format   string
	Turn     model.Turn
	Evidence []byte // evidence.jsonl
	Changes  []byte // raw changes, NUL-terminated (see the package comment)

	// Tip is the commit that the record was read from, "" for one not yet stored.
	Tip string

	unknown map[string]rawJSON // fields of metadata.json that this version does not know
}

// ID is the id of the checkpoint.
func (r *Record) ID() model.ID { return r.Turn.Checkpoint }

// Info is a row of a list: what is known without reading the record.
type Info struct {
	ID     model.ID
	Ref    string // that holds it
	Commit string // its newest commit; "" when the backend has none
	At     time.Time
}
