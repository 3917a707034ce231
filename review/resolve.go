package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"overturn/model"
)

// end is one of the two states of a resolved scope.
type end struct {
	label   string
	ref     string
	commit  string // snapshot or project commit; "" for the present and an unborn HEAD
	project bool   // commit is one of the project's
	present bool
}

// Resolve spells a scope out: latest becomes a turn, thread a range, an
// abbreviated thread its whole id, the base of a branch the commit it stands for.
// CodeUsage: unknown thread or turn, a boundary ahead of the latest.
// CodeNoRepository: nothing is recorded here. CodeFailed: a boundary that has no
// snapshot, with its status and reason.
func (e *Engine) Resolve(ctx context.Context, s model.Scope) (Resolved, error) {
	r := Resolved{Scope: s}
	if err := e.resolveThread(ctx, &r); err != nil {
		return r, err
	}
	switch s.Kind {
	case model.ScopeWorking:
		return r, e.resolveWorking(ctx, &r)
	case model.ScopeBranch:
		return r, e.resolveBranch(ctx, &r)
	case model.ScopeLatest, model.ScopeTurn:
		return r, e.resolveTurn(ctx, &r)
	default:
		return r, e.resolveRange(ctx, &r)
	}
}

// resolveThread finds the thread that the scope is about. The live scopes do
// without one.
func (e *Engine) resolveThread(ctx context.Context, r *Resolved) error {
	id, err := e.threadID(ctx, r.Scope.Thread)
	if err != nil {
		if !r.Scope.OfTurns() && r.Scope.Thread == "" && model.CodeOf(err) == model.CodeNoRepository {
			return nil
		}
		return err
	}
	thread, err := e.deps.Ledger.Thread(ctx, id)
	if err != nil {
		return err
	}
	r.Thread, r.Scope.Thread = &thread, id
	r.Latest, err = e.latest(ctx, id, r.Thread.Turns)
	return err
}

// latest is the newest turn that is not open, 0 when there is none. It looks at a few
// at a time, from the newest back.
func (e *Engine) latest(ctx context.Context, id model.ThreadID, newest int) (int, error) {
	for ; newest > 0; newest -= fewTurns {
		turns, err := e.deps.Ledger.Between(ctx, id, newest-fewTurns+1, newest)
		if err != nil {
			return 0, err
		}
		for _, t := range slices.Backward(turns) {
			if t.State != model.TurnOpen {
				return t.Number, nil
			}
		}
	}
	return 0, nil
}

// fewTurns is how many turns are read at once where mostly the newest are wanted.
const fewTurns = 16

func (e *Engine) threadID(ctx context.Context, name model.ThreadID) (model.ThreadID, error) {
	if name != "" {
		return e.deps.Ledger.Resolve(ctx, string(name))
	}
	return e.deps.Ledger.Default(ctx)
}

func (e *Engine) resolveWorking(ctx context.Context, r *Resolved) error {
	head, err := e.deps.Repo.Head(ctx)
	if err != nil {
		return err
	}
	r.base = end{label: "HEAD", commit: head.Commit, project: true}
	if head.Commit == "" {
		r.base.label = "nothing committed yet"
	}
	r.target = end{label: "present", present: true}
	return nil
}

func (e *Engine) resolveTurn(ctx context.Context, r *Resolved) error {
	n := r.Scope.Turn
	if r.Scope.Kind == model.ScopeLatest {
		n = r.Latest
	}
	if err := r.reached(n); err != nil {
		return err
	}
	turn, err := e.deps.Ledger.Brief(ctx, r.Scope.Thread, n)
	if err != nil {
		return err
	}
	r.Scope.Kind, r.Scope.Turn, r.Turns = model.ScopeTurn, n, []int{n}
	if r.base, err = e.boundary(ctx, r.Thread, turn, turn.Start, "start"); err != nil {
		return err
	}
	r.target, err = e.boundary(ctx, r.Thread, turn, turn.End, "end")
	return err
}

