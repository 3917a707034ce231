package model

import (
	"encoding/json"
	"time"
)

// TurnState is how a turn ended, apart from whether its snapshot succeeded.
type TurnState string

// The states of a turn.
const (
	TurnOpen        TurnState = "open"
	TurnCompleted   TurnState = "completed"
	TurnFailed      TurnState = "failed"
	TurnCancelled   TurnState = "cancelled"
	TurnInterrupted TurnState = "interrupted"
	TurnUnknown     TurnState = "unknown"
)

// SnapshotStatus is about the snapshot alone.
type SnapshotStatus string

// The statuses of a snapshot.
const (
	StatusReady   SnapshotStatus = "ready"
	StatusMissing SnapshotStatus = "missing"
	StatusError   SnapshotStatus = "error"
)

// Boundary is a moment at which the work tree was captured (CONTRACT's B).
type Boundary struct {
	Ref        string    `json:"ref"`
	Commit     string    `json:"commit"`
	Tree       string    `json:"tree"`
	Head       string    `json:"head"`                // commit id, "" on an unborn branch
	Branch     string    `json:"branch"`              // full ref name, "" when detached
	Operation  string    `json:"operation,omitempty"` // merge, rebase, cherry-pick, revert, bisect, am
	CapturedAt time.Time `json:"captured_at"`
	Inventory  Inventory `json:"inventory"`
}

// Inventory is what was dirty at a boundary. Lists are paths in tree order, cut
// where they are very long; More counts what was cut off.
type Inventory struct {
	Staged     []Noted     `json:"staged"` // Reason is the change: added, modified, deleted …
	Unstaged   []Noted     `json:"unstaged"`
	Untracked  []Noted     `json:"untracked"`
	Submodules []Submodule `json:"submodules"`
	More       int         `json:"more,omitempty"` // paths that were cut off the lists
}

// Submodule is a gitlink and the commit checked out below it, "" when none is.
type Submodule struct {
	Path Path
	Head string
}

type submoduleWire struct {
	wirePath
	Head string `json:"head"`
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (s *Submodule) UnmarshalJSON(data []byte) error {
	var w submoduleWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*s = Submodule{path, w.Head}
	return err
}

// FileSum is what the files of a turn add up to. Uncounted is how many texts among
// them were too long to be counted: their lines are not in the sum.
type FileSum struct {
	Files     int `json:"files"`
	Additions int `json:"additions"`
	Deletions int `json:"deletions"`
	Uncounted int `json:"uncounted,omitempty"`
}

// SumOf adds up files; nil for nil, which says that nothing is known.
func SumOf(files []FileChange) *FileSum {
	if files == nil {
		return nil
	}
	sum := &FileSum{Files: len(files)}
	for _, f := range files {
		sum.Additions += max(f.Additions, 0)
		sum.Deletions += max(f.Deletions, 0)
		if f.Additions < 0 && !f.Binary {
			sum.Uncounted++
		}
	}
	return sum
}

// Turn is one prompt and all that the agent did until it stopped (CONTRACT's
// TURN). Files is nil where no summary could be made: files may have changed all
// the same.
type Turn struct {
	Thread       ThreadID       `json:"thread"`
	Agent        string         `json:"agent"`
	WorkTree     string         `json:"work_tree"`
	Number       int            `json:"turn"`
	TurnID       string         `json:"turn_id"`
	Prompt       string         `json:"prompt"`
	State        TurnState      `json:"state"`
	Checkpoint   ID             `json:"checkpoint"`
	Status       SnapshotStatus `json:"status"`
	StatusReason string         `json:"status_reason"`
	Ref          string         `json:"ref"`
	Start        *Boundary      `json:"start"`
	End          *Boundary      `json:"end"`
	Base         string         `json:"base"` // HEAD's commit at the start
	HeadMoved    bool           `json:"head_moved"`
	MessageID    string         `json:"message_id"`
	StartedAt    time.Time      `json:"started_at"`
	CompletedAt  *time.Time     `json:"completed_at"`
	Files        []FileChange   `json:"files"`
	Sum          *FileSum       `json:"-"` // where Files was left out, what it adds up to; nil when that is not known
	LeftOut      []Noted        `json:"left_out"`
	Effects      []Effect       `json:"effects"`
}

// Effect is something a turn did outside the files that snapshots cover.
type Effect struct {
	Domain       Domain     `json:"domain"`
	Summary      string     `json:"summary"`
	Reversible   Reversible `json:"reversible"`
	Compensation string     `json:"compensation"`
	Identity     string     `json:"identity"`
	At           time.Time  `json:"at"`
}

// Reversible says whether something can be taken back.
type Reversible string

// The answers.
const (
	ReversibleYes     Reversible = "yes"
	ReversibleNo      Reversible = "no"
	ReversibleUnknown Reversible = "unknown"
)

// Domain is a kind of state.
type Domain string

// The domains of CONTRACT, Words.
const (
	DomainTracked     Domain = "tracked"
	DomainUntracked   Domain = "untracked"
	DomainIgnored     Domain = "ignored"
	DomainModes       Domain = "modes"
	DomainIndex       Domain = "index"
	DomainCommits     Domain = "commits"
	DomainSubmodules  Domain = "submodules"
	DomainOutside     Domain = "outside"
	DomainProcesses   Domain = "processes"
	DomainPackages    Domain = "packages"
	DomainPublication Domain = "publication"
	DomainContainers  Domain = "containers"
	DomainDatabases   Domain = "databases"
	DomainNetwork     Domain = "network"
	DomainMessages    Domain = "messages"
	DomainCredentials Domain = "credentials"
	DomainOther       Domain = "other"
)

// Domains lists every domain in CONTRACT's order.
func Domains() []Domain {
	return []Domain{DomainTracked, DomainUntracked, DomainIgnored, DomainModes, DomainIndex, DomainCommits,
		DomainSubmodules, DomainOutside, DomainProcesses, DomainPackages, DomainPublication, DomainContainers,
		DomainDatabases, DomainNetwork, DomainMessages, DomainCredentials, DomainOther}
}

// Thread is one conversation of one agent in one work tree, for lists.
type Thread struct {
	ID       ThreadID  `json:"thread"`
	Agent    string    `json:"agent"`
	WorkTree string    `json:"work_tree"`
	Title    string    `json:"title"` // first words of the first prompt
	Turns    int       `json:"turns"`
	LastAt   time.Time `json:"last_at"`
	Source   string    `json:"source"` // SourceLocal, or the tool whose records it was read from

	// Plain says that its boundaries are plain commits, not snapshots of overturn's:
	// what they stand for is what a checkout would write. Within is the folder that they
	// hold as it was on disk, "" for all; elsewhere they hold what HEAD had. Except is a
	// folder in them that is the other program's own, or "".
	Plain  bool `json:"-"`
	Within Path `json:"-"`
	Except Path `json:"-"`
}

// SourceLocal says that a thread was recorded here, not read from another tool.
const SourceLocal = "local"

// WorkTreeElsewhere stands for the work tree of a thread that was recorded in another
// repository: no work tree of this one has such a name.
const WorkTreeElsewhere = "(elsewhere)"
