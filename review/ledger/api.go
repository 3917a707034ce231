package ledger

import (
	"context"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/model/trace"
)

// Deps is what a ledger works with.
type Deps struct {
	Repo      *gitops.Repo
	Objects   *objects.Store
	Refs      *refs.Store
	Snapshots Snapshots
	Records   checkpoint.Store // nil: snapshots are taken all the same and the records wait
	Clock     model.Clock
	IDs       *model.IDSource
	Trace     trace.Recorder // nil: nothing is recorded
	Owners    OwnersFunc     // nil: every path of a turn is the agent's

	// RolledBack tells whether a rollback, undo, redo or revert was begun in this work tree
	// since a moment; nil: none ever is.
	RolledBack func(since time.Time) (bool, error)

	// Refused says why nothing is recorded in this work tree; nil: turns are.
	Refused error

	// ShareSnapshots has records name the trees of their turns, so that these go where
	// the records go.
	ShareSnapshots bool

	// LockWait bounds the wait for the lock of the work tree; 0 is 5 s. The
	// context's own deadline holds as well.
	LockWait time.Duration
}

// Snapshots is what a ledger needs of the capture engine; *snapshot.Engine has it.
type Snapshots interface {
	Capture(ctx context.Context, w *objects.Writer) (*snapshot.Snapshot, error)
	WriteCommit(ctx context.Context, w *objects.Writer, s *snapshot.Snapshot, tr snapshot.Trailers, attachments map[string]string) (string, error)
}

// OwnersFunc says who owns each changed path of a turn, for the summary that the
// turn keeps. A path that it leaves out is the agent's.
type OwnersFunc func(ctx context.Context, span Span, paths []model.Path) (map[model.Path]model.Owner, error)

// Span is a turn between its two trees; StartTree is "" when it was not captured.
type Span struct {
	Thread    model.ThreadID
	Turn      int
	StartTree string
	StartHead string    // commit of HEAD then
	StartAt   time.Time // when StartTree was captured
	EndTree   string
	EndHead   string
	EndAt     time.Time
	Evidence  Evidence
}

// StartEvent opens a turn.
type StartEvent struct {
	Thread       model.ThreadID
	Agent        string
	TurnID       string // the agent's own key of the turn, or ""
	Prompt       string
	RequireClean bool          // dirty: CodeRefused, naming the paths
	ReportsTools bool          // the agent tells of every tool it runs
	ByHook       bool          // when the lock is not to be had, leave the event in the inbox
	At           time.Time     // of the event; zero is now
	PID          model.Process // of the agent; zero: never taken for dead
	Transcript   string        // file that the agent writes its transcript to, a line at a time; "" where it tells of none
}

// EndEvent ends a turn.
type EndEvent struct {
	Thread    model.ThreadID
	Agent     string          // of a turn that had no start
	TurnID    string          // "": the open turn, else the newest
	State     model.TurnState // "" is completed
	MessageID string
	Message   string // the agent's last words; kept as evidence
	ByHook    bool
	At        time.Time
}

// Phase is before or after a tool ran.
type Phase string

// The phases.
const (
	PhasePre  Phase = "pre"
	PhasePost Phase = "post"
	PhaseEnd  Phase = "end" // of a moment: an end of the turn that was moved later

	// Of a moment: what is overturn's own rollback (undo, redo, recovery) while the
	// turn is open, before and after; CallID is its id, Paths what it writes.
	PhaseRolling Phase = "rolling"
	PhaseRolled  Phase = "rolled"
)

// ToolEvent is one tool call of the agent, before or after it ran. Calls need not
// pair up: a call that was refused has no end, another no start.
type ToolEvent struct {
	Thread  model.ThreadID
	TurnID  string
	Phase   Phase
	Tool    string
	CallID  string
	Paths   []model.Path // that the tool says it writes
	Command string
	Failed  bool
	Effect  *model.Effect // that goes with the call and costs no line of its own, nil for none
	At      time.Time
}

// SessionEvent is the start or end of a conversation's run.
type SessionEvent struct {
	Thread model.ThreadID
	Agent  string
	State  model.TurnState // of SessionEnd: how a turn that is open ends; "" is interrupted
	ByHook bool
	At     time.Time
	PID    model.Process
}

// Evidence is what was seen during a turn, as stored; who owns what is derived
// from it.
type Evidence struct {
	Moments       []Moment
	Touched       []model.Path // that the agent's own tools wrote, in order of their names
	ToolsReported bool         // the agent tells of every tool it runs
	Overlaps      []Overlap    // turns of other threads in this work tree at the same time
	Gone          bool         // there was some, and a prune let it go
}

// Moment is one captured state inside a turn, in the order of capture.
type Moment struct {
	At      time.Time // when Tree was captured
	Phase   Phase
	CallID  string
	Tool    string
	Tree    string // "" when it could not be captured
	Paths   []model.Path
	Running int // tool calls under way just after this event
}

// Overlap is a turn of another thread that was open at the same time.
type Overlap struct {
	Thread model.ThreadID `json:"thread"`
	Turn   int            `json:"turn"`
}

// ThreadTurn names a turn.
type ThreadTurn struct {
	Thread model.ThreadID
	Turn   int
}

// ErrDeferred says that an event of a hook waits in the inbox and will be worked
// off by the next event, or by Settle.
var ErrDeferred = model.Errorf(model.CodeLocked, "another recording is under way; the event waits in the inbox")
