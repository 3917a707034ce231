package recorders

import (
	"context"
	"fmt"
	"io"
	"strings"

	"overturn/gitops/checkpoint/foreign/entire"
	"overturn/model"
	"overturn/review/ledger"
)

// parts are the checkpoints of a session, with the commits that carry them searched.
func (s *Entire) parts(ctx context.Context, id model.ThreadID) (*entireListing, []part, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return nil, nil, err
	}
	parts := l.sessions[id]
	if len(parts) == 0 {
		return nil, nil, NoThread(id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.carriers == nil {
		found, err := s.reader.Carriers(ctx, l.since)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if l.carriers = found; err != nil {
			l.failed = err.Error()
		}
		if l.carriers == nil {
			l.carriers = map[string]entire.Carrier{}
		}
		s.searched = s.clock()
	}
	return l, parts, nil
}

// Turns lists the checkpoints of a session, by when they were made.
func (s *Entire) Turns(ctx context.Context, id model.ThreadID, from, to int) ([]model.Turn, error) {
	l, parts, err := s.parts(ctx, id)
	if err != nil {
		return nil, err
	}
	var list []model.Turn
	for i := max(from, 1); i <= len(parts) && (to <= 0 || i <= to); i++ {
		list = append(list, l.turn(id, i, parts[i-1], agentOf(parts)))
	}
	return list, nil
}

func (l *entireListing) turn(id model.ThreadID, n int, p part, agent string) model.Turn {
	t := model.Turn{
		Thread: id, Agent: agent, WorkTree: l.where(l.sessions[id]), Number: n, TurnID: p.checkpoint.ID, Prompt: p.session.Prompt, Ref: p.checkpoint.Ref,
		State: model.TurnUnknown, Status: model.StatusMissing, StartedAt: p.session.At,
	}
	if !t.StartedAt.IsZero() {
		t.CompletedAt = &p.session.At
	}
	if p.step != nil {
		return stepTurn(t, p.step)
	}
	var why []string
	carrier, carried := l.carriers[p.checkpoint.ID]
	switch {
	case carried && !carrier.Cut:
		t.Status, t.Base = model.StatusReady, carrier.Parent
		t.Start = &model.Boundary{Commit: carrier.Parent, Tree: carrier.Before, Head: carrier.Parent, CapturedAt: carrier.ParentAt}
		t.End = &model.Boundary{Commit: carrier.Commit, Tree: carrier.Tree, Head: carrier.Commit, CapturedAt: carrier.At}
		why = append(why, "no snapshot was kept: shown is commit "+carrier.Commit[:12]+", which carries its id")
		if carrier.Of > 1 {
			why = append(why, fmt.Sprintf("with those of %d others", carrier.Of-1))
		}
	case carried:
		why = append(why, "no snapshot was kept, and of commit "+carrier.Commit[:12]+", which carries its id, the parent is not here (a shallow clone)")
	case l.failed != "":
		why = append(why, "no snapshot was kept, and "+l.failed)
	default:
		why = append(why, "no snapshot was kept, and no commit here carries its id")
	}
	if t.Status != model.StatusReady {
		t.Files = touched(p)
	}
	t.StatusReason = strings.Join(append(why, p.checkpoint.Odd...), "; ")
	return t
}

// stepTurn is a step: a snapshot that goes when a checkpoint is made.
func stepTurn(t model.Turn, s *entire.Step) model.Turn {
	t.StatusReason = "of a session without a checkpoint yet: the Entire CLI removes " + s.Ref + " when it makes one"
	t.End = &model.Boundary{Ref: s.Ref, Commit: s.Commit, Tree: s.Tree, CapturedAt: s.At}
	if s.Before == "" {
		t.StatusReason = "its start: the commit that " + s.Ref + " is named for is not here"
		return t
	}
	t.Status, t.Base = model.StatusReady, s.Before
	t.Start = &model.Boundary{Commit: s.Before, Tree: s.BeforeTree, CapturedAt: s.BeforeAt}
	return t
}

// touched is the files that the record names: what became of them it does not say.
func touched(p part) []model.FileChange {
	paths := p.session.Files
	if len(paths) == 0 {
		paths = p.checkpoint.Files
	}
	var list []model.FileChange
	for _, path := range paths {
		list = append(list, model.FileChange{Path: path, Change: model.Modified, Additions: -1, Deletions: -1, Owner: model.OwnerUnknown})
	}
	return list
}

// Baseline is where the first checkpoint went out from.
func (s *Entire) Baseline(ctx context.Context, id model.ThreadID) (model.Boundary, error) {
	turns, err := s.Turns(ctx, id, 1, 1)
	if err != nil {
		return model.Boundary{}, err
	}
	if turns[0].Start == nil {
		return model.Boundary{}, model.Errorf(model.CodeFailed, "where thread %q began is not known: %s", id, turns[0].StatusReason).
			WithHint("choose a turn; `overturn turns --thread %s` lists them", id.Word())
	}
	return *turns[0].Start, nil
}

// Files is what the commit that carries a checkpoint changed.
func (s *Entire) Files(ctx context.Context, turn *model.Turn, exact bool) ([]model.FileChange, error) {
	c := changes{objects: s.objs, exact: exact, except: entire.Metadata}
	return c.between(ctx, turn.Start.Tree, turn.End.Tree, "")
}

// WriteLog writes the log of the session as the checkpoint has it.
func (s *Entire) WriteLog(ctx context.Context, id model.ThreadID, n int, w io.Writer) (bool, error) {
	l, err := s.listing(ctx)
	if err != nil {
		return false, err
	}
	parts := l.sessions[id]
	if n < 1 || n > len(parts) {
		return false, NoThread(id)
	}
	return s.reader.WriteLog(ctx, parts[n-1].session, w)
}

// Evidence: a commit holds whatever was staged, the agent's and the user's alike.
func (s *Entire) Evidence(context.Context, model.ThreadID, int) (ledger.Evidence, error) {
	return ledger.Evidence{Gone: true}, nil
}
