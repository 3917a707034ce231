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
	Newest model.ThreadID // the thread with the newest turn here
	Others int            // threads besides this one
	Agent  string
	Title  string
	Turns  []Turn // the newest ones, oldest first, numbers ascending
	AllOut bool   // there were turns, and reverts took out all of them
	Older  int    // how many there are before these

	Running []Turn  // open turns of this work tree, of any thread
	Queued  *Queued // a take-back that waits for turns to end, or nil

	Hooks       []Hook // agents found on this machine
	Staged      []Staged
	Interrupted *Interrupted // a rollback that was cut short, or nil
	Damage      string       // what is broken in the records, in one sentence, or ""
}

// Thread is one conversation of an agent, for the list that a thread is picked from.
type Thread struct {
	ID       model.ThreadID
	Agent    string
	WorkTree string
	Title    string // the first words of its first prompt
	Turns    int
	LastAt   time.Time
	Source   string // the program that recorded it, "" for overturn
}

// Turn is one cell of the timeline.
type Turn struct {
	Thread       model.ThreadID
	Agent        string
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

// Hook tells whether an agent that was found here, or has hooks here, records its turns.
// Untrusted hooks are in place, and do not run before the user said so to the agent.
type Hook struct {
	Agent                string
	Installed, Untrusted bool
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

// Queued is a take-back that was confirmed while turns were open.
type Queued struct {
	ID    string // tells it from others
	Paths int
	For   string // the turns that it waits for, in words
	Open  bool   // one of them is still open
}

// Interrupted is a rollback that a crash or a kill cut short.
type Interrupted struct {
	ID        model.ID
	StartedAt time.Time
	Done, Of  int
}
