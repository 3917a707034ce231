package agents

import (
	"context"
	"io"
	"time"

	"overturn/model"
)

// Capability is what an agent's conversation allows, known without looking at one.
type Capability struct {
	Supported bool
	Closed    bool   // the agent's program must not be open on the conversation
	NewID     bool   // what is left goes on as a conversation of its own, the old one stays
	How       string // by what means, in a few words
	Why       string // why not, where it is not supported
}

// Liveness is what is known of the program that ran the newest turn.
type Liveness string

// The states of that program.
const (
	LiveUnknown Liveness = ""
	LiveOpen    Liveness = "open"
	LiveGone    Liveness = "gone"
)

// TalkTurn is one turn as a conversation knows it.
type TalkTurn struct {
	Number    int
	TurnID    string // the agent's own key of the turn, "" where it has none
	MessageID string
	Prompt    string
	StartedAt time.Time
	EndedAt   time.Time // zero: not known
}

// Talk names a conversation and the turns that are to leave it. Drop is never empty
// and is the end of the conversation, oldest first, as far as it was recorded.
type Talk struct {
	ID         model.ID // of the revert: the same at every repetition
	Session    string   // the agent's own id of the conversation
	Transcript string   // where the agent's hooks said that it lies, "" where they did not
	Root       string   // of the work tree that the turns were recorded in
	Getenv     func(string) string
	Live       Liveness
	Keep, Drop []TalkTurn
	Keepsakes  string // folder for copies of what is replaced, on a disk that lasts; may be missing for Check
}

// Standing is what Check found: the conversation is there and can be taken back.
type Standing struct {
	Done    bool   // the turns are gone already
	Turns   int    // of Drop that were found
	More    int    // prompts behind them that were not recorded, and go along
	Version string // of the agent's program or of the conversation's format, where it tells
	Mode    string // of the conversation, where the agent has several
	Note    string // what the user should know before he confirms, "" for nothing
}

// TalkFile is one file of a conversation that was replaced or made.
type TalkFile struct {
	Path   string `json:"path"`
	Copy   string `json:"copy,omitempty"`   // the bytes before; "" where the file was made
	Before string `json:"before,omitempty"` // SHA-256 of them
	After  string `json:"after"`            // SHA-256 of what was written
}

// TalkDone is what Rollback did; it is journalled, and Restore takes it.
type TalkDone struct {
	Session string     `json:"session"`
	Turns   int        `json:"turns"`            // that left the conversation
	NewID   string     `json:"new_id,omitempty"` // under which it goes on
	Mark    string     `json:"mark,omitempty"`   // the agent's own, by which Restore knows what it did
	Files   []TalkFile `json:"files,omitempty"`
	Note    string     `json:"note"` // what was done, and what to type next
}

// Conversation is an agent's conversation as it can be taken back. No method
// prints, asks or touches a file of the work tree. An error that a person can do
// something about is a *model.Error: CodeRefused where the conversation is open, has
// other turns than were recorded or has gone on, CodeFailed where the agent, its
// program or its format is not as expected.
type Conversation interface {
	Capability() Capability
	// Check looks whether Rollback would do, and writes nothing. nil error: it would.
	Check(ctx context.Context, run Runner, t Talk) (Standing, error)
	// Rollback takes the turns of t.Drop, and what came after them, out of the
	// conversation, and reads back that they are gone. It may be run again after it
	// was cut short or was done: then it says the same once more.
	Rollback(ctx context.Context, run Runner, t Talk) (TalkDone, error)
	// Restore undoes a Rollback as far as the agent allows, and says in note what
	// became of it. It may be run again. An error: the conversation is as Rollback left it.
	Restore(ctx context.Context, run Runner, t Talk, d TalkDone) (note string, err error)
}

// Unsupported is a conversation that cannot be taken back, and why.
func Unsupported(why string) Capability { return Capability{Why: why} }

// CapabilityOf is what a's conversation allows.
func CapabilityOf(a Agent) Capability {
	switch c := a.(type) {
	case Conversation:
		return c.Capability()
	case interface{ Capability() Capability }:
		return c.Capability()
	}
	return Unsupported(a.Name() + " has no way to take its conversation back from outside")
}

// Program is an agent's program as it is to be started.
type Program struct {
	Name string   // looked up in PATH
	Args []string //
	Dir  string   // folder it stands in
	Env  []string // added to the environment, NAME=value
}

// Runner starts programs of agents. os/exec is fenced off from this room, so it is
// handed in.
type Runner interface {
	// Start starts p with pipes, in a process group of its own that is killed when ctx
	// ends. A program that is not there is an error of kind CodeFailed that says so.
	Start(ctx context.Context, p Program) (Running, error)
}

// Running is a program that was started. Close must be called.
type Running interface {
	io.Writer     // its standard input
	io.Reader     // its standard output
	Said() string // the end of what it wrote to standard error so far
	Close() error // closes standard input, waits a short while for the end, then kills the group
}

// Caveat is what no conversation rollback does; it goes with every note.
const Caveat = "What the model's provider has stored, billed or cached is not taken back."
