//go:build linux || darwin

package rollback_test

import (
	"context"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// unnoted is a ledger that knows nothing of the time before a first turn but its Base.
type unnoted struct {
	rollback.Turns
	base string
}

func (u unnoted) Turn(ctx context.Context, thread model.ThreadID, n int) (model.Turn, error) {
	turn, err := u.Turns.Turn(ctx, thread, n)
	turn.Start, turn.Base = nil, u.base
	return turn, err
}

// TestHeadBase: the HEAD of today is never passed off as that of the first turn's start.
func TestHeadBase(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	first := w.Commit("first")
	w.turn("t", func() { w.Write("a", "2\n") })
	now := w.Commit("second")
	for _, c := range []struct {
		base string
		want rollback.HeadBase
		said string
	}{
		{first, rollback.HeadBase{Commit: first}, "HEAD as it was before the first turn (" + first + ")"},
		{"", rollback.HeadBase{Commit: now, Now: true}, "HEAD as it is now (" + now + "); what it was before the first turn was not noted"},
	} {
		source := rollback.FromReview(w.review, unnoted{w.ledger, c.base})
		_, head, err := source.OpenFromHead(t.Context(), model.Scope{Kind: model.ScopeRange, To: 1, Thread: "t"})
		w.must(err)
		if head != c.want || head.String() != c.said {
			t.Errorf("%+v %q, want %+v", head, head, c.want)
		}
	}
	for _, now := range []bool{false, true} {
		if said := (rollback.HeadBase{Now: now}).String(); !strings.Contains(said, "commit") || strings.Contains(said, "as it was") == now {
			t.Errorf("nothing was committed: %q", said)
		}
	}
}
