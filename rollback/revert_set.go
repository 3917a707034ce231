package rollback

import (
	"context"

	"overturn/model"
)

// revertSet is all that the turns behind a boundary did and that is their thread's own,
// as if it were staged; nothing is kept of it. What is behind the newest boundary that was
// captured is said among the effects.
func (e *Engine) revertSet(ctx context.Context, p *RevertPlan) (*stagedSet, error) {
	set := &stagedSet{}
	scope := model.Scope{Kind: model.ScopeRange, From: p.To, To: p.subject.End, Thread: p.Thread}
	if p.subject.End > p.To {
		cmp, err := e.openRevert(ctx, p, scope)
		if err == nil {
			err = e.stageAll(ctx, set, cmp)
		}
		if err != nil {
			return nil, err
		}
	} else {
		scope.To = p.Latest
		set.scopeOf(ScopeInfo{Scope: scope, Thread: p.Thread})
	}
	if why := p.subject.Unknown(); why != "" {
		set.Scopes[0].Effects = append(set.Scopes[0].Effects, model.Effect{Domain: model.DomainTracked, Summary: why, Reversible: model.ReversibleUnknown})
	}
	return set, nil
}

// openRevert compares the boundaries; HEAD may stand for the baseline alone, and only
// where that is not there.
func (e *Engine) openRevert(ctx context.Context, p *RevertPlan, scope model.Scope) (Comparison, error) {
	cmp, err := e.Review.Open(ctx, scope)
	if err == nil || p.To > 0 || model.CodeOf(err) != model.CodeFailed || ctx.Err() != nil {
		return cmp, err
	}
	cmp, p.Head, err = e.Review.OpenFromHead(ctx, scope)
	p.FromHead = err == nil
	return cmp, err
}

// stageAll adds all that a comparison vouches for to a set that nobody else sees.
func (e *Engine) stageAll(ctx context.Context, set *stagedSet, cmp Comparison) error {
	var picks []pick
	for _, f := range cmp.Files() {
		picks = append(picks, pick{file: f})
	}
	ignored, err := e.ignoredNow(ctx, picks)
	if err != nil {
		return err
	}
	w := e.Objects.NewWriter()
	defer w.Discard()
	s := &stager{engine: e, request: StageRequest{Scope: cmp.Info().Scope, Method: model.TakeOut}, cmp: cmp, set: set, w: w, ignored: ignored}
	s.scope = set.scopeOf(cmp.Info())
	for _, p := range picks {
		why, err := cmp.Vouches(ctx, p.file)
		if err != nil {
			return err
		}
		if why != "" {
			s.keep(p.file.Path, why)
		} else if err := s.stage(ctx, p); err != nil {
			return err
		}
	}
	for _, n := range cmp.Info().Moved {
		s.keep(n.Path, "left out of the capture ("+n.Reason+")")
	}
	if w.Pending() == 0 {
		return nil
	}
	if err := w.Flush(ctx); err != nil {
		return model.Failf(err, "the contents of the turns %s cannot be stored", cmp.Info().Scope)
	}
	return nil
}
