package rollback

import (
	"context"
	"slices"

	"overturn/gitops/objects"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback/plan"
)

// stager adds the files of one request to a set.
type stager struct {
	engine  *Engine
	request StageRequest
	cmp     Comparison
	set     *stagedSet
	w       *objects.Writer
	scope   int
	staged  model.Paths
	kept    []model.Noted       // what stays, of this request
	ignored map[model.Path]bool // by git, as it stands now
}

// stage adds one file, or notes why it stays.
func (s *stager) stage(ctx context.Context, p pick) error {
	if p.file.Gitlink {
		if p.named {
			return model.Refusedf("%q is a submodule: what it holds is not captured, and it is never a target", p.file.Path)
		}
		s.keep(p.file.Path, "a submodule is never a target")
		return nil
	}
	if s.ignored[p.file.Path] {
		s.keep(p.file.Path, "git ignores it now: it goes back only when it is named")
		return nil
	}
	owners, err := s.cmp.Owners(ctx, p.file)
	if err != nil {
		return s.lose(ctx, p, Owners{Owner: model.OwnerUnknown}, err)
	}
	if !p.named && owners.Owner != model.OwnerMixed {
		if reason := s.cmp.Keeps(owners.Owner, owners.Thread); reason != "" {
			s.keep(p.file.Path, reason)
			return nil
		}
	}
	first, last, err := s.cmp.Sides(ctx, p.file)
	if err != nil {
		return s.lose(ctx, p, owners, err)
	}
	entry := stagedEntry{Path: p.file.Path, Scope: s.scope, Method: s.request.Method, Discard: s.request.Discard, Owner: owners.Owner, Turns: owners.Turns, Thread: owners.In}
	kept := ""
	switch {
	case s.request.parts():
		err = s.chooseParts(&entry, first, last)
	case !p.named && owners.Owner == model.OwnerMixed:
		kept, err = s.chooseOwn(&entry, owners, first, last)
	default:
		entry.Whole = true
	}
	if err != nil {
		return err
	}
	if !entry.Whole && !entry.Mode && entry.lines().Empty() {
		s.keep(p.file.Path, kept)
		return nil
	}
	return s.put(ctx, entry, kept, first, last)
}

func (s *stager) keep(path model.Path, reason string) {
	if _, staged := s.set.find(path); staged {
		return // it was named before
	}
	note := model.Noted{Path: path, Reason: reason}
	s.set.dropKept(func(p model.Path) bool { return p == path })
	s.set.Kept, s.kept = append(s.set.Kept, stagedKept{Scope: s.scope, Kept: note}), append(s.kept, note)
}

// text tells whether both sides are files that are compared by lines: only of such
// can parts be chosen.
func text(first, last plan.Version) bool {
	return first.State.Kind == model.KindFile && last.State.Kind == model.KindFile &&
		!patch.IsBinary(first.Content) && !patch.IsBinary(last.Content)
}

// oneSided tells whether the scope made or removed a text: it has one hunk, which
// is all of the file.
func oneSided(first, last plan.Version) bool {
	a, b := first.State.Kind, last.State.Kind
	return (a == model.KindAbsent && b == model.KindFile || a == model.KindFile && b == model.KindAbsent) &&
		!patch.IsBinary(first.Content) && !patch.IsBinary(last.Content)
}

// chooseParts takes the hunks and lines that the request names.
func (s *stager) chooseParts(entry *stagedEntry, first, last plan.Version) error {
	if oneSided(first, last) {
		return s.chooseOneSided(entry, first, last)
	}
	files := first.State.Kind == model.KindFile && last.State.Kind == model.KindFile
	onlyMode := len(s.request.Lines) == 0 && !slices.ContainsFunc(s.request.Hunks, func(n int) bool { return n != ModeHunk })
	if !files || !onlyMode && !text(first, last) {
		return model.Usagef("%q has no hunks to choose from: it is not text on both sides", entry.Path).
			WithHint("stage the whole file: give neither --hunk nor --lines")
	}
	var numbers []int
	for _, n := range s.request.Hunks {
		if n != ModeHunk {
			numbers = append(numbers, n)
		} else if entry.Mode = first.State.Mode != last.State.Mode; !entry.Mode {
			return model.Usagef("the scope did not change the mode of %q", entry.Path)
		}
	}
	if onlyMode {
		return nil
	}
	d := patch.Compare(first.Content, last.Content, patch.Options{})
	sel, missing := d.SelectHunks(numbers)
	if missing != 0 {
		return noHunk(entry.Path, missing, d)
	}
	for _, l := range s.request.Lines {
		lines := patch.Selection{New: []patch.Range{{From: l.From - 1, To: l.To}}}
		if l.Old {
			lines = patch.Selection{Old: lines.New}
		}
		chosen := d.SelectLines(lines)
		if chosen.Empty() {
			return model.Usagef("the scope did not change lines %s of %q", spell(l), entry.Path).
				WithHint("lines are those of the new side, with a leading - those of the old one")
		}
		sel, entry.ByLines = sel.Join(chosen), true
	}
	entry.setLines(sel)
	entry.Hunks = d.HunksOf(sel)
	return nil
}

