package rollback

import (
	"context"
	"fmt"
	"strings"

	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
	"overturn/rollback/journal"
)

// ExecuteOptions carry the confirmation of a rollback. Expect is the fingerprint
// of the patch that was reviewed; it is needed for Execute and not looked at by
// Undo and Redo, which check against what the rollback left. Partial carries out
// what can be and lists the rest. Why is the user's reason in a line, for the history
// and for the agent; Undo and Redo take none. Progress is told of each target that is
// done.
type ExecuteOptions struct {
	Expect   string
	Why      string
	Partial  bool
	Progress func(done, of int)
}

// Execute carries out the staged set, if its plan still has the fingerprint
// Expect; otherwise it is CodeStale. A conflict is CodeRefused, unless Partial. In
// both cases nothing was written, and the result says so as the error does. The
// end of ctx is CodeCancelled: what was done by then is unwound. When all targets
// are already as planned nothing is done, and the result has no id.
func (e *Engine) Execute(ctx context.Context, o ExecuteOptions) (*model.Result, error) {
	if o.Expect == "" {
		return nil, model.Usagef("a rollback needs the fingerprint of the plan that was reviewed").
			WithHint("`overturn plan` prints it")
	}
	if err := patch.ParseFingerprint(o.Expect); err != nil {
		return nil, err
	}
	why, err := parseWhy(o.Why)
	if err != nil {
		return nil, err
	}
	o.Why = why
	unlock, err := e.exclusive(ctx, "rollback")
	if err != nil {
		return nil, err
	}
	defer unlock()
	plan, prepared, err := e.Plan(ctx)
	if err != nil {
		return nil, err
	}
	if len(plan.Targets) == 0 {
		return nil, model.Usagef("nothing is staged").WithHint("`overturn stage` chooses what to take back")
	}
	if plan.Fingerprint != o.Expect {
		return e.stale(plan)
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackConfirmed, Paths: targetPaths(plan.Targets), After: plan.Fingerprint, Outcome: journal.KindRollback})
	conflicts := prepared.Conflicts()
	if len(conflicts) > 0 && !o.Partial {
		return e.refused(plan, conflicts)
	}
	result, err := e.carryPlan(ctx, plan, prepared, o)
	if err != nil {
		return result, err
	}
	return result, e.clear(context.WithoutCancel(ctx), sumOf(prepared.staged))
}

func (e *Engine) carryPlan(ctx context.Context, plan *model.Plan, p *Prepared, o ExecuteOptions) (*model.Result, error) {
	t := taskOf(plan, p, o)
	if len(t.targets) == 0 && len(t.index) == 0 {
		return t.nothing(), nil
	}
	return e.carry(ctx, t)
}

// taskOf is what carries a plan out: its conflicts are left out.
func taskOf(plan *model.Plan, p *Prepared, o ExecuteOptions) *task {
	t := &task{
		kind: journal.KindRollback, fingerprint: plan.Fingerprint, patch: plan.Patch, scopes: plan.Scopes, why: o.Why,
		kept: plan.Kept, domains: plan.Domains, residual: plan.Effects, partial: o.Partial, progress: o.Progress,
		stored: p.stored, staged: sumOf(p.staged),
	}
	for _, target := range p.Targets {
		if target.Writes() {
			t.targets = append(t.targets, target)
		}
	}
	for _, c := range p.Conflicts() {
		t.skipped = append(t.skipped, model.Noted{Path: c.Path, Reason: c.Reason})
	}
	for _, c := range p.Index {
		t.index = append(t.index, journal.IndexChange{Path: c.Path, From: journal.IndexEntry(c.From), To: journal.IndexEntry(c.To)})
	}
	for _, folder := range p.Folders {
		t.remove = append(t.remove, journal.Folder{Path: folder})
	}
	return t
}

// whyLimit is the longest reason in bytes.
const whyLimit = 1000

// parseWhy is a reason as one line of text.
func parseWhy(s string) (string, error) {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	if len(s) > whyLimit {
		return "", model.Usagef("the reason is %d bytes long; at most %d are kept", len(s), whyLimit)
	}
	return s, nil
}

func (e *Engine) stale(plan *model.Plan) (*model.Result, error) {
	e.Trace.Record(trace.Event{Event: trace.RollbackStale, Paths: targetPaths(plan.Targets), After: plan.Fingerprint})
	r := emptyResult(model.OutcomeStale, plan.Fingerprint, plan.Scopes)
	return r, model.Errorf(model.CodeStale, "the work tree changed since the review; nothing was written").
		WithHint("look at `overturn plan --patch` again, and confirm its fingerprint")
}

func (e *Engine) refused(plan *model.Plan, conflicts []PreparedTarget) (*model.Result, error) {
	r := emptyResult(model.OutcomeRefused, plan.Fingerprint, plan.Scopes)
	for _, c := range conflicts {
		r.Skipped = append(r.Skipped, model.Noted{Path: c.Path, Reason: c.Reason})
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackRefused, Paths: notedPaths(r.Skipped), After: plan.Fingerprint, Reason: conflicts[0].Reason})
	return r, conflictError(conflicts).WithHint("unstage what conflicts, stage single hunks, or carry out the rest with --partial")
}

func conflictError(conflicts []PreparedTarget) *model.Error {
	return model.Refusedf("%s cannot be taken back without losing other edits: %s; nothing was written", count(len(conflicts), "path"), conflicts[0].Reason)
}

func targetPaths(targets []model.Target) model.Paths {
	var paths model.Paths
	for _, t := range targets {
		paths = append(paths, t.Path)
	}
	return paths
}

func notedPaths(list []model.Noted) model.Paths {
	var paths model.Paths
	for _, n := range list {
		paths = append(paths, n.Path)
	}
	return paths
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
