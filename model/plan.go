package model

import (
	"encoding/json"
	"time"
)

// FileState is what stands at a path, by bytes: what plans, journals and
// fingerprints compare. Mode holds the type and all permission bits as on disk,
// six octal digits ("100600"); it is "000000", size 0 and no hash when absent. Of a
// link the hash is of its text, of a gitlink it is empty.
type FileState struct {
	Kind   Kind   `json:"kind"`
	Mode   string `json:"mode"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Absent is the state of a path at which nothing stands.
func Absent() FileState { return FileState{Kind: KindAbsent, Mode: "000000"} }

// Op is what a rollback does to a target.
type Op string

// The operations.
const (
	OpWrite  Op = "write"
	OpCreate Op = "create"
	OpDelete Op = "delete"
	OpMode   Op = "mode"
	OpLink   Op = "link"
)

// Method is how the after state of a target is found.
type Method string

// The methods of CONTRACT, Command line.
const (
	TakeOut Method = "take-out"
	Restore Method = "restore"
)

// Verdict says how a target met the present work tree.
type Verdict string

// The verdicts. Drifted is a target that changed since the scope's end and can
// still be carried out only by restore with its edits discarded.
const (
	VerdictClean    Verdict = "clean"
	VerdictMerged   Verdict = "merged"
	VerdictAlready  Verdict = "already"
	VerdictDrifted  Verdict = "drifted"
	VerdictConflict Verdict = "conflict"
)

// ModeHunk stands among the numbers of hunks for the change of a path's mode.
const ModeHunk = 0

// Target is one path of a plan: what is there now and what will be.
type Target struct {
	Path    Path
	Op      Op
	Method  Method
	From    FileState
	To      FileState
	Owner   Owner
	Turns   []int
	Thread  ThreadID // that counts Turns; "" where they are of several, or none
	Hunks   []int    // numbers in the exact diff of the scope; empty for the whole file
	Lines   string   // which lines of these hunks, as --lines takes them; "" where they are whole
	Verdict Verdict
	Reason  string
	Discard bool // edits that the scope did not make go too
}

type targetWire struct {
	wirePath
	Op      Op        `json:"op"`
	Method  Method    `json:"method"`
	From    FileState `json:"from"`
	To      FileState `json:"to"`
	Owner   Owner     `json:"owner"`
	Turns   []int     `json:"turns"`
	Thread  ThreadID  `json:"thread"`
	Hunks   []int     `json:"hunks"`
	Lines   string    `json:"lines,omitempty"`
	Verdict Verdict   `json:"verdict"`
	Reason  string    `json:"reason"`
	Discard bool      `json:"discard_edits"`
}

// MarshalJSON writes one of CONTRACT's targets.
func (t Target) MarshalJSON() ([]byte, error) {
	return json.Marshal(targetWire{toWire(t.Path), t.Op, t.Method, t.From, t.To, t.Owner, NotNil(t.Turns), t.Thread, NotNil(t.Hunks), t.Lines, t.Verdict, t.Reason, t.Discard})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (t *Target) UnmarshalJSON(data []byte) error {
	var w targetWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*t = Target{path, w.Op, w.Method, w.From, w.To, w.Owner, w.Turns, w.Thread, w.Hunks, w.Lines, w.Verdict, w.Reason, w.Discard}
	return err
}

// NotNil turns nil into an empty list, so that JSON says [] and not null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// DomainCover says whether a plan or result covers a domain, and how.
type DomainCover struct {
	Domain  Domain `json:"domain"`
	Covered bool   `json:"covered"`
	Note    string `json:"note"`
}

// Plan is the staged set worked out against the present work tree
// (overturn.plan/1). Patch is the normalised patch that Fingerprint hashes.
type Plan struct {
	Fingerprint string        `json:"fingerprint"`
	Scopes      []string      `json:"scopes"`
	Targets     []Target      `json:"targets"`
	Kept        []Noted       `json:"kept"`
	Domains     []DomainCover `json:"domains"`
	Effects     []Effect      `json:"effects"`
	Reversible  Reversible    `json:"reversible"`
	Advice      string        `json:"advice"` // as Advice has it for the effects
	Patch       []byte        `json:"-"`
}

// Outcome is how a rollback ended.
type Outcome string

// The outcomes.
const (
	OutcomeComplete  Outcome = "complete"
	OutcomePartial   Outcome = "partial"
	OutcomeStale     Outcome = "stale"
	OutcomeRefused   Outcome = "refused"
	OutcomeCancelled Outcome = "cancelled"
	OutcomeUndone    Outcome = "undone"
)

// Post is the state of a target as read back after a rollback.
type Post struct {
	Path   Path
	Kind   Kind
	Mode   string
	SHA256 string
}

type postWire struct {
	wirePath
	Kind   Kind   `json:"kind"`
	Mode   string `json:"mode"`
	SHA256 string `json:"sha256"`
}

// MarshalJSON writes {"path","kind","mode","sha256"}.
func (p Post) MarshalJSON() ([]byte, error) {
	return json.Marshal(postWire{toWire(p.Path), p.Kind, p.Mode, p.SHA256})
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (p *Post) UnmarshalJSON(data []byte) error {
	var w postWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	path, err := w.path()
	*p = Post{path, w.Kind, w.Mode, w.SHA256}
	return err
}

// ResultBase is the snapshot that a rollback went out from.
type ResultBase struct {
	Ref  string `json:"ref"`
	Tree string `json:"tree"`
	Head string `json:"head"`
}

// Conversation is what a revert did to the agent's conversation.
type Conversation struct {
	Agent     string `json:"agent"`
	Supported bool   `json:"supported"`
	Turns     int    `json:"turns"`
	Done      bool   `json:"done"`
	Note      string `json:"note"`
}

// Reverted is the thread that a revert, or the undo or redo of one, was about: the turns
// behind To, up to Latest, left it, or with Back came in again. Base is "HEAD" where HEAD
// stood for a baseline that was not there, else "".
type Reverted struct {
	Thread ThreadID `json:"thread"`
	To     int      `json:"to"`
	Latest int      `json:"latest"`
	Back   bool     `json:"back"`
	Base   string   `json:"base"`
}

// Result is the report of a rollback, undo or redo (overturn.rollback/1).
type Result struct {
	ID           ID            `json:"id"`
	Outcome      Outcome       `json:"outcome"`
	Fingerprint  string        `json:"fingerprint"`
	Scopes       []string      `json:"scopes"`
	Base         ResultBase    `json:"base"`
	Restored     Paths         `json:"restored"`
	Created      Paths         `json:"created"`
	Deleted      Paths         `json:"deleted"`
	Merged       Paths         `json:"merged"`
	Kept         []Noted       `json:"kept"`
	Skipped      []Noted       `json:"skipped"`
	Domains      []DomainCover `json:"domains"`
	Post         []Post        `json:"post"`
	Verified     bool          `json:"verified"` // every path was read back and is as planned
	Safety       string        `json:"safety"`   // ref of the safety snapshot
	Undo         string        `json:"undo"`     // the command that takes this back
	Residual     []Effect      `json:"residual"`
	Advice       string        `json:"advice"` // as Advice has it for what is residual
	Conversation *Conversation `json:"conversation"`
	Reverted     *Reverted     `json:"reverted,omitempty"`
}

// HistoryEntry is one past rollback of this work tree.
type HistoryEntry struct {
	ID       ID        `json:"id"`
	Kind     string    `json:"kind"` // rollback, undo, redo, revert
	Outcome  Outcome   `json:"outcome"`
	Paths    Paths     `json:"paths"`
	At       time.Time `json:"at"`
	UndoneBy ID        `json:"undone_by"`
	Why      string    `json:"why,omitempty"` // the user's reason, in a line

	Threads   []ThreadID `json:"-"` // whose turns' changes it took back, as far as they are known
	Forgotten bool       `json:"-"` // the agent's conversation lost the turns too: it knows nothing of them
}

// StagedPath is one path of the staged set.
type StagedPath struct {
	Path   Path
	Scope  string   // as ParseScope reads it
	Thread ThreadID // of a scope of turns, else ""
	Hunks  []int    // exact hunk numbers; empty with Lines "" means the whole file
	Lines  string   // the line ranges as --lines takes them, or ""
}

type stagedPathWire struct {
	wirePath
	Scope  string   `json:"scope"`
	Thread ThreadID `json:"thread"`
	Hunks  []int    `json:"hunks"`
	Lines  string   `json:"lines"`
}

// MarshalJSON writes {"path","scope","thread","hunks","lines"}.
func (s StagedPath) MarshalJSON() ([]byte, error) {
	return json.Marshal(stagedPathWire{toWire(s.Path), s.Scope, s.Thread, NotNil(s.Hunks), s.Lines})
}
