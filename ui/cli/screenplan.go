package cli

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"overturn/model"
	"overturn/review"
	"overturn/review/inline"
	"overturn/review/patch"
	"overturn/rollback"
	"overturn/ui/view"
)

// heldPlans is how many plans stay known with their contents, and heldBytes how much of
// them in all: what the user reviewed, and what came since.
const (
	heldPlans = 3
	heldBytes = 32 << 20
)

// heldPlan is a plan with what stood at its targets.
type heldPlan struct {
	fingerprint string
	targets     []rollback.PreparedTarget
}

func (s *screen) Plan(ctx context.Context) (*model.Plan, error) {
	plan, prepared, err := s.writer.Plan(ctx)
	if err == nil {
		s.holdPlan(plan, prepared)
	}
	return plan, err
}

// holdPlan keeps the contents of a plan, and lets go of those of the oldest.
func (s *screen) holdPlan(plan *model.Plan, prepared *rollback.Prepared) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = slices.DeleteFunc(s.plans, func(h heldPlan) bool { return h.fingerprint == plan.Fingerprint })
	s.plans = append(s.plans, heldPlan{plan.Fingerprint, prepared.Targets})
	for len(s.plans) > heldPlans || len(s.plans) > 0 && sizeOf(s.plans) > heldBytes {
		s.plans = slices.Delete(s.plans, 0, 1)
	}
}

func sizeOf(plans []heldPlan) (n int) {
	for _, h := range plans {
		for _, t := range h.targets {
			n += len(t.Before) + len(t.After)
		}
	}
	return n
}

// target is a path of a plan that is held.
func (s *screen) target(fingerprint string, path model.Path) (rollback.PreparedTarget, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.plans {
		for _, t := range h.targets {
			if h.fingerprint == fingerprint && t.Path == path {
				return t, true
			}
		}
	}
	return rollback.PreparedTarget{}, false
}

// Result compares what stands at a path with what the plan would leave there.
func (s *screen) Result(ctx context.Context, plan *model.Plan, path model.Path) (*view.Document, error) {
	t, ok := s.target(plan.Fingerprint, path)
	if !ok {
		now, err := s.Plan(ctx)
		if err != nil {
			return nil, err
		}
		if t, ok = s.target(now.Fingerprint, path); now.Fingerprint != plan.Fingerprint {
			return nil, model.Errorf(model.CodeStale, "the plan is another by now").WithHint("R works it out anew")
		} else if !ok {
			return nil, model.Failf(nil, "%q is too large to be shown", string(path)).WithHint("its lines are in the patch")
		}
	}
	change := map[bool]model.Change{true: model.Added, false: model.Modified}[t.From.Kind == model.KindAbsent]
	if t.To.Kind == model.KindAbsent {
		change = model.Deleted
	}
	doc := &view.Document{File: view.File{FileChange: model.FileChange{Path: path, Change: change}}, Header: resultHeader(t)}
	doc.Old, doc.New = patch.NewText(nil), patch.NewText(nil)
	if doc.Binary = patch.IsBinary(t.Before) || patch.IsBinary(t.After); doc.Binary {
		doc.Header = append(doc.Header, binaryWords(t.Before, t.After))
		return doc, nil
	}
	d, err := patch.CompareContext(ctx, t.Before, t.After, patch.Options{})
	if err != nil {
		return nil, err
	}
	doc.Old, doc.New, doc.Emphasis = d.Old, d.New, inline.Emphasis
	doc.OldNoNewline, doc.NewNoNewline = d.Old.NoFinalNewline(), d.New.NoFinalNewline()
	textRemarks(doc, d)
	doc.Hunks = hunks(d, review.FileOwners{})
	return doc, nil
}

