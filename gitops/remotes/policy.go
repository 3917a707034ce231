package remotes

import (
	"context"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/model"
)

const policyPattern = checkpoint.PolicyRef + "*" // with a star, so that its absence is no failure

// formatOf is the format of what a ref holds.
func formatOf(name string) string {
	if name == checkpoint.BranchRef {
		return checkpoint.FormatBranch
	}
	return checkpoint.FormatRefs
}

// takePolicy brings the policy that a remote has as theirs, where it is another than
// ours.
func (e *Engine) takePolicy(ctx context.Context, t Target, theirs string) error {
	ours, err := e.Refs.Read(ctx, checkpoint.PolicyRef)
	if err != nil || theirs == "" || theirs == ours {
		return err
	}
	box, err := e.openOutbox(t, nil)
	if err != nil {
		return err
	}
	defer box.close()
	came, err := box.fetch(ctx, t, e.Limits.Ask, policyPattern)
	if err != nil {
		return err
	}
	return e.followPolicy(ctx, came[checkpoint.PolicyRef])
}

// followPolicy has ours be theirs, where theirs leads on from it. One that leads
// elsewhere is nobody's to choose: it is told, and nothing is exchanged.
func (e *Engine) followPolicy(ctx context.Context, theirs string) error {
	ours, err := e.Refs.Read(ctx, checkpoint.PolicyRef)
	if err != nil || theirs == "" || theirs == ours {
		return err
	}
	if ours != "" {
		s, err := e.compare(ctx, ours, ours, theirs)
		if err != nil || s.onlyOurs {
			return err // ours is the newer one
		}
		if s.base != ours {
			return model.Errorf(model.CodeFailed, "the checkpoint policy here and the remote's lead apart").
				WithHint("take the remote's: git fetch REMOTE +%s:%s", checkpoint.PolicyRef, checkpoint.PolicyRef)
		}
	}
	return e.Refs.Apply(ctx, []refs.Update{{Name: checkpoint.PolicyRef, Old: ours, New: theirs}})
}
