package rollback

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"overturn/model"
	"overturn/model/trace"
	"overturn/review/patch"
	"overturn/rollback/journal"
	"overturn/rollback/revert"
)

// RevertOptions say which thread goes back, to which boundary, and what confirms it:
// Expect is the fingerprint of the plan that PlanRevert made with the same Thread, To and
// Keep. Keep leaves the agent's conversation as it is. The others are as for a rollback.
type RevertOptions struct {
	Thread model.ThreadID
	To     int
	Keep   bool
	ExecuteOptions
}

// Command is how the same is asked for on a command line, so that a hint leaves out nothing
// that was said.
func (o RevertOptions) Command(thread model.ThreadID) string {
	line := fmt.Sprintf("overturn revert --to %d --thread %s", o.To, thread.Word())
	if o.Keep {
		line += " --keep-conversation"
	}
	return line
}

// RevertPlan is what a revert would do. Refused is why it cannot be carried out now,
// though it could be worked out. Files is nil where the thread is at To already.
type RevertPlan struct {
	*model.Plan
	Thread       model.ThreadID
	To, Latest   int
	FromHead     bool // the baseline is not there, and HEAD stands for it
	Head         HeadBase
	Conversation model.Conversation
	NewID        bool // the conversation goes on as one of its own
	Refs         []string
	Refused      error

	subject  *revert.Subject
	more     int // prompts of the conversation that were not recorded, and go with its turns
	prepared *Prepared
}

// Turns is how many turns leave the thread.
func (p *RevertPlan) Turns() int { return p.Latest - p.To }

// PlanRevert works out what taking the thread back to a boundary would do, and asks
// for the conversation. It writes nothing that the user sees. CodeUsage: no such thread,
// a boundary ahead of the latest turn. CodeRefused: another work tree's thread, an open
// turn. CodeFailed: the boundary was not captured.
func (e *Engine) PlanRevert(ctx context.Context, o RevertOptions) (*RevertPlan, error) {
	subject, err := e.Saga.Look(ctx, o.Thread, o.To)
	if err != nil {
		return nil, err
	}
	p := &RevertPlan{Thread: subject.Thread, To: subject.To, Latest: subject.Latest, subject: subject}
	set, err := e.revertSet(ctx, p)
	if err != nil {
		return nil, err
	}
	if p.Plan, p.prepared, err = e.planSet(ctx, set); err != nil {
		return nil, err
	}
	if p.Turns() == 0 {
		return p, nil
	}
	fate := e.Saga.Conversation(ctx, subject, o.Keep)
	p.Conversation, p.NewID, p.more, p.Refused = fate.Conversation, fate.NewID, fate.More, fate.Refused
	moves, err := e.Saga.Prepare(ctx, subject, "", o.Keep)
	if err != nil {
		return nil, err
	}
	for _, ref := range moves.Refs {
		p.Refs = append(p.Refs, ref.Name)
	}
	if conflicts := p.prepared.Conflicts(); p.Refused == nil && len(conflicts) > 0 {
		p.Refused = conflictError(conflicts).WithHint("`%s --partial` leaves these files as they are", o.Command(p.Thread))
	}
	p.Patch = append([]byte(p.headLine(o.Keep)), p.Patch...)
	p.Fingerprint = patch.Fingerprint(p.Patch)
	return p, nil
}

// headLine is what the fingerprint covers beside the files, as a line that `git apply`
// passes over: a thread that went on, or another word about the conversation, is another
// plan, and so is a conversation that went on unrecorded.
func (p *RevertPlan) headLine(keep bool) string {
	talk := "back"
	switch {
	case !p.Conversation.Supported:
		talk = "unsupported"
	case keep:
		talk = "kept"
	case p.more > 0:
		talk = fmt.Sprintf("back with %d more", p.more)
	}
	newest, tree := p.subject.Turns[len(p.subject.Turns)-1], "-"
	if newest.End != nil {
		tree = newest.End.Tree
	}
	base := ""
	if p.FromHead {
		base = " base HEAD " + cmp.Or(p.Head.Commit, "-")
	}
	return fmt.Sprintf("# revert %d to %d%s newest %s id %s conversation %s thread %s\n", p.Latest, p.To, base, tree, patch.Quote(model.Path(newest.TurnID)), talk, patch.Quote(model.Path(p.Thread)))
}

