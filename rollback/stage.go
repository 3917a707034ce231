package rollback

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/trace"
)

// PathArg is a PATH as the user gave it, relative to the root. With Folder it
// stands for all that the scope changed at it and below, chosen by owner; "" is
// then all of the scope. Without, a changed file of that very path is named, and
// all of it is meant, whoever owns it; where there is none, it is a folder.
type PathArg struct {
	Path   model.Path
	Folder bool
}

// LineRange is lines From to To, both included, counted from 1, of the new side,
// or of the old one.
type LineRange struct {
	Old      bool
	From, To int
}

// StageRequest names what to take back. No Paths: all of the scope. Hunks are
// numbers of the exact diff, ModeHunk the mode change; they and Lines need exactly
// one named file.
type StageRequest struct {
	Scope   model.Scope
	Paths   []PathArg
	Hunks   []int
	Lines   []LineRange
	Method  model.Method // "" is take-out
	Discard bool
}

func (r *StageRequest) parts() bool { return len(r.Hunks)+len(r.Lines) > 0 }

func (r *StageRequest) check() error {
	if r.Method == "" {
		r.Method = model.TakeOut
	}
	switch {
	case r.Method != model.TakeOut && r.Method != model.Restore:
		return model.Usagef("%q is not a method", r.Method).WithHint("use take-out or restore")
	case r.Discard && r.Method != model.Restore:
		return model.Usagef("edits can be discarded by restore only").WithHint("add --method restore")
	case r.parts() && (len(r.Paths) != 1 || r.Paths[0].Folder):
		return model.Usagef("hunks and lines are chosen in one named file")
	}
	for _, p := range r.Paths {
		if p.Path == "" && !p.Folder {
			return model.Usagef("a path must not be empty").WithHint("name a file or a folder, or give no path for all of the scope")
		}
	}
	for _, l := range r.Lines {
		if l.From < 1 || l.To < l.From {
			return model.Usagef("%d-%d is not a range of lines", l.From, l.To).WithHint("lines count from 1")
		}
	}
	return nil
}

