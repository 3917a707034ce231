package uitest

import (
	"context"

	"overturn/model"
	"overturn/ui/view"
)

// Result turns the change of a staged path round.
func (e *Engine) Result(ctx context.Context, plan *model.Plan, path model.Path) (*view.Document, error) {
	if err := e.enter(ctx, "result"); err != nil {
		return nil, err
	}
	e.Lock()
	defer e.Unlock()
	for _, c := range e.Changes["7"] {
		if c.Path == path {
			c.Old, c.New, c.Header = c.New, c.Old, nil
			return NewDocument(view.File{FileChange: model.FileChange{Path: path, Change: model.Modified}}, c, false), nil
		}
	}
	return nil, model.Errorf(model.CodeStale, "the plan is another by now").WithHint("R works it out anew")
}

// Drift gives the targets that came or have another verdict.
func (e *Engine) Drift(ctx context.Context, reviewed, now *model.Plan) ([]view.Drift, error) {
	if err := e.enter(ctx, "drift"); err != nil {
		return nil, err
	}
	was := map[model.Path]model.Verdict{}
	for _, t := range reviewed.Targets {
		was[t.Path] = t.Verdict
	}
	var list []view.Drift
	for _, t := range now.Targets {
		if v := was[t.Path]; v != t.Verdict {
			list = append(list, view.Drift{Path: t.Path, Words: string(v) + " → " + string(t.Verdict), Lines: []string{"-stood there", "+stands there now"}})
		}
	}
	return list, nil
}