// resultHeader says what would become of the path but for its lines.
func resultHeader(t rollback.PreparedTarget) []string {
	switch {
	case t.Verdict == model.VerdictConflict:
		return []string{"conflict, it stays as it is: " + t.Reason}
	case t.Verdict == model.VerdictAlready:
		return []string{"it is back already"}
	case t.From.Kind == model.KindAbsent:
		return []string{fmt.Sprintf("would be made: %s, mode %s", t.To.Kind, t.To.Mode)}
	case t.To.Kind == model.KindAbsent:
		return []string{fmt.Sprintf("would be deleted: %s, mode %s", t.From.Kind, t.From.Mode)}
	case t.From.Kind != t.To.Kind:
		return []string{fmt.Sprintf("is a %s, would be a %s", t.From.Kind, t.To.Kind)}
	case t.From.Mode != t.To.Mode:
		return []string{fmt.Sprintf("mode %s → %s%s", t.From.Mode, t.To.Mode, executes(t.From.Mode, t.To.Mode))}
	}
	return nil
}

// driftLines is how many lines of one path are shown.
const driftLines = 40

// Drift holds a plan against the one that was reviewed, target by target.
func (s *screen) Drift(_ context.Context, reviewed, now *model.Plan) ([]view.Drift, error) {
	was := make(map[model.Path]model.Target, len(reviewed.Targets))
	for _, t := range reviewed.Targets {
		was[t.Path] = t
	}
	var list []view.Drift
	for _, t := range now.Targets {
		old, ok := was[t.Path]
		delete(was, t.Path)
		if !ok {
			list = append(list, view.Drift{Path: t.Path, Words: "is in the plan now"})
			continue
		}
		words := driftWords(old, t)
		if words == "" {
			continue
		}
		d := view.Drift{Path: t.Path, Words: words}
		before, okOld := s.target(reviewed.Fingerprint, t.Path)
		after, okNew := s.target(now.Fingerprint, t.Path)
		if okOld && okNew {
			d.Lines, d.Cut = lineDrift(before, after)
		}
		list = append(list, d)
	}
	for _, t := range reviewed.Targets {
		if _, gone := was[t.Path]; gone {
			list = append(list, view.Drift{Path: t.Path, Words: "is not in the plan any more"})
		}
	}
	return list, nil
}

// driftWords says what is different in a target, "" for nothing.
func driftWords(was, now model.Target) string {
	var words []string
	switch {
	case was.From == now.From:
	case now.From.Kind == model.KindAbsent:
		words = append(words, "is gone")
	case was.From.Kind == model.KindAbsent:
		words = append(words, "was made")
	case was.From.SHA256 == now.From.SHA256:
		words = append(words, "mode "+was.From.Mode+" → "+now.From.Mode)
	default:
		words = append(words, "was edited")
	}
	if was.Verdict != now.Verdict {
		words = append(words, string(was.Verdict)+" → "+string(now.Verdict))
	}
	if was.Op != now.Op {
		words = append(words, string(was.Op)+" → "+string(now.Op))
	}
	if len(words) == 0 && was.To != now.To {
		words = append(words, "what it would be is different")
	}
	return strings.Join(words, ", ")
}

// lineDrift is what changed in the lines that stand at a target, else in those that
// would.
func lineDrift(was, now rollback.PreparedTarget) (lines []string, cut int) {
	old, text := was.Before, now.Before
	if bytes.Equal(old, text) {
		old, text = was.After, now.After
	}
	if patch.IsBinary(old) || patch.IsBinary(text) {
		return nil, 0
	}
	d := patch.Compare(old, text, patch.Options{})
	for _, h := range d.Exact() {
		lines = append(lines, strings.TrimSuffix(d.Header(h), "\n"))
		for _, e := range h.Edits {
			for i := e.OldFrom; i < e.OldTo; i++ {
				lines = append(lines, "-"+string(d.Old.Line(i)))
			}
			for i := e.NewFrom; i < e.NewTo; i++ {
				lines = append(lines, "+"+string(d.New.Line(i)))
			}
		}
	}
	if len(lines) > driftLines {
		return lines[:driftLines], len(lines) - driftLines
	}
	return lines, 0
}
