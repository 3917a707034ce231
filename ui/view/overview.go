package view

import (
	"time"

	"overturn/model"
)

// Overview is the state of the repository and its thread: what the header, the
// timeline, the badges and the empty states need.
type Overview struct {
	Root      string // absolute path of the work tree
	WorkTree  string // "main" or the linked work tree's name
	Branch    string // short name, "" when HEAD is detached
	Head      string // commit id, "" on an unborn branch
	Operation string // merge, rebase, … or ""

	Thread model.ThreadID // "" when no turn was recorded yet
	Agent  string
	Title  string
	Turns  []Turn // the newest ones, oldest first, numbers ascending
	Older  int    // how many there are before these

	Hooks       []Hook // agents found on this machine
	Staged      []Staged
	Interrupted *Interrupted // a rollback that was cut short, or nil
	Undoable    model.ID     // the entry that undo would take back, "" when none
	Redoable    model.ID     // the undo that redo would take back, "" when none
	Damage      string       // what is broken in the records, in one sentence, or ""
}

// Turn is one cell of the timeline.
type Turn struct {
	Number       int
	Prompt       string
	State        model.TurnState
	Status       model.SnapshotStatus
	StatusReason string
	StartedAt    time.Time
	CompletedAt  time.Time // zero while open
	Files        int       // -1 where no summary could be made
	Additions    int
	Deletions    int
	Effects      int // effects recorded
	Irreversible int // of these, the ones that cannot be reversed
}

// Hook tells whether an agent found here records its turns.
type Hook struct {
	Agent     string
	Installed bool
}

// Staged is one path of the staged set.
type Staged struct {
	Path   model.Path
	Scope  string         // as ParseScope reads it
	Thread model.ThreadID // of a scope of turns, else ""
	Hunks  []int          // exact hunk numbers; empty with Lines "" means the whole file
	Lines  string         // the line ranges as --lines takes them, or ""
}

// Of tells whether the path was staged from that very scope: only then do its hunk
// numbers mean anything there.
func (s Staged) Of(scope model.Scope) bool {
	return s.Scope == scope.String() && (s.Thread == scope.Thread || !scope.OfTurns())
}

// Whole tells whether the whole file is staged.
func (s Staged) Whole() bool { return len(s.Hunks) == 0 && s.Lines == "" }

// Interrupted is a rollback that a crash or a kill cut short.
type Interrupted struct {
	ID        model.ID
	StartedAt time.Time
	Done, Of  int
}
