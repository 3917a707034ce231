package review

import (
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/ownership"
)

// SideName picks one of the two sides of a change set.
type SideName int

// The sides.
const (
	BaseSide   SideName = iota // the base: the scope's first state
	TargetSide                 // the target: the scope's last state
)

// Side is one of the two states that a comparison compares.
type Side struct {
	Label   string      // for people: "turn 3, end", "HEAD", "present"
	Ref     string      // ref of the snapshot, or the branch that the base came from; may be ""
	Commit  string      // snapshot commit, or the project's commit; "" for the present or an unborn HEAD
	Tree    string      // never "": the empty tree where there is nothing
	Present bool        // captured from the disk for this comparison
	Head    gitops.Head // where HEAD was at this side; zero for a project commit
	At      time.Time   // of a snapshot: when it was captured

	kept *kept // what a snapshot keeps beside its tree; nil for a project commit
}

// kept is what a snapshot has beside its tree: ids of raw bytes, permission bits
// other than 644 and 755, the tree of the user's index, what was left out, which
// folders were empty.
type kept struct {
	raw     map[model.Path]string
	perm    map[model.Path]uint32
	index   string
	leftOut []model.Noted
	empty   []model.Path // folders that held nothing at all
	turned  []model.Path // stood there when git began or ceased to ignore them

	submodules []model.Path
}

// Entry is what stands at a path on one side. Mode is six octal digits with all
// permission bits. OID is the blob as git stores it, or the commit of a gitlink;
// RawOID, where not "", the blob of the bytes as they were on disk.
type Entry struct {
	Kind   model.Kind
	Mode   string
	OID    string
	RawOID string
}

// File is one row of a change set. Committed and Uncommitted are told for the
// scopes that end at the present: changed between the base and HEAD, between HEAD and
// the disk; Staged, that the index differs from HEAD. Note says why a row cannot be
// acted on, "" where it can.
type File struct {
	Path        model.Path
	Old, New    Entry
	Change      model.Change
	OldPath     model.Path // in the rename view only
	Similarity  int        // of a renamed row, per cent: 100 where the content is the same
	Committed   bool
	Uncommitted bool
	Staged      bool
	Note        string
}

// ReadOnly tells whether the row is shown and can never be taken back: a gitlink
// on either side.
func (f *File) ReadOnly() bool {
	return f.Old.Kind == model.KindGitlink || f.New.Kind == model.KindGitlink
}

// ChangeSet is a comparison. Everything but Files stands before the first file is
// handed out by CompareFunc; Files stands when Compare or CompareFunc returned. It is
// not changed afterwards, and safe for several goroutines.
type ChangeSet struct {
	Scope     model.Scope    // resolved: a turn, a range, working or branch
	Asked     model.Scope    // as it was asked for
	Thread    model.ThreadID // the thread whose agent's changes may be staged; "" when there is none
	WorkTree  string         // where the turns were recorded, or the present one
	Foreign   bool           // recorded in another work tree: shown, never staged
	Turns     []int          // turns within the scope, in order
	Base      Side
	Target    Side
	BaseFrom  string // of a branch scope: how the base was found, for people
	HeadMoved bool   // HEAD differs between the sides of a turn scope
	Plain     bool   // both sides are boundaries that another program recorded
	Files     []*File
	LeftOut   []model.Noted // seen and not taken at either side: never a row
	Moved     []model.Noted // of LeftOut, between snapshots: what came, or went, in between

	last     lastDiff
	order    *ownerIndex
	lines    *lineIndex
	converts *conversions
	staged   *indexLine
	outside  outside           // neither side vouches for these paths: never a row
	unsure   outside           // rows against a commit of the project that nobody is known to have made
	by       ownership.Verdict // where Plain: who made all of it
}

// Resolved is a scope with all that was implicit in it spelt out.
type Resolved struct {
	Scope    model.Scope
	Thread   *model.Thread // nil where nothing is recorded
	Latest   int           // number of its newest turn, 0 when none
	Turns    []int         // turns within the scope
	BaseFrom string        // of a branch scope: how the base was found

	base, target end
}

// HunkOwner is the owner of one hunk of the exact comparison; Number 0 is the
// file's change of mode. Thread is the agent's, Turns are those with a part in it.
type HunkOwner = ownership.Hunk

// FileOwners is the owner of a file, and of each of its hunks.
type FileOwners = ownership.File
