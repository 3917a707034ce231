package rollback

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback/plan"
)

// growth is by how many bytes a staged file may have grown since and still be read.
const growth = 64 << 20

// Plan works the staged set out against the present work tree. With nothing staged
// the plan has no targets.
func (e *Engine) Plan(ctx context.Context) (*model.Plan, *Prepared, error) {
	set, err := e.loadStaged()
	if err != nil {
		return nil, nil, err
	}
	return e.planSet(ctx, set)
}

// planSet works a set out, whether it is the staged one or not.
func (e *Engine) planSet(ctx context.Context, set *stagedSet) (*model.Plan, *Prepared, error) {
	w := &planner{engine: e, set: set, items: make([]plan.Item, len(set.Entries)), outcomes: make([]plan.Outcome, len(set.Entries))}
	if err := w.read(ctx); err != nil {
		return nil, nil, err
	}
	w.clear()
	p := w.prepared()
	var err error
	if p.Index, err = e.planIndex(ctx, set, p); err != nil {
		return nil, nil, err
	}
	p.Folders = w.folders()
	p.Plan = w.plan(p)
	e.planned(set, p)
	return p.Plan, p, nil
}

// planner works out one staged set; items and outcomes go with its entries.
type planner struct {
	engine   *Engine
	set      *stagedSet
	items    []plan.Item
	outcomes []plan.Outcome

	mu      sync.Mutex         // guards the maps while items are read
	parents map[int]model.Path // item to the parent that is no folder now
	stored  map[string]string  // ids of blobs that were read, to their hashes
}

// read reads and works out every item; contents that are needed no more are let
// go at once.
func (w *planner) read(ctx context.Context) error {
	w.parents, w.stored = map[int]model.Path{}, map[string]string{}
	var done atomic.Int64
	return several(len(w.set.Entries), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		defer func() { model.TellProgress(ctx, int(done.Add(1)), len(w.set.Entries)) }()
		blocked, err := w.readItem(ctx, i)
		if err != nil {
			return err
		}
		item := &w.items[i]
		w.outcomes[i] = plan.Work(*item)
		if !blocked && item.Present.State.Kind != model.KindOther {
			item.First.Content, item.Last.Content = nil, nil
		}
		return nil
	})
}

// readItem tells whether a parent of the path is no folder now.
func (w *planner) readItem(ctx context.Context, i int) (bool, error) {
	entry := &w.set.Entries[i]
	item := plan.Item{
		Path: entry.Path, Method: entry.Method, Discard: entry.Discard,
		Chosen: plan.Chosen{Whole: entry.Whole, Lines: entry.lines(), Mode: entry.Mode},
	}
	lost, err := w.lost(ctx, i, &item)
	if err != nil {
		return false, err
	}
	limit := max(item.First.State.Size, item.Last.State.Size) + growth
	item.Present.Content, item.Present.State, err = w.engine.Tree.Read(entry.Path, limit)
	var blocked *worktree.Blocked
	switch {
	case errors.As(err, &blocked):
		item.Present, item.Obstacle = plan.Absent(), blocked.Error()
	case errors.Is(err, worktree.ErrTooLarge):
		item.Obstacle = fmt.Sprintf("it grew by more than %d MiB since", growth>>20)
	case errors.Is(err, fs.ErrPermission):
		item.Obstacle = "it cannot be read"
	case err != nil:
		return false, model.Failf(err, "%q cannot be read", entry.Path)
	}
	in := blocked != nil && lost == "" // what is lost is not made free by what goes
	if lost != "" {
		item.Obstacle = lost
	}
	if in {
		w.mu.Lock()
		w.parents[i] = blocked.At
		w.mu.Unlock()
	}
	if item.Present.State.Kind == "" {
		item.Present.State = model.FileState{Kind: model.KindOther, Mode: "000000"}
	}
	w.items[i] = item
	return in, nil
}

func (w *planner) version(ctx context.Context, path model.Path, s stagedSide) (plan.Version, error) {
	if s.Blob == "" {
		return plan.Version{State: s.State}, nil
	}
	content, err := w.engine.Objects.Blob(ctx, s.Blob)
	if err != nil {
		return plan.Version{}, model.Failf(err, "the staged content of %q is not stored any more", path).
			WithHint("take it out of the staged set: `overturn unstage`")
	}
	sum := sumOf(content)
	w.mu.Lock()
	w.stored[s.Blob] = sum
	w.mu.Unlock()
	return plan.Version{State: s.State, Content: content}, nil
}

