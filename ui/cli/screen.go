package cli

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"overturn/model"
	"overturn/review"
	"overturn/review/inline"
	"overturn/review/patch"
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
	named  model.ThreadID // the thread that --thread names, "" for the newest

	mu sync.Mutex
	// sets are the change sets behind the comparisons that the review holds, newest
	// last; older ones are forgotten.
	sets []heldSet
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
	return &screen{engines: e, writer: writer, watch: newWatcher(e)}, nil
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
		LeftOut: set.LeftOut, Note: note(set), Files: make([]view.File, len(files)),
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

func (s *screen) Summaries(ctx context.Context, cmp *view.Comparison, indexes []int) ([]view.Summary, error) {
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
		sums = append(sums, sum)
	}
	return sums, nil
}

func (s *screen) Document(ctx context.Context, cmp *view.Comparison, index int, o ui.DocumentOptions) (*view.Document, error) {
	h, err := s.held(cmp)
	if err != nil {
		return nil, err
	}
	f := h.files[index]
	d, err := s.reading().Diff(ctx, h.set, f, patch.Options{IgnoreSpace: o.IgnoreSpace})
	if err != nil {
		return nil, err
	}
	doc := &view.Document{File: cmp.Files[index], Header: headerLines(f), Binary: d == nil && !f.ReadOnly()}
	doc.Old, doc.New = patch.NewText(nil), patch.NewText(nil)
	if d == nil {
		return doc, s.binaryHeader(ctx, h, f, doc)
	}
	doc.Old, doc.New = d.Old, d.New
	doc.OldNoNewline, doc.NewNoNewline = d.Old.NoFinalNewline(), d.New.NoFinalNewline()
	doc.HiddenSpace = d.HiddenSpace
	doc.Emphasis = inline.Emphasis
	owners, err := s.reading().Owners(ctx, h.set, f)
	if err != nil {
		return nil, err
	}
	doc.Hunks = hunks(d, owners)
	return doc, nil
}

func hunks(d *patch.Diff, owners review.FileOwners) []view.Hunk {
	by := make(map[int]review.HunkOwner, len(owners.Hunks))
	for _, h := range owners.Hunks {
		by[h.Number] = h
	}
	list := make([]view.Hunk, len(d.Hunks))
	for i, h := range d.Hunks {
		edits := make([]view.Edit, len(h.Edits))
		for k, e := range h.Edits {
			edits[k] = view.Edit(e)
		}
		o := by[h.Number]
		list[i] = view.Hunk{Number: h.Number, Edits: edits, Section: h.Section, Owner: o.Owner, Turns: o.Turns, Thread: o.Thread}
	}
	return list
}

// headerLines says what of a file's change is not lines.
func headerLines(f *review.File) []string {
	var lines []string
	if f.OldPath != "" {
		lines = append(lines, "renamed from "+patch.Quote(f.OldPath))
	}
	switch {
	case f.Old.Kind == model.KindAbsent:
		lines = append(lines, fmt.Sprintf("new %s, mode %s", f.New.Kind, f.New.Mode))
	case f.New.Kind == model.KindAbsent:
		lines = append(lines, fmt.Sprintf("deleted %s, mode %s", f.Old.Kind, f.Old.Mode))
	case f.Old.Kind != f.New.Kind:
		lines = append(lines, fmt.Sprintf("was a %s, is a %s", f.Old.Kind, f.New.Kind))
	case f.Old.Mode != f.New.Mode:
		lines = append(lines, fmt.Sprintf("mode %s → %s", f.Old.Mode, f.New.Mode))
	}
	if f.Note != "" {
		lines = append(lines, f.Note)
	}
	return lines
}

// binaryHeader tells the sizes of content that is not text, and the commits of a
// submodule.
func (s *screen) binaryHeader(ctx context.Context, h heldSet, f *review.File, doc *view.Document) error {
	if f.ReadOnly() {
		doc.Header = append(doc.Header, fmt.Sprintf("submodule %s → %s", short(f.Old.OID), short(f.New.OID)))
		return nil
	}
	_, from, err := s.reading().Content(ctx, h.set, f, review.BaseSide)
	if err != nil {
		return err
	}
	_, to, err := s.reading().Content(ctx, h.set, f, review.TargetSide)
	if err != nil {
		return err
	}
	doc.Header = append(doc.Header, fmt.Sprintf("binary, %d → %d bytes", from.Size, to.Size))
	return nil
}

func short(oid string) string {
	if oid == "" {
		return "nothing"
	}
	return oid[:min(len(oid), 10)]
}
