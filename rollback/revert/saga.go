package revert

import (
	"context"
	"fmt"

	"overturn/gitops/refs"
	"overturn/model"
	"overturn/review/agents"
	"overturn/review/ledger"
)

// Turns is the ledger as a revert needs it; *ledger.Ledger is the real one.
type Turns interface {
	Standing(ctx context.Context, thread model.ThreadID) (ledger.Standing, error)
	TakenOut(ctx context.Context, thread model.ThreadID, id model.ID) ([]model.Turn, error)
	Revert(ctx context.Context, r ledger.Reverting) error
	Unrevert(ctx context.Context, r ledger.Reverting) error
	CanUnrevert(ctx context.Context, r ledger.Reverting) error
	GoesOn(ctx context.Context, conversation, thread model.ThreadID) error
	GoesOnNoMore(conversation model.ThreadID) error
}

// Deps is what a saga stands on.
type Deps struct {
	Turns    Turns
	Refs     *refs.Store
	Agent    func(name string) (agents.Agent, error)
	Runner   agents.Runner
	Getenv   func(string) string
	Root     string // of the work tree
	StateDir string
}

// Saga knows the parts of a thread that are not its files.
type Saga struct{ Deps }

// New returns the saga of one work tree; it does nothing until it is asked.
func New(d Deps) *Saga { return &Saga{d} }

// Subject is a thread that can go back to boundary To. End is the newest boundary
// behind To that was captured, To itself where none was: what is behind End is not known
// and stays.
type Subject struct {
	ledger.Standing
	To, End int
}

// Drop is how many turns leave the thread.
func (s *Subject) Drop() int { return s.Latest - s.To }

// Look checks what must hold of the thread before anything is written: it is known
// (CodeUsage), recorded in this work tree, without an open turn (CodeRefused), to is no
// boundary ahead of the latest (CodeUsage), and was captured (CodeFailed). Boundary 0 is
// left to the comparison, which may do without it.
func (s *Saga) Look(ctx context.Context, thread model.ThreadID, to int) (*Subject, error) {
	st, err := s.Turns.Standing(ctx, thread)
	if err != nil {
		return nil, err
	}
	switch {
	case st.Foreign:
		return nil, model.Refusedf("thread %q was recorded in another work tree", st.Thread).
			WithHint("go to the work tree that `overturn threads` names")
	case to < 0:
		return nil, model.Usagef("there is no boundary %d", to).
			WithHint("`overturn turns --thread %s` lists the turns; 0 is before the first", st.Thread.Word())
	case to > st.Latest:
		return nil, model.Usagef("boundary %d is ahead of the latest turn of thread %q, %d", to, st.Thread, st.Latest).
			WithHint("`overturn turns --thread %s` lists them; 0 is before the first", st.Thread.Word())
	case st.Open > 0:
		return nil, openTurn(st.Thread, st.Open)
	}
	subject := &Subject{Standing: st, To: to, End: to}
	held, err := s.ends(ctx, st.Turns)
	if err != nil {
		return nil, err
	}
	for _, t := range st.Turns {
		captured := t.End != nil && held[t.End.Ref] == t.End.Commit
		switch {
		case t.Number == to && !captured:
			return nil, model.Errorf(model.CodeFailed, "turn %d of thread %q was not captured (%s): %s", to, st.Thread, t.Status, t.StatusReason).
				WithHint("go back to another boundary; `overturn turns --thread %s` shows which were captured", st.Thread.Word())
		case t.Number > to && captured:
			subject.End = t.Number
		}
	}
	return subject, nil
}

// ends is what the refs of the turns' ends hold. The status of a turn speaks of its
// start too.
func (s *Saga) ends(ctx context.Context, turns []model.Turn) (map[string]string, error) {
	var names []string
	for _, t := range turns {
		if t.End != nil {
			names = append(names, t.End.Ref)
		}
	}
	return s.Refs.Values(ctx, names)
}

func openTurn(thread model.ThreadID, n int) error {
	return model.Refusedf("turn %d of thread %q is open", n, thread).
		WithHint("wait for the agent, or end it with `overturn turn end --thread %s`", thread.Word())
}

// Unknown says of the turns behind End that what they changed is not known.
func (s *Subject) Unknown() string {
	switch s.Latest - s.End {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("turn %d was not captured: what it changed stays", s.Latest)
	}
	return fmt.Sprintf("turns %d to %d were not captured: what they changed stays", s.End+1, s.Latest)
}
