package ui

import (
	"context"

	"overturn/model"
	"overturn/ui/view"
)

// Planner tells more of plans that Plan returned.
type Planner interface {
	// Result is a path of a plan: what stands there, and what would. CodeStale where the
	// plan is another by now.
	Result(ctx context.Context, plan *model.Plan, path model.Path) (*view.Document, error)
	// Drift lists what became different between a plan that was reviewed and the one of
	// now; of the lines it knows those of plans that were worked out lately.
	Drift(ctx context.Context, reviewed, now *model.Plan) ([]view.Drift, error)
}
