package review

import (
	"context"
	"errors"
	"strings"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/review/ownership"
	"overturn/review/patch"
)

// Origins is who wrote each line of the two sides of a file, by number from 0: an
// index in By, or one of the two below. A side that is not known line by line is nil.
type Origins struct {
	By       []ownership.Verdict
	Old, New []int32
}

// What Origins says of a line that nobody on record wrote.
const (
	BeforeRecords = ownership.Before   // it was there before the first capture
	Untraced      = ownership.Untraced // it could not be followed
)

// Origins follows every line of f back through all that was captured in the work
// tree, whatever the change set compares: turns of every thread, and what the user did
// in between. It is nil for what is not compared by lines.
func (e *Engine) Origins(ctx context.Context, cs *ChangeSet, f *File) (*Origins, error) {
	d, err := e.Diff(ctx, cs, f, patch.Options{})
	if err != nil || d == nil {
		return nil, err
	}
	if cs.Plain { // no capture of ours leads there
		return &Origins{}, nil
	}
	h, err := e.past(ctx, cs, f)
	if err != nil {
		return nil, model.Failf(err, "cannot tell who wrote the lines of %q", f.Path)
	}
	if h == nil {
		return &Origins{}, nil
	}
	load := func(ctx context.Context, s ownership.State) ([]byte, error) { return e.deps.Objects.Blob(ctx, s.Key) }
	o := &Origins{By: h.Steps}
	last := len(h.States) - 1
	if o.New, err = h.Origins(ctx, last, load); err != nil {
		return nil, err
	}
	if base := version(h, f.Old.OID); base >= 0 {
		if o.Old, err = h.Origins(ctx, base, load); err != nil {
			return nil, err
		}
	}
	// Where other bytes are shown than the versions hold (line ends turned by git),
	// lines keep their numbers as long as their count is the same.
	if len(o.Old) != d.Old.Lines() {
		o.Old = nil
	}
	if len(o.New) != d.New.Lines() {
		o.New = nil
	}
	return o, nil
}

// version is the newest version but the last with that content, -1 when none has it.
func version(h *ownership.History, key string) int {
	for i := len(h.States) - 2; i >= 0; i-- {
		if h.States[i].Kind == model.KindFile && h.States[i].Key == key {
			return i
		}
	}
	return -1
}

// past is the versions of a file from the first capture of the work tree up to the
// target of the change set, nil when nothing was captured before it. A tree whose
// objects are gone counts as not captured.
func (e *Engine) past(ctx context.Context, cs *ChangeSet, f *File) (*ownership.History, error) {
	all, err := cs.lines.of(ctx, e, cs)
	if err != nil {
		return nil, err
	}
	lost := map[string]bool{}
	for {
		p := &pastFile{e: e, cs: cs, f: f, all: all, lost: lost, folders: map[folderKey]objects.TreeEntry{}, states: map[string]ownership.State{}}
		h, err := p.follow(ctx)
		if p.missing == "" || lost[p.missing] || p.missing == cs.Target.Tree {
			return h, err
		}
		lost[p.missing] = true
	}
}

// pastFile follows one file.
type pastFile struct {
	e       *Engine
	cs      *ChangeSet
	f       *File
	all     records
	lost    map[string]bool
	missing string // the tree that could not be read

	folders map[folderKey]objects.TreeEntry
	states  map[string]ownership.State // by tree
}

// follow looks at boundaries first; what happened inside a turn is read for those
// turns alone that changed the file.
func (p *pastFile) follow(ctx context.Context) (*ownership.History, error) {
	bare, err := p.cut(ctx, func(*recorded) bool { return false })
	if err != nil || len(bare) == 0 {
		return nil, err
	}
	changed := map[turnKey]bool{}
	for i := range bare {
		moved, err := p.moved(ctx, &bare[i])
		if err != nil {
			return nil, err
		}
		for _, t := range bare[i].Turns() {
			if moved {
				changed[turnKey{t.Thread, t.Number}] = true
			}
		}
	}
	whole, err := p.cut(ctx, func(r *recorded) bool { return changed[turnKey{r.turn.Thread, r.turn.Number}] })
	if err != nil {
		return nil, err
	}
	return p.history(ctx, whole)
}

