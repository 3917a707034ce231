package rollback

import (
	"context"
	"strings"

	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
)

// The bounds of what one event says: a trace is read by people, and git is asked
// about a few paths only, so that a large rollback does not wait for it.
const (
	toldPosts  = 200 // hashes of one rollback.verified
	toldStatus = 32  // paths that git status is asked about
)

// planned records what a plan shows: its paths, the lines that it takes out and
// puts in, its fingerprint, and the turn where all of it is one's.
func (e *Engine) planned(set *stagedSet, p *Prepared) {
	if len(p.Targets) == 0 {
		return
	}
	event := trace.Event{Event: trace.CheckpointDiff, Paths: targetPaths(p.Plan.Targets), After: p.Plan.Fingerprint}
	if len(set.Scopes) == 1 {
		event.Thread = set.Scopes[0].Thread
		if scope, err := model.ParseScope(set.Scopes[0].Scope); err == nil {
			event.Turn = scope.Turn
		}
	}
	event.Additions, event.Deletions = patch.Totals(p.Plan.Patch)
	e.Trace.Record(event)
}

// Declined records that a plan was shown, its confirmation asked for, and not given.
func (e *Engine) Declined(plan *model.Plan) {
	e.Trace.Record(trace.Event{
		Event: trace.RollbackCancelled, Paths: targetPaths(plan.Targets), After: plan.Fingerprint,
		Outcome: "declined", Reason: "it was not confirmed",
	})
}

// told records how a task ended; reason is why it was unwound, or what failed behind it.
func (e *Engine) told(ctx context.Context, t *task, r *model.Result, reason string) {
	event := trace.Event{
		Event: trace.CheckpointRollback, ID: r.ID, Outcome: string(r.Outcome), Before: r.Safety, After: r.Fingerprint,
		Paths: writtenPaths(r), Reason: reason,
	}
	switch r.Outcome {
	case model.OutcomeCancelled:
		event.Event = trace.RollbackCancelled
	case model.OutcomeStale:
		event.Event = trace.RollbackStale
	case model.OutcomeRefused:
		event.Event = trace.RollbackRefused
	}
	e.Trace.Record(event)
	if event.Event != trace.CheckpointRollback {
		return
	}
	e.verified(ctx, r)
	if t.of != "" {
		e.Trace.Record(trace.Event{Event: trace.RollbackUndone, ID: t.of, Paths: event.Paths, Outcome: string(r.Outcome), Detail: map[string]any{"by": r.ID}})
	}
}

// verified records what was read back: the hash of each path, and for a few paths
// what git says of them.
func (e *Engine) verified(ctx context.Context, r *model.Result) {
	event := trace.Event{Event: trace.RollbackVerified, ID: r.ID, Outcome: "verified"}
	if !r.Verified {
		event.Outcome, event.Reason = "differs", "changed again by another process"
	}
	for _, p := range r.Post {
		event.Paths = append(event.Paths, p.Path)
	}
	if n := len(r.Post); n > 0 && n <= toldPosts {
		event.Detail = map[string]any{"post": r.Post}
	}
	event.GitStatus = e.statusOf(ctx, event.Paths)
	e.Trace.Record(event)
}

// statusOf is what git status prints of the paths; "" when they are clean, too
// many, or git has no answer: the rollback was read back without it.
func (e *Engine) statusOf(ctx context.Context, paths model.Paths) string {
	if len(paths) == 0 || len(paths) > toldStatus {
		return ""
	}
	args := []string{"status", "--porcelain", "--"}
	for _, p := range paths {
		args = append(args, string(p))
	}
	out, err := e.Repo.Git(ctx, args...)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(out), "\n")
}

// writtenPaths is every path that a rollback wrote.
func writtenPaths(r *model.Result) model.Paths {
	var paths model.Paths
	for _, list := range []model.Paths{r.Restored, r.Created, r.Deleted, r.Merged} {
		paths = append(paths, list...)
	}
	return paths
}
