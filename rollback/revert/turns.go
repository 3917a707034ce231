package revert

import (
	"context"
	"errors"
	"slices"
	"strings"

	"overturn/gitops/refs"
	"overturn/model"
	"overturn/review/ledger"
	"overturn/rollback/journal"
)

// parked is where the refs lie of turns that a revert took out (CONTRACT, section 4).
const parked = "refs/overturn/reverted/"

// Prepare is what the entry id is to do to the thread of a subject.
func (s *Saga) Prepare(ctx context.Context, subject *Subject, id model.ID, keep bool) (*journal.Revert, error) {
	r := &journal.Revert{Thread: subject.Thread, Agent: subject.Agent, To: subject.To, Latest: subject.Latest, Park: id, Keep: keep}
	all, err := s.refsOf(ctx, r, false)
	for _, ref := range all {
		r.Refs = append(r.Refs, journal.Ref{Name: ref.Name, OID: ref.OID})
	}
	return r, err
}

// Turned is r the other way round; id is the entry that does so.
func Turned(r *journal.Revert, id model.ID) *journal.Revert {
	t := *r
	if t.Back = !r.Back; !t.Back {
		t.Park = id
	}
	return &t
}

func threadRefs(thread model.ThreadID) string {
	return "refs/overturn/threads/" + thread.RefPart()
}

// away is the name of a ref of r while its turn is out.
func away(r *journal.Revert, name string) string {
	return parked + string(r.Park) + strings.TrimPrefix(name, threadRefs(r.Thread))
}

func reverting(r *journal.Revert) ledger.Reverting {
	return ledger.Reverting{Thread: r.Thread, To: r.To, Latest: r.Latest, ID: r.Park}
}

// TakeOut takes the turns out of the thread, refs first; moved is told when these were
// moved. CodeRefused: the thread has gone on, or a turn is open.
func (s *Saga) TakeOut(ctx context.Context, r *journal.Revert, moved func() error) error {
	do := reverting(r)
	do.Refs = func(ctx context.Context) error {
		return errors.Join(s.move(ctx, r, false), moved())
	}
	return s.Turns.Revert(ctx, do)
}

// PutBack puts them back, the refs last. CodeRefused: the thread has gone on.
func (s *Saga) PutBack(ctx context.Context, r *journal.Revert, moved func() error) error {
	do := reverting(r)
	do.Refs = func(ctx context.Context) error {
		return errors.Join(s.move(ctx, r, true), moved())
	}
	return s.Turns.Unrevert(ctx, do)
}

// Out tells whether all turns of r are out of the thread.
func (s *Saga) Out(ctx context.Context, r *journal.Revert) (bool, error) {
	out, err := s.Turns.TakenOut(ctx, r.Thread, r.Park)
	return slices.ContainsFunc(out, func(t model.Turn) bool { return t.Number == r.Latest }), err
}

// CanTakeOut tells whether TakeOut would do, and writes nothing.
func (s *Saga) CanTakeOut(ctx context.Context, r *journal.Revert) error {
	if out, err := s.Out(ctx, r); err != nil || out {
		return err
	}
	st, err := s.Turns.Standing(ctx, r.Thread)
	switch {
	case err != nil:
		return err
	case st.Open > 0:
		return openTurn(r.Thread, st.Open)
	case st.Latest > r.Latest:
		return model.Refusedf("thread %q has gone on: turn %d was started since", r.Thread, st.Latest).
			WithHint("`overturn revert --to %d --thread %s` takes the new turns back too", r.To, r.Thread.Word())
	}
	return nil
}

// CanPutBack tells whether PutBack would do, and writes nothing.
func (s *Saga) CanPutBack(ctx context.Context, r *journal.Revert) error {
	return s.Turns.CanUnrevert(ctx, reverting(r))
}

// move moves each ref that turns of r have by now, all in one transaction: an end that came
// late, after a revert was cut short, may have moved one since, or made it. One that is
// pruned stays so.
func (s *Saga) move(ctx context.Context, r *journal.Revert, back bool) error {
	found, err := s.refsOf(ctx, r, back)
	if err != nil {
		return err
	}
	to := make([]string, len(found))
	for i, ref := range found {
		if to[i] = away(r, ref.Name); back {
			to[i] = threadRefs(r.Thread) + strings.TrimPrefix(ref.Name, parked+string(r.Park))
		}
	}
	held, err := s.Refs.Values(ctx, to)
	if err != nil {
		return err
	}
	var updates []refs.Update
	for i, ref := range found {
		there := held[to[i]]
		if back && there != "" && there != ref.OID {
			continue // its turn was never out, and ended anew; what it was stays parked
		}
		if there != ref.OID {
			updates = append(updates, refs.Update{Name: to[i], Old: there, New: ref.OID})
		}
		updates = append(updates, refs.Update{Name: ref.Name, Old: ref.OID})
	}
	if len(updates) == 0 {
		return nil
	}
	return s.Refs.Apply(ctx, updates)
}

// refsOf lists the refs of the turns of r: in the thread, or where they lie while out.
func (s *Saga) refsOf(ctx context.Context, r *journal.Revert, out bool) ([]refs.Ref, error) {
	if out {
		return s.Refs.List(ctx, parked+string(r.Park))
	}
	all, err := s.Refs.List(ctx, threadRefs(r.Thread))
	return slices.DeleteFunc(all, func(ref refs.Ref) bool { return !leaves(r, ref.Name) }), err
}

// leaves tells whether a ref of the thread goes with the turns of r. A thread that goes back
// to before its first turn begins anew, with a baseline of its own: the old one goes along.
func leaves(r *journal.Revert, name string) bool {
	thread, n, _, err := ledger.ParseRef(name)
	return err == nil && thread == r.Thread && (n > r.To || r.To == 0)
}