// chooseOneSided takes the one hunk of a file that was made or removed, which is the
// whole file, with a whole file's checks. Lines of it cannot go back alone.
func (s *stager) chooseOneSided(entry *stagedEntry, first, last plan.Version) error {
	d := patch.Compare(first.Content, last.Content, patch.Options{})
	_, missing := d.SelectHunks(s.request.Hunks)
	switch {
	case len(s.request.Lines) > 0 || slices.Contains(s.request.Hunks, ModeHunk):
		return model.Usagef("%q is not there on both sides: it goes back whole", entry.Path).
			WithHint("stage the whole file: give neither --hunk nor --lines")
	case missing != 0:
		return noHunk(entry.Path, missing, d)
	}
	entry.Whole = true
	return nil
}

func noHunk(path model.Path, n int, d *patch.Diff) error {
	return model.Usagef("%q has no hunk %d; it has %d", path, n, len(d.Exact())).
		WithHint("`overturn diff SCOPE --patch --exact` shows them, counted from 1 in each file")
}

// chooseOwn takes the hunks of a mixed file that the scope's own agent made, and
// says why the others stay.
func (s *stager) chooseOwn(entry *stagedEntry, owners Owners, first, last plan.Version) (kept string, err error) {
	if !text(first, last) {
		return s.cmp.Keeps(model.OwnerMixed, ""), nil
	}
	own, kept := ownHunks(s.cmp, owners)
	d := patch.Compare(first.Content, last.Content, patch.Options{})
	for _, n := range own {
		if n == ModeHunk {
			entry.Mode = true
		} else {
			entry.Hunks = append(entry.Hunks, n)
		}
	}
	sel, missing := d.SelectHunks(entry.Hunks)
	if missing != 0 {
		return "", model.Errorf(model.CodeFailed, "the owners of %q name hunk %d, which is not there", entry.Path, missing)
	}
	entry.setLines(sel)
	return kept, nil
}

// put joins the entry with what is staged of its path and stores its contents.
func (s *stager) put(ctx context.Context, entry stagedEntry, kept string, first, last plan.Version) error {
	var err error
	if entry.First, err = s.side(first); err != nil {
		return err
	}
	if entry.Last, err = s.side(last); err != nil {
		return err
	}
	if i, found := s.set.find(entry.Path); found {
		if err := s.join(&entry, s.set.Entries[i], first, last); err != nil {
			return err
		}
	}
	if entry.Whole {
		if entry.Index, err = s.indexChange(ctx, entry.Path); err != nil {
			return err
		}
		if entry.First.State.Kind == model.KindAbsent {
			if entry.Made, err = s.madeFolders(ctx, entry.Path); err != nil {
				return err
			}
		}
	}
	s.set.dropKept(func(p model.Path) bool { return p == entry.Path })
	if kept != "" && !entry.Whole {
		s.set.Kept = append(s.set.Kept, stagedKept{Scope: s.scope, Kept: model.Noted{Path: entry.Path, Reason: kept}})
	}
	s.set.put(entry)
	s.staged = append(s.staged, entry.Path)
	return nil
}

func (s *stager) side(v plan.Version) (stagedSide, error) {
	side := stagedSide{State: v.State}
	if v.State.Kind == model.KindAbsent {
		return side, nil
	}
	var err error
	side.Blob, err = s.w.Write(objects.TypeBlob, v.Content)
	if err != nil {
		return side, model.Failf(err, "the staged contents cannot be stored")
	}
	return side, nil
}

// join adds what is staged already: hunks add up, a whole file replaces them.
func (s *stager) join(entry *stagedEntry, old stagedEntry, first, last plan.Version) error {
	if old.Scope != s.scope {
		return model.Usagef("%q is staged from the scope %s", entry.Path, s.set.Scopes[old.Scope].Scope).
			WithHint("unstage it first: `overturn unstage`")
	}
	if entry.Whole {
		return nil
	}
	if old.First != entry.First || old.Last != entry.Last {
		return model.Usagef("%q changed since parts of it were staged", entry.Path).
			WithHint("unstage it first: `overturn unstage`")
	}
	if old.Whole {
		entry.Whole, entry.Mode, entry.Hunks, entry.ByLines = true, false, nil, false
		entry.setLines(patch.Selection{})
		return nil
	}
	sel := entry.lines().Join(old.lines())
	entry.setLines(sel)
	entry.Mode, entry.ByLines = entry.Mode || old.Mode, entry.ByLines || old.ByLines
	entry.Hunks = patch.Compare(first.Content, last.Content, patch.Options{}).HunksOf(sel)
	return nil
}

// indexChange is the entry that the turns themselves moved in the user's index, or nil.
func (s *stager) indexChange(ctx context.Context, path model.Path) (*stagedIndex, error) {
	first, last, ok, err := s.cmp.Index(ctx, path)
	if err != nil || !ok || first == last {
		return nil, err
	}
	return &stagedIndex{first.Mode, first.OID, last.Mode, last.OID}, nil
}

// madeFolders is the folders above a path that the scope made, deepest first.
func (s *stager) madeFolders(ctx context.Context, path model.Path) (model.Paths, error) {
	var list model.Paths
	for dir := worktree.Dir(path); dir != ""; dir = worktree.Dir(dir) {
		made, err := s.cmp.MadeFolder(ctx, dir)
		if err != nil {
			return nil, err
		}
		if !made {
			break
		}
		list = append(list, dir)
	}
	return list, nil
}
