package rollback

import (
	"context"

	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback/plan"
)

// Witness is told of what is written while turns of agents are open, so that it is
// not taken for theirs; *ledger.Ledger is the real one.
type Witness interface {
	Rolling(ctx context.Context, r ledger.Rollback) (ended func(context.Context))
}

// Source opens the comparisons that are staged from; FromReview is the real one.
type Source interface {
	Open(ctx context.Context, scope model.Scope) (Comparison, error)
	// OpenFromHead compares boundary 0 with that of scope.To, where HEAD stands for a
	// baseline that is not there.
	OpenFromHead(ctx context.Context, scope model.Scope) (Comparison, HeadBase, error)
}

// HeadBase is the HEAD that stands for a baseline. Commit is "" where nothing was
// committed; Now says that it is HEAD of today, since nobody noted what it was then.
type HeadBase struct {
	Commit string
	Now    bool
}

// String says which HEAD it is.
func (h HeadBase) String() string {
	switch {
	case h.Now && h.Commit == "":
		return "HEAD, which has no commit yet; what it was before the first turn was not noted"
	case h.Now:
		return "HEAD as it is now (" + h.Commit + "); what it was before the first turn was not noted"
	case h.Commit == "":
		return "HEAD as it was before the first turn: nothing was committed"
	}
	return "HEAD as it was before the first turn (" + h.Commit + ")"
}

// Comparison is what a scope changed, as the staged set needs it.
type Comparison interface {
	Info() ScopeInfo
	// Files is every path that differs, in path order, without renames.
	Files() []Changed
	// Sides is what stood at the file's path at both ends of the scope: the raw
	// bytes as on disk.
	Sides(ctx context.Context, f Changed) (first, last plan.Version, err error)
	Owners(ctx context.Context, f Changed) (Owners, error)
	// Keeps says why a difference of that owner stays where its file is not named,
	// "" where the agent of the scope's thread made it.
	Keeps(owner model.Owner, thread model.ThreadID) string
	// Index is the entries of the user's index at both ends of the scope for the
	// path; ok is false where they are not known, or moved between turns.
	Index(ctx context.Context, path model.Path) (first, last IndexEntry, ok bool, err error)
	// Vouches says why the first side of a file is not known to be what stood there, ""
	// where it is.
	Vouches(ctx context.Context, f Changed) (string, error)
	// MadeFolder tells whether the folder was not there at the scope's first state.
	MadeFolder(ctx context.Context, folder model.Path) (bool, error)
}

// ScopeInfo describes a resolved scope: `latest` has become its number.
type ScopeInfo struct {
	Scope    model.Scope
	Thread   model.ThreadID
	WorkTree string
	Foreign  bool           // recorded in another work tree: shown, never staged
	Effects  []model.Effect // of the turns in the scope
	LeftOut  []model.Noted  // seen at either end and not taken
	Moved    []model.Noted  // of LeftOut, what came in the scope, and stays, or went, and does not come back
}

// Changed is one path that a scope changed. Gitlink is set where a submodule
// stands on either side: it is shown and never a target.
type Changed struct {
	Path    model.Path
	Gitlink bool
}

// Owners is who made the change of a file. Hunks is nil where all of it is one
// owner's.
type Owners struct {
	Owner  model.Owner
	Thread model.ThreadID // of an agent
	Turns  []int
	In     model.ThreadID // that counts Turns; "" where they are of several
	Hunks  []HunkOwner    // by number in the exact diff; ModeHunk is the mode change
}

// HunkOwner is who made one hunk.
type HunkOwner struct {
	Number int
	Owner  model.Owner
	Thread model.ThreadID
	Turns  []int
	In     model.ThreadID
}

// ModeHunk stands for a path's mode change among hunk numbers.
const ModeHunk = model.ModeHunk

// IndexEntry is an entry of the index at stage 0; its Mode is "" where there is none.
type IndexEntry struct{ Mode, OID string }

// IndexChange is an entry that a turn staged and that goes back with its file: it
// is From now and To afterwards.
type IndexChange struct {
	Path     model.Path
	From, To IndexEntry
}