// reached refuses a boundary that is still to come.
func (r *Resolved) reached(n int) error {
	switch {
	case n > 0 && n <= r.Latest:
		return nil
	case r.Latest == 0:
		return model.Errorf(model.CodeNoRepository, "thread %q has no finished turn yet", r.Scope.Thread).
			WithHint("`overturn diff working` shows what is on disk")
	default:
		return model.Usagef("turn %d is ahead of the latest finished one, %d", n, r.Latest).
			WithHint("`overturn turns --thread %s` lists them", r.Scope.Thread.Word())
	}
}

func (e *Engine) resolveRange(ctx context.Context, r *Resolved) error {
	if r.Scope.Kind == model.ScopeThread {
		r.Scope.From, r.Scope.To = 0, r.Latest
	}
	if err := r.reached(r.Scope.To); err != nil {
		return err
	}
	r.Scope.Kind = model.ScopeRange
	var err error
	if r.base, err = e.numbered(ctx, r.Thread, r.Scope.From); err != nil {
		return err
	}
	if r.target, err = e.numbered(ctx, r.Thread, r.Scope.To); err != nil {
		return err
	}
	for n := r.Scope.From + 1; n <= r.Scope.To; n++ {
		r.Turns = append(r.Turns, n)
	}
	return nil
}

// numbered is boundary n: the end of turn n, or the baseline.
func (e *Engine) numbered(ctx context.Context, thread *model.Thread, n int) (end, error) {
	if n == 0 {
		commit, err := e.deps.Ledger.Boundary(ctx, thread.ID, 0)
		base := end{label: "baseline", commit: commit, project: thread.Plain}
		if !thread.Plain {
			base.ref = boundaryRef(thread.ID, 0)
		}
		return base, err
	}
	turn, err := e.deps.Ledger.Brief(ctx, thread.ID, n)
	if err != nil {
		return end{}, err
	}
	return e.boundary(ctx, thread, turn, turn.End, "end")
}

// boundaryRef is the ref of boundary n (CONTRACT, section 4).
func boundaryRef(thread model.ThreadID, n int) string {
	return fmt.Sprintf("refs/overturn/threads/%s/turn/%d", thread.RefPart(), n)
}

// boundary is a turn's start or end, if its ref still holds it. A base that is
// not there is an error, never another base.
func (e *Engine) boundary(ctx context.Context, thread *model.Thread, turn model.Turn, b *model.Boundary, which string) (end, error) {
	label := fmt.Sprintf("turn %d, %s", turn.Number, which)
	switch {
	case b == nil || b.Commit == "" && !thread.Plain:
		return end{}, missing(turn, which)
	case thread.Plain: // its ref is not ours, and was read a moment ago; no commit is before the first one
		return end{label: label, ref: b.Ref, commit: b.Commit, project: true}, nil
	}
	oid, err := e.deps.Refs.Read(ctx, b.Ref)
	if err != nil {
		return end{}, model.Failf(err, "cannot read the snapshot of the %s of turn %d", which, turn.Number)
	}
	if oid != b.Commit {
		return end{}, lost(turn, b, which, oid)
	}
	return end{label: label, ref: b.Ref, commit: b.Commit}, nil
}

func missing(turn model.Turn, which string) error {
	reason := turn.StatusReason
	if reason == "" {
		reason = "no reason was recorded"
	}
	err := model.Errorf(model.CodeFailed, "the %s of turn %d was not captured (status %s: %s)%s",
		which, turn.Number, turn.Status, reason, allTheSame(reason))
	return err.WithHint("choose another turn or range; `overturn turns` lists them")
}

// allTheSame warns, unless the reason has said so.
func allTheSame(reason string) string {
	const warning = "; files may have changed all the same"
	if strings.HasSuffix(reason, warning) {
		return ""
	}
	return warning
}

func lost(turn model.Turn, b *model.Boundary, which, found string) error {
	what := "is gone"
	if found != "" {
		what = "holds another snapshot than was recorded"
	}
	err := model.Errorf(model.CodeFailed, "the %s of turn %d is missing: %s %s", which, turn.Number, b.Ref, what)
	if err.Err = errors.New("status " + string(turn.Status)); strings.HasPrefix(turn.StatusReason, "pruned") {
		err.Err = errors.New(turn.StatusReason)
	}
	return err.WithHint("choose another turn or range; `overturn turns` lists them")
}