// moved tells whether a segment changed the file.
func (p *pastFile) moved(ctx context.Context, s *ownership.Segment) (bool, error) {
	if s.From == s.To {
		return false, nil
	}
	from, err := p.at(ctx, s.From)
	if err != nil {
		return false, err
	}
	to, err := p.at(ctx, s.To)
	return from != to, err
}

func (p *pastFile) history(ctx context.Context, segments []ownership.Segment) (*ownership.History, error) {
	first, err := p.at(ctx, segments[0].From)
	if err != nil {
		return nil, err
	}
	h := &ownership.History{Path: p.f.Path, States: []ownership.State{first}}
	for i := range segments {
		s := &segments[i]
		made, err := p.at(ctx, s.To)
		if err != nil {
			return nil, err
		}
		if made != h.States[len(h.States)-1] {
			through(h, s, made)
			h.Append(made, s.Verdict(p.f.Path))
		}
	}
	return h, nil
}

// cut lays all turns on one line and cuts it, from the first capture to the target.
// Of the turns that are wanted, the evidence is read.
func (p *pastFile) cut(ctx context.Context, wanted func(*recorded) bool) ([]ownership.Segment, error) {
	known := map[turnKey]*ownership.Turn{}
	threads := make([]ownership.Thread, len(p.all))
	for i, turns := range p.all {
		for k := range turns {
			r := &turns[k]
			if wanted(r) {
				full, err := p.cs.lines.evidence(ctx, p.e, r)
				if err != nil {
					return nil, err
				}
				r = full
			}
			t := r.owner()
			known[turnKey{r.turn.Thread, r.turn.Number}] = t
			threads[i] = append(threads[i], r.points(t, p.lost, true)...)
		}
	}
	line := ownership.NewTimeline(threads...)
	from, tree, ok := line.First()
	if !ok {
		return nil, nil
	}
	_, to := p.cs.marks(line, known)
	if to <= from {
		return nil, nil
	}
	return line.Segments(from, to, tree, p.cs.Target.Tree), nil
}

type folderKey struct{ tree, name string }

// at is what stands at the path in a tree, as git has it; before a rename, at the
// path that the file had. Folders are shared by many trees and looked up once.
func (p *pastFile) at(ctx context.Context, tree string) (ownership.State, error) {
	if s, ok := p.states[tree]; ok {
		return s, ctx.Err()
	}
	var git Side
	en, err := p.find(ctx, tree, p.f.Path)
	if err == nil && en.Mode == 0 && p.f.OldPath != "" {
		en, err = p.find(ctx, tree, p.f.OldPath)
	}
	if err != nil {
		if errors.Is(err, objects.ErrNotFound) {
			p.missing = tree
		}
		return ownership.State{}, err
	}
	s := state(git.entry(p.f.Path, en.Mode, en.OID))
	p.states[tree] = s
	return s, nil
}

func (p *pastFile) find(ctx context.Context, tree string, path model.Path) (objects.TreeEntry, error) {
	at, rest := objects.TreeEntry{Mode: objects.ModeTree, OID: tree}, string(path)
	for {
		name, below, more := strings.Cut(rest, "/")
		key := folderKey{at.OID, name}
		next, ok := p.folders[key]
		if !ok {
			entries, err := p.e.deps.Objects.Tree(ctx, at.OID)
			if err != nil {
				return next, err
			}
			next, _ = search(entries, name, more)
			p.folders[key] = next
		}
		if !more || next.Mode != objects.ModeTree {
			if more {
				next = objects.TreeEntry{} // a file, or nothing, where a folder would be
			}
			return next, ctx.Err()
		}
		at, rest = next, below
	}
}
