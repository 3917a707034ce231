package cli

import (
	"context"
	"slices"
	"sync"

	"overturn/model"
	"overturn/review"
	"overturn/review/marks"
	"overturn/rollback"
	"overturn/ui"
	"overturn/ui/view"
)

// screen is the engines as the review asks for them: ui.Engine. It is safe for
// several jobs at once.
type screen struct {
	*engines
	writer *rollback.Engine
	watch  *watcher
	marks  *marks.Store
	named  model.ThreadID // the thread that --thread names, "" for the newest

	mu sync.Mutex
	// sets are the change sets behind the comparisons that the review holds, newest
	// last; older ones are forgotten.
	sets  []heldSet
	plans []heldPlan // worked out lately, the newest last
}

// heldSet is a comparison and what it was made from, row for row.
type heldSet struct {
	shown *view.Comparison
	set   *review.ChangeSet
	files []*review.File
}

// heldSets is how many comparisons stay usable: one a mode, and the ones that a
// quiet refresh replaces.
const heldSets = 12

var _ ui.Engine = (*screen)(nil)

func newScreen(e *engines) (*screen, error) {
	writer, err := e.writing()
	if err != nil {
		return nil, err
	}
	read := marks.New(e.repo, e.app.env.Clock)
	return &screen{engines: e, writer: writer, watch: newWatcher(e, read), marks: read}, nil
}

func (s *screen) Compare(ctx context.Context, scope model.Scope) (*view.Comparison, error) {
	set, err := s.reading().Compare(ctx, scope)
	if err != nil {
		return nil, err
	}
	s.seen(ctx, set.Scope)
	files, err := s.renames(ctx, set)
	if err != nil {
		return nil, err
	}
	shown := &view.Comparison{
		Scope: set.Scope, Base: set.Base.Label, Target: set.Target.Label,
		LeftOut: set.LeftOut, Note: note(set), Marked: s.marks.News(), Files: make([]view.File, len(files)),
	}
	for i, f := range files {
		shown.Files[i] = fileRow(f)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sets = append(s.sets, heldSet{shown, set, files}); len(s.sets) > heldSets {
		s.sets = slices.Delete(s.sets, 0, len(s.sets)-heldSets)
	}
	return shown, nil
}

// note is what the reader of a comparison must know.
func note(set *review.ChangeSet) string {
	switch {
	case set.Foreign && set.WorkTree == "":
		return "recorded by another program, in which work tree is not known: shown, not to be staged"
	case set.Foreign && set.WorkTree == model.WorkTreeElsewhere:
		return "recorded in another repository: shown, not to be staged here"
	case set.Foreign:
		return "recorded in work tree " + set.WorkTree + ": shown, not to be staged here"
	case set.HeadMoved:
		return "HEAD moved during these turns"
	case set.BaseFrom != "":
		return "base: " + set.BaseFrom
	}
	return ""
}

func fileRow(f *review.File) view.File {
	return view.File{
		FileChange:  model.FileChange{Path: f.Path, OldPath: f.OldPath, Change: f.Change, Additions: -1, Deletions: -1},
		Key:         contentKey(f.Old) + " " + contentKey(f.New),
		OldKind:     f.Old.Kind,
		NewKind:     f.New.Kind,
		OldMode:     f.Old.Mode,
		NewMode:     f.New.Mode,
		Committed:   f.Committed,
		Uncommitted: f.Uncommitted,
		Hunks:       -1,
	}
}

func contentKey(en review.Entry) string { return en.Mode + ":" + en.OID + ":" + en.RawOID }

// held finds what a comparison was made from.
func (s *screen) held(cmp *view.Comparison) (heldSet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.sets {
		if h.shown == cmp {
			return h, nil
		}
	}
	return heldSet{}, model.Errorf(model.CodeStale, "this comparison is no longer held").WithHint("refresh with R")
}

func (s *screen) Summaries(ctx context.Context, cmp *view.Comparison, indexes []int, o ui.DocumentOptions) ([]view.Summary, error) {
	h, err := s.held(cmp)
	if err != nil {
		return nil, err
	}
	sums := make([]view.Summary, 0, len(indexes))
	for _, i := range indexes {
		row, err := s.reading().Row(ctx, h.set, h.files[i])
		if err != nil {
			return nil, err
		}
		sum := view.Summary{Index: i, Additions: row.Additions, Deletions: row.Deletions, Binary: row.Binary, Owner: row.Owner}
		if h.files[i].Change == model.Modified && !row.Binary {
			if sum.SpaceOnly, err = s.reading().SpaceOnly(ctx, h.set, h.files[i]); err != nil {
				return nil, err
			}
		}
		if sum.Hunks, sum.Read, err = s.countRead(ctx, h, h.files[i], o); err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, nil
}
