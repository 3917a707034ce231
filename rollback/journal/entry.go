package journal

import (
	"fmt"
	"time"

	"overturn/model"
)

// Version is the format that is written. Files of a newer one are *Damaged to
// this program: it must not settle what it cannot read.
const Version = 1

// Type names a line.
type Type string

// The lines, in the order in which an undisturbed rollback writes them.
const (
	TypePrepared Type = "prepared" // the whole plan; nothing is written yet
	TypeBeside   Type = "beside"   // every new file lies beside its target, durable
	TypeSwapped  Type = "swapped"  // target N was replaced and what came out was as expected
	TypeBack     Type = "back"     // target N was put back
	TypeRemoved  Type = "removed"  // folders that were empty went
	TypeIndex    Type = "index"    // the entries of the index were moved
	TypeApplied  Type = "applied"  // every target is done and durable
	TypeTalking  Type = "talking"  // of a revert: the conversation is being taken back
	TypeTalked   Type = "talked"   // of a revert: what became of the conversation: Talked
	TypeRefs     Type = "refs"     // of a revert: the refs of its turns were moved
	TypeTurns    Type = "turns"    // of a revert: its turns left the thread, or came in again
	TypeRecover  Type = "recover"  // a later start settles it: Way
	TypeTidied   Type = "tidied"   // what lay beside is tidied up; the settling writes its own, then "beside"
	TypeDone     Type = "done"     // how it ended: Result
	TypeEnd      Type = "end"      // the last line
)

// Kinds of entries.
const (
	KindRollback = "rollback"
	KindUndo     = "undo"
	KindRedo     = "redo"
	KindRevert   = "revert"
	KindDamaged  = "damaged" // of history: the file cannot be read
)

// Ways to settle an interrupted entry.
const (
	WayFinish = "finish"
	WayUnwind = "unwind"
)

// Target is a target of the plan with the blobs that hold its raw bytes, ""
// where nothing stood or stands. Of a link they hold the text.
type Target struct {
	Target model.Target `json:"target"`
	Before string       `json:"before"`
	After  string       `json:"after"`
}

// IndexEntry is a stage-0 entry of the index; both fields are "" when there is none.
type IndexEntry struct {
	Mode string `json:"mode"`
	OID  string `json:"oid"`
}

// IndexChange moves one entry of the index from one value to another.
type IndexChange struct {
	Path     model.Path
	From, To IndexEntry
}

// Folder is a folder with its permission bits, 0 where the umask decides.
type Folder struct {
	Path model.Path
	Perm uint32
}

// Prepared is all that a rollback is about to do.
type Prepared struct {
	ID          model.ID            `json:"id"`
	Kind        string              `json:"kind"`
	Of          model.ID            `json:"of,omitempty"`  // the entry that an undo or redo takes back
	Why         string              `json:"why,omitempty"` // the user's reason
	At          time.Time           `json:"at"`
	Pid         int                 `json:"pid"`
	Fingerprint string              `json:"fingerprint"`
	Patch       string              `json:"patch"` // blob of the normalised patch that was confirmed
	Scopes      []string            `json:"scopes"`
	Base        model.ResultBase    `json:"base"`
	Safety      string              `json:"safety"`        // ref of the safety snapshot
	SafetyOID   string              `json:"safety_commit"` // what that ref pointed at
	Targets     []Target            `json:"targets"`
	Index       []IndexChange       `json:"index"`
	Make        []Folder            `json:"make"`   // folders that will be made, outermost first
	Remove      []Folder            `json:"remove"` // folders that go when they are empty
	Kept        []model.Noted       `json:"kept"`
	Skipped     []model.Noted       `json:"skipped"`
	Domains     []model.DomainCover `json:"domains"`
	Residual    []model.Effect      `json:"residual"`
	Staged      string              `json:"staged,omitempty"` // SHA-256 of the file of the staged set that is carried out
	Revert      *Revert             `json:"revert,omitempty"`
}

// Record is one line.
type Record struct {
	Version  int           `json:"v"`
	Type     Type          `json:"type"`
	At       time.Time     `json:"at,omitzero"`
	N        int           `json:"n,omitempty"`
	Way      string        `json:"way,omitempty"`
	Folders  []Folder      `json:"folders,omitempty"`
	Prepared *Prepared     `json:"prepared,omitempty"`
	Result   *model.Result `json:"result,omitempty"`
	Talked   *Talked       `json:"talked,omitempty"`
}

// Entry is what the lines of one file add up to.
type Entry struct {
	Prepared
	Beside  bool
	Tidied  bool
	Swapped map[int]bool // by index in Targets
	Removed []Folder
	Indexed bool
	Applied bool
	Talking bool          // the conversation was begun to be taken back
	Talked  *Talked       // the last that was said of the conversation
	Way     string        // of the last attempt to settle it, "" when there was none
	Result  *model.Result // nil until it is done
	Ended   bool
}

// Damaged says that a journal cannot be read. Nothing may be written over what
// it may describe; the bytes from before are held by its safety snapshot.
type Damaged struct {
	ID   model.ID
	File string
	Err  error
}

func (d *Damaged) Error() string { return fmt.Sprintf("the journal %s is damaged: %v", d.File, d.Err) }

func (d *Damaged) Unwrap() error { return d.Err }
