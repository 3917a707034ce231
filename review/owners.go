package review

import (
	"context"

	"overturn/model"
	"overturn/review/ownership"
	"overturn/review/patch"
)

// Owner is who owns f as a whole, and the thread where that is one agent's. No
// content is read where all that touched the file is one owner's.
func (e *Engine) Owner(ctx context.Context, cs *ChangeSet, f *File) (model.Owner, model.ThreadID, error) {
	h, err := e.history(ctx, cs, f)
	if err != nil {
		return "", "", err
	}
	if v, ok := h.Sole(); ok {
		return v.Owner, v.Thread, nil
	}
	o, err := e.Owners(ctx, cs, f)
	return o.Owner, o.Thread, err
}

// Owners is who owns f and each hunk of its exact diff.
func (e *Engine) Owners(ctx context.Context, cs *ChangeSet, f *File) (FileOwners, error) {
	h, err := e.history(ctx, cs, f)
	if err != nil {
		return FileOwners{}, err
	}
	diff, err := e.Diff(ctx, cs, f, patch.Options{})
	if err != nil {
		return FileOwners{}, err
	}
	return ownership.Attribute(ctx, h, diff, func(ctx context.Context, s ownership.State) ([]byte, error) {
		return e.deps.Objects.Blob(ctx, s.Key)
	})
}

// Keeps says why a difference of that owner stays in a plan that does not name its
// file, or "" where the agent of the scope's thread made it.
func (cs *ChangeSet) Keeps(owner model.Owner, thread model.ThreadID) string {
	switch {
	case owner == model.OwnerAgent && thread == cs.Thread:
		return ""
	case owner == model.OwnerAgent:
		return "made by another thread, " + string(thread)
	case owner == model.OwnerUser:
		return "made by the user"
	case owner == model.OwnerMixed:
		return "made by several"
	default:
		return "nobody knows who made it"
	}
}
