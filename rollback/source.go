package rollback

import (
	"context"
	"fmt"
	"strconv"

	"overturn/model"
	"overturn/review"
	"overturn/rollback/plan"
)

// Turns tells what turns did outside their files; a *ledger.Ledger.
type Turns interface {
	Turn(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error)
}

// FromReview is the review as the source of what is staged.
func FromReview(r *review.Engine, turns Turns) Source { return reviewSource{r, turns} }

type reviewSource struct {
	review *review.Engine
	turns  Turns
}

// Open compares the scope.
func (s reviewSource) Open(ctx context.Context, scope model.Scope) (Comparison, error) {
	set, err := s.review.Compare(ctx, scope)
	if err != nil {
		return nil, err
	}
	return s.open(ctx, set)
}

// OpenFromHead compares without a baseline.
func (s reviewSource) OpenFromHead(ctx context.Context, scope model.Scope) (Comparison, HeadBase, error) {
	first, err := s.turns.Turn(ctx, scope.Thread, 1)
	if err != nil {
		return nil, HeadBase{}, err
	}
	set, before, err := s.review.FromHead(ctx, scope, first)
	if err != nil {
		return nil, HeadBase{}, err
	}
	c, err := s.open(ctx, set)
	if err != nil {
		return nil, HeadBase{}, err
	}
	c.before = before
	return c, HeadBase{Commit: before.Head, Now: before.Now}, nil
}

func (s reviewSource) open(ctx context.Context, set *review.ChangeSet) (*reviewed, error) {
	c := &reviewed{review: s.review, set: set, byPath: make(map[model.Path]*review.File, len(set.Files))}
	for _, f := range set.Files {
		c.byPath[f.Path] = f
		c.files = append(c.files, Changed{Path: f.Path, Gitlink: f.ReadOnly()})
	}
	c.info = ScopeInfo{Scope: set.Scope, Thread: set.Thread, WorkTree: set.WorkTree, Foreign: set.Foreign, LeftOut: set.LeftOut, Moved: set.Moved}
	for _, n := range set.Turns {
		turn, err := s.turns.Turn(ctx, set.Thread, n)
		if err != nil {
			return nil, model.Failf(err, "the effects of turn %d cannot be read", n)
		}
		c.info.Effects = append(c.info.Effects, turn.Effects...)
	}
	return c, nil
}

// reviewed is one change set of the review.
type reviewed struct {
	review *review.Engine
	set    *review.ChangeSet
	info   ScopeInfo
	files  []Changed
	byPath map[model.Path]*review.File
	before *review.Before // nil where the first side was captured, or is the project's
}

func (c *reviewed) Info() ScopeInfo  { return c.info }
func (c *reviewed) Files() []Changed { return c.files }

func (c *reviewed) Vouches(ctx context.Context, f Changed) (string, error) {
	if c.before == nil {
		return "", nil
	}
	return c.before.Vouches(ctx, f.Path)
}

func (c *reviewed) Keeps(owner model.Owner, thread model.ThreadID) string {
	return c.set.Keeps(owner, thread)
}

func (c *reviewed) Sides(ctx context.Context, f Changed) (first, last plan.Version, err error) {
	file := c.byPath[f.Path]
	if first.Content, first.State, err = c.review.Content(ctx, c.set, file, review.BaseSide); err != nil {
		return first, last, err
	}
	if last.Content, last.State, err = c.review.Content(ctx, c.set, file, review.TargetSide); err != nil {
		return first, last, err
	}
	if !c.set.Scope.OfTurns() || c.before != nil {
		first.State.Mode = projectMode(first.State, last.State)
	}
	return first, last, nil
}

// projectMode is the mode that a file of a project commit has on disk beside last:
// commits know of permissions only whether the owner may execute.
func projectMode(first, last model.FileState) string {
	if first.Kind != model.KindFile || last.Kind != model.KindFile {
		return first.Mode
	}
	want, errFirst := strconv.ParseUint(first.Mode, 8, 32)
	perm, errLast := strconv.ParseUint(last.Mode, 8, 32)
	if errFirst != nil || errLast != nil {
		return first.Mode
	}
	const owner, execute, read = 0o100, 0o111, 0o444
	switch executable := perm&owner != 0; {
	case want&owner == 0:
		perm &^= execute
	case !executable:
		perm |= owner | (perm&read)>>2 // whoever may read may execute
	}
	return fmt.Sprintf("%06o", perm)
}

// Owners asks hunk by hunk only where several owners may be met.
func (c *reviewed) Owners(ctx context.Context, f Changed) (Owners, error) {
	file := c.byPath[f.Path]
	if len(c.set.Turns) == 1 {
		owner, thread, err := c.review.Owner(ctx, c.set, file)
		if err != nil || owner != model.OwnerMixed && (thread == "" || thread == c.set.Thread) {
			return Owners{Owner: owner, Thread: thread, Turns: c.set.Turns, In: c.set.Thread}, err
		}
	}
	all, err := c.review.Owners(ctx, c.set, file)
	if err != nil {
		return Owners{}, err
	}
	o := Owners{Owner: all.Owner, Thread: all.Thread, Turns: all.Turns, In: all.In}
	for _, h := range all.Hunks {
		o.Hunks = append(o.Hunks, HunkOwner(h))
	}
	return o, nil
}

func (c *reviewed) Index(ctx context.Context, path model.Path) (first, last IndexEntry, ok bool, err error) {
	a, b, ok, err := c.review.IndexEntries(ctx, c.set, path)
	return IndexEntry(a), IndexEntry(b), ok, err
}

func (c *reviewed) MadeFolder(ctx context.Context, folder model.Path) (bool, error) {
	return c.review.MadeFolder(ctx, c.set, folder)
}
