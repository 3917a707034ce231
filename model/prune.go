package model

import "time"

// PruneRule says what may be pruned. The zero value of a field does not bound.
type PruneRule struct {
	Keep      int           // the newest so many turns of a thread, and rollbacks of a work tree, stay
	OlderThan time.Duration // what is younger stays
	Term      time.Duration // a turn that nobody has looked at stays so long after its end
	DryRun    bool
	Now       bool // space is given to git's next gc at once, not in two weeks
}

// RefNote is a ref with a reason.
type RefNote struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// Pruned is what a prune did, or would do.
type Pruned struct {
	Removed []string   `json:"removed"` // refs
	Kept    []RefNote  `json:"kept"`
	Files   []string   `json:"files"` // that were removed beside: journals, kept copies, old traces, tables
	DryRun  bool       `json:"dry_run"`
	Before  int64      `json:"bytes_before"` // of our packs; 0 in a dry run
	After   int64      `json:"bytes_after"`
	Until   *time.Time `json:"given_back_at"` // when git's gc may take the rest; nil when nothing waits
}

// Keep notes a ref that stays.
func (p *Pruned) Keep(ref, reason string) { p.Kept = append(p.Kept, RefNote{ref, reason}) }
