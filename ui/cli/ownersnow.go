package cli

import (
	"context"
	"slices"

	"overturn/model"
	"overturn/review/ledger"
)

// ownersNow brings the owners of a turn's files up to what is known by now: its end
// noted what was known then, and a turn of another thread that went on, or a tool that
// was reported late, may have told of its paths since. Where they cannot be found what
// was noted stays.
func (e *engines) ownersNow(ctx context.Context, t *model.Turn) {
	if len(t.Files) == 0 || t.Status != model.StatusReady || t.End == nil {
		return
	}
	evidence, err := e.book.Evidence(ctx, t.Thread, t.Number)
	if err != nil || !grew(&evidence, t) {
		return
	}
	cs, err := e.reading().Compare(ctx, model.Scope{Kind: model.ScopeTurn, Turn: t.Number, Thread: t.Thread})
	if err != nil {
		return
	}
	owners := make(map[model.Path]model.Owner, len(cs.Files))
	for _, f := range cs.Files {
		if owner, _, err := e.reading().Owner(ctx, cs, f); err == nil {
			owners[f.Path] = owner
		}
	}
	for i := range t.Files {
		if owner, ok := owners[t.Files[i].Path]; ok {
			t.Files[i].Owner = owner
		}
	}
}

// grew tells whether evidence about a turn may have come after its end.
func grew(ev *ledger.Evidence, t *model.Turn) bool {
	return len(ev.Overlaps) > 0 || len(ev.Touched) > 0 ||
		slices.ContainsFunc(ev.Moments, func(m ledger.Moment) bool { return m.At.After(t.End.CapturedAt) })
}