// Stage adds to the staged set and returns it as a plan. A path that the scope did
// not change, a hunk that is not there and a path that is staged from another
// scope are wrong use (CodeUsage); a turn of another work tree is CodeRefused.
// Whatever it refuses, it changes nothing. Where all of the request stays, nothing
// is staged, and the plan names what stays, this once.
func (e *Engine) Stage(ctx context.Context, r StageRequest) (*model.Plan, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	cmp, err := e.Review.Open(ctx, r.Scope)
	if err != nil {
		return nil, err
	}
	info := cmp.Info()
	if info.Foreign && info.WorkTree == "" {
		return nil, model.Refusedf("turn %s was recorded by another program, which does not tell in which of the work trees", info.Scope).
			WithHint("`overturn diff %s --thread %s --patch` shows it", info.Scope, info.Thread.Word())
	}
	if info.Foreign && info.WorkTree == model.WorkTreeElsewhere {
		return nil, model.Refusedf("turn %s was recorded in another repository; it can only be staged there", info.Scope).
			WithHint("`overturn diff %s --thread %s --patch` shows it", info.Scope, info.Thread.Word())
	}
	if info.Foreign {
		return nil, model.Refusedf("turn %s was recorded in the work tree %q; it can only be staged there", info.Scope, info.WorkTree).
			WithHint("run overturn in that work tree")
	}
	picks, left, err := pickFiles(cmp, r.Paths)
	if err != nil {
		return nil, err
	}
	if r.parts() && (len(picks) == 0 || !picks[0].named) {
		return nil, model.Usagef("hunks and lines are chosen in one file, and %q is a folder", r.Paths[0].Path)
	}
	ignored, err := e.ignoredNow(ctx, picks)
	if err != nil {
		return nil, err
	}
	var staged model.Paths
	var kept []model.Noted
	err = e.withStaged(ctx, "stage", func(set *stagedSet, w *objects.Writer) error {
		before := slices.Clone(set.Kept)
		s := &stager{engine: e, request: r, cmp: cmp, set: set, w: w, ignored: ignored}
		s.scope = set.scopeOf(info)
		for i, p := range picks {
			if err := s.stage(ctx, p); err != nil {
				return err
			}
			model.TellProgress(ctx, i+1, len(picks))
		}
		for _, n := range left {
			s.keep(n.Path, "left out of the capture ("+n.Reason+")")
		}
		if staged = s.staged; len(staged) == 0 {
			set.Kept, kept = before, s.kept
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackStaged, Thread: info.Thread, Turn: info.Scope.Turn, Paths: staged})
	plan, _, err := e.Plan(model.WithProgress(ctx, nil)) // what was told is how much is staged
	if err != nil {
		return nil, err
	}
	for _, n := range kept {
		if !slices.Contains(plan.Kept, n) {
			plan.Kept = append(plan.Kept, n)
		}
	}
	return plan, nil
}

// scopeOf is the number of the scope among those of the set, which it joins.
func (s *stagedSet) scopeOf(info ScopeInfo) int {
	scope := stagedScope{Scope: info.Scope.String(), Thread: info.Thread, Effects: info.Effects}
	for i, known := range s.Scopes {
		if known.Scope == scope.Scope && known.Thread == scope.Thread {
			s.Scopes[i] = scope
			return i
		}
	}
	s.Scopes = append(s.Scopes, scope)
	return len(s.Scopes) - 1
}

// Unstage takes paths, and what lies below them, out of the staged set; no paths:
// all. It returns what is left as a plan. A path that is not staged is CodeUsage.
func (e *Engine) Unstage(ctx context.Context, paths []model.Path) (*model.Plan, error) {
	err := e.withStaged(ctx, "unstage", func(set *stagedSet, _ *objects.Writer) error {
		if len(paths) == 0 {
			*set = stagedSet{}
			return nil
		}
		for _, p := range paths {
			under := func(q model.Path) bool { return q.Under(p) }
			before := len(set.Entries)
			set.Entries = slices.DeleteFunc(set.Entries, func(e stagedEntry) bool { return under(e.Path) })
			if len(set.Entries) == before {
				return model.Usagef("%q is not staged", p).WithHint("`overturn status` lists what is")
			}
			set.dropKept(under)
		}
		return nil
	})
	if errors.Is(err, errStagedBroken) && len(paths) == 0 {
		err = e.setAside()
	}
	if err != nil {
		return nil, err
	}
	plan, _, err := e.Plan(ctx)
	return plan, err
}

// Staged lists the staged set, in path order, without working it out.
func (e *Engine) Staged(context.Context) ([]model.StagedPath, error) {
	set, err := e.loadStaged()
	if err != nil {
		return nil, err
	}
	list := make([]model.StagedPath, len(set.Entries))
	for i, entry := range set.Entries {
		list[i] = model.StagedPath{Path: entry.Path, Scope: set.Scopes[entry.Scope].Scope, Thread: set.Scopes[entry.Scope].Thread, Hunks: entry.shownHunks()}
		if entry.ByLines {
			list[i].Lines, list[i].Hunks = entry.shownLines(), nil
			if entry.Mode {
				list[i].Hunks = []int{ModeHunk}
			}
		}
	}
	return list, nil
}

// shownHunks is the numbers of the chosen hunks, ModeHunk first; nil of a whole file.
func (e *stagedEntry) shownHunks() []int {
	if e.Whole {
		return nil
	}
	if e.Mode {
		return append([]int{ModeHunk}, e.Hunks...)
	}
	return e.Hunks
}

// shownLines spells the chosen lines as --lines takes them.
func (e *stagedEntry) shownLines() string {
	var parts []string
	for _, r := range e.Old {
		parts = append(parts, fmt.Sprintf("-%d-%d", r[0]+1, r[1]))
	}
	for _, r := range e.New {
		parts = append(parts, fmt.Sprintf("%d-%d", r[0]+1, r[1]))
	}
	return strings.Join(parts, ",")
}