// clear works out anew what something was in the way of: a path whose parent is a
// file or link, or where a folder stands, is free when all that is in its way goes
// in the same plan. A turn may have made a folder of a file, or a file of a folder.
// Where the scope's first state had nothing at the path, nothing is in the way: the
// file that is to go is gone already.
func (w *planner) clear() {
	goes := map[model.Path]bool{}
	for i, item := range w.items {
		goes[item.Path] = w.writes(i) && w.outcomes[i].After.State.Kind == model.KindAbsent
	}
	for i := range w.items {
		at, blocked := w.parents[i]
		item := &w.items[i]
		folder := !blocked && item.Present.State.Kind == model.KindOther && item.Obstacle == ""
		toGo := item.Chosen.Whole && item.First.State.Kind == model.KindAbsent
		switch {
		case blocked && (goes[at] || toGo):
			item.Obstacle = ""
		case folder && (toGo && w.engine.isFolder(item.Path) || w.engine.empties(item.Path, goes)):
			item.Present = plan.Absent()
		default:
			continue
		}
		w.outcomes[i] = plan.Work(*item)
	}
}

func (w *planner) writes(i int) bool {
	v := w.outcomes[i].Verdict
	return v != model.VerdictConflict && v != model.VerdictAlready
}

func (w *planner) prepared() *Prepared {
	p := &Prepared{stored: w.stored, staged: w.set.text}
	format := w.engine.Repo.ObjectFormat
	for i, entry := range w.set.Entries {
		item, o := w.items[i], w.outcomes[i]
		t := model.Target{
			Path: entry.Path, Op: o.Op, Method: entry.Method, From: item.Present.State, To: o.After.State,
			Owner: entry.Owner, Turns: entry.Turns, Thread: entry.Thread, Hunks: entry.shownHunks(),
			Verdict: o.Verdict, Reason: o.Reason, Discard: o.Verdict == model.VerdictDrifted,
		}
		if entry.ByLines {
			t.Lines = entry.shownLines()
		}
		p.Targets = append(p.Targets, PreparedTarget{
			Target: t, Before: item.Present.Content, After: o.After.Content,
			BeforeID: plan.BlobID(format, item.Present), AfterID: plan.BlobID(format, o.After),
		})
	}
	return p
}

// planIndex is the entries that the turns staged and that are still as they left
// them; those of conflicts stay.
func (e *Engine) planIndex(ctx context.Context, set *stagedSet, p *Prepared) ([]IndexChange, error) {
	var changes []IndexChange
	for i, entry := range set.Entries {
		if x := entry.Index; x != nil && p.Targets[i].Verdict != model.VerdictConflict {
			changes = append(changes, IndexChange{Path: entry.Path, From: IndexEntry{x.LastMode, x.LastOID}, To: IndexEntry{x.FirstMode, x.FirstOID}})
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	present, err := e.indexEntries(ctx)
	if err != nil {
		return nil, err
	}
	var still []IndexChange
	for _, c := range changes {
		if IndexEntry(present[c.Path]) == c.From {
			still = append(still, c)
		}
	}
	return still, nil
}

// folders lists the folders above paths that go which the scope's first state did
// not have, deepest first.
func (w *planner) folders() []model.Path {
	seen := map[model.Path]bool{}
	var list []model.Path
	for i, entry := range w.set.Entries {
		if !w.writes(i) || w.outcomes[i].After.State.Kind != model.KindAbsent {
			continue
		}
		for _, folder := range entry.Made {
			if !seen[folder] {
				seen[folder] = true
				list = append(list, folder)
			}
		}
	}
	sortDeepest(list)
	return list
}

// appendNew adds the effects of one more scope: a turn that two scopes hold is told of
// once.
func appendNew(list, more []model.Effect) []model.Effect {
	known := list
	for _, e := range more {
		same := func(was model.Effect) bool {
			at := was.At.Equal(e.At)
			was.At = e.At
			return at && was == e
		}
		if !slices.ContainsFunc(known, same) {
			list = append(list, e)
		}
	}
	return list
}

func (w *planner) plan(p *Prepared) *model.Plan {
	out := &model.Plan{
		Scopes: []string{}, Targets: []model.Target{}, Kept: []model.Noted{}, Effects: []model.Effect{},
		Domains: domains(p), Reversible: model.ReversibleYes,
	}
	for _, s := range w.set.Scopes {
		out.Scopes = append(out.Scopes, s.Scope)
		out.Effects = appendNew(out.Effects, s.Effects)
	}
	for _, k := range w.set.Kept {
		out.Kept = append(out.Kept, k.Kept)
	}
	out.Reversible, out.Advice = reversible(out.Effects), model.Advice(out.Effects)
	index := map[model.Path]*patch.IndexChange{}
	for _, c := range p.Index {
		index[c.Path] = &patch.IndexChange{FromMode: c.From.Mode, FromID: c.From.OID, ToMode: c.To.Mode, ToID: c.To.OID}
	}
	var norm []patch.NormTarget
	for _, t := range p.Targets {
		out.Targets = append(out.Targets, t.Target)
		norm = append(norm, patch.NormTarget{
			Path: t.Path, From: t.From, To: t.To, FromID: t.BeforeID, ToID: t.AfterID, FromContent: t.Before, ToContent: t.After,
			Conflict: t.Verdict == model.VerdictConflict, Index: index[t.Path],
		})
	}
	out.Patch = patch.Normalised(norm)
	out.Fingerprint = patch.Fingerprint(out.Patch)
	return out
}
