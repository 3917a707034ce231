package remotes

import (
	"context"
	"slices"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes/queue"
)

// refill asks what the remote has, and queues what it lacks.
func (p *push) refill(ctx context.Context) error {
	if !p.o.Refill {
		return nil
	}
	have, err := p.e.Advertised(ctx, p.t)
	if err != nil {
		return err
	}
	if err := p.e.takePolicy(ctx, p.t, have[checkpoint.PolicyRef]); err != nil {
		return err
	}
	return p.e.Queue.Refill(ctx, p.t.Key, func(ref queue.Ref) (bool, error) {
		if have[ref.Name] == "" {
			return false, nil
		}
		behind, err := p.behindOurs(ctx, have[ref.Name], ref.Value)
		return !behind, err
	})
}

// behindOurs tells whether what a remote has is known for an earlier state of the record
// that is ours now. What nobody here knows is the remote's own, which a fetch brings.
func (p *push) behindOurs(ctx context.Context, theirs, ours string) (bool, error) {
	if p.wentAs(ours, theirs) {
		return false, nil
	}
	if here, err := p.e.Objects.Has(ctx, theirs); err != nil || !here {
		return false, err
	}
	for at := ours; ; {
		commit, err := p.e.Objects.Commit(ctx, at)
		if err != nil || len(commit.Parents) == 0 {
			return false, err
		}
		if at = commit.Parents[0]; p.wentAs(at, theirs) {
			return true, nil
		}
		if here, err := p.e.Objects.Has(ctx, at); err != nil || !here {
			return false, err // the border of a shallow clone
		}
	}
}

// wentAs tells whether a commit of ours is, or left as, theirs.
func (p *push) wentAs(ours, theirs string) bool {
	return ours == theirs || slices.Contains(p.e.Outgoing.WentAs(ours), theirs)
}