// Revert takes a thread back to a boundary: files, then the conversation, then the
// refs of the later turns, then these turns, each step journalled. What is refused, stale
// or cancelled before the files are done is as for Execute: nothing was written, or it was
// put back. A failure behind that is CodePartial: the result says what was done, and
// Recover finishes or unwinds it. A thread that is at the boundary already is a result
// without an id.
func (e *Engine) Revert(ctx context.Context, o RevertOptions) (*model.Result, error) {
	why, err := parseWhy(o.Why)
	if err != nil {
		return nil, err
	}
	if err := patch.ParseFingerprint(o.Expect); err != nil {
		return nil, err
	}
	unlock, err := e.exclusive(ctx, "revert")
	if err != nil {
		return nil, err
	}
	defer unlock()
	e.Trace.Record(trace.Event{Event: trace.RevertRequested, Thread: o.Thread, Turn: o.To, After: o.Expect})
	result, err := e.revert(ctx, o, why)
	if err != nil {
		event := trace.Event{Event: trace.RevertFailed, Thread: o.Thread, Turn: o.To, Reason: err.Error()}
		if result != nil {
			event.ID, event.Outcome, event.Paths = result.ID, string(result.Outcome), writtenPaths(result)
		}
		e.Trace.Record(event)
	}
	return result, err
}

func (e *Engine) revert(ctx context.Context, o RevertOptions, why string) (*model.Result, error) {
	p, err := e.PlanRevert(ctx, o)
	if err != nil {
		return nil, err
	}
	if p.Turns() == 0 {
		t := &task{fingerprint: p.Fingerprint, scopes: p.Scopes}
		return t.nothing(), nil
	}
	if p.Fingerprint != o.Expect {
		r, _ := e.stale(p.Plan)
		return r, model.Errorf(model.CodeStale, "the work tree or the thread changed since the review, or it was made with other flags; nothing was written").
			WithHint("look at `%s --plan` again, and confirm its fingerprint", o.Command(p.Thread))
	}
	conflicts := p.prepared.Conflicts()
	if p.Refused != nil && (len(conflicts) == 0 || !o.Partial) {
		return e.revertRefused(p, conflicts)
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackConfirmed, Thread: p.Thread, Paths: targetPaths(p.Targets), After: p.Fingerprint, Outcome: journal.KindRevert})
	t := taskOf(p.Plan, p.prepared, ExecuteOptions{Why: why, Partial: o.Partial, Progress: o.Progress})
	t.kind = journal.KindRevert
	t.revert = func(id model.ID) (*journal.Revert, error) {
		move, err := e.Saga.Prepare(ctx, p.subject, id, o.Keep)
		if err == nil && p.FromHead {
			move.Base = "HEAD"
		}
		return move, err
	}
	return e.carry(ctx, t)
}

// revertRefused is a revert that was not begun.
func (e *Engine) revertRefused(p *RevertPlan, conflicts []PreparedTarget) (*model.Result, error) {
	r, err := emptyResult(model.OutcomeRefused, p.Fingerprint, p.Scopes), p.Refused
	r.Conversation = &p.Conversation
	for _, c := range conflicts {
		r.Skipped = append(r.Skipped, model.Noted{Path: c.Path, Reason: c.Reason})
	}
	if len(conflicts) == 0 {
		hint := "--keep-conversation leaves the conversation as it is"
		if h := model.HintOf(err); h != "" {
			hint = h + "; or " + hint
		}
		refused := model.Errorf(model.CodeOf(err), "the conversation cannot be taken back now: %s; nothing was written", strings.TrimSuffix(err.Error(), "; nothing was written"))
		refused.Err = nil
		err = refused.WithHint("%s", hint)
	}
	e.Trace.Record(trace.Event{Event: trace.RollbackRefused, Thread: p.Thread, Paths: notedPaths(r.Skipped), After: p.Fingerprint, Reason: err.Error()})
	return r, err
}
