package snapshot

import (
	"context"

	"overturn/model"
)

// Ignored tells which of the paths git ignores now: those that a rule ignores and
// that are not in the user's index. What git cannot be asked about (a name below a
// link) is not ignored.
func (e *Engine) Ignored(ctx context.Context, paths []model.Path) (map[model.Path]bool, error) {
	out := map[model.Path]bool{}
	if len(paths) == 0 {
		return out, nil
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = string(p)
	}
	c := &capture{e: e, ctx: ctx, t: newTable(), byIndex: true}
	verdicts, err := c.askAll(names)
	if err != nil {
		return nil, err
	}
	for i, v := range verdicts {
		if v == ignored {
			out[paths[i]] = true
		}
	}
	return out, nil
}
