package review_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"

	"overturn/gitops/gittest"
	"overturn/review/patch"
)

var errLeft = errors.New("the reader left")

// leaving is a context that ends when it is looked at for the n-th time.
type leaving struct {
	context.Context
	looks  atomic.Int64
	n      int64
	cancel context.CancelCauseFunc
}

func newLeaving(t *testing.T, n int64) *leaving {
	ctx, cancel := context.WithCancelCause(t.Context())
	return &leaving{Context: ctx, n: n, cancel: cancel}
}

func (l *leaving) Err() error {
	if l.looks.Add(1) == l.n {
		l.cancel(errLeft)
	}
	return l.Context.Err()
}

// TestALargeComparisonIsLeft: who leaves a large, much changed file in the middle of its
// comparison gets no part of it, soon; who comes back gets all of it.
func TestALargeComparisonIsLeft(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	r := rand.New(rand.NewSource(5))
	text := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "line %d of many that are alike\n", r.Intn(n/20))
		}
		return b.String()
	}
	old, now := text(100_000), text(100_000)
	f.Write("big.txt", old)
	f.Commit("first")
	f.Write("big.txt", now)
	whole := newLeaving(t, 0)
	cs := f.compare("working")
	want, err := f.review.Diff(whole, cs, f.file(cs, "big.txt"), patch.Options{})
	f.must(err)
	looks := whole.looks.Load()
	if looks < 1000 {
		t.Fatalf("%d looks in the whole work", looks)
	}
	cs = f.compare("working")
	file := f.file(cs, "big.txt")
	for _, n := range []int64{looks / 4, looks / 2, looks - looks/8} {
		ctx := newLeaving(t, n)
		d, err := f.review.Diff(ctx, cs, file, patch.Options{})
		if d != nil || !errors.Is(err, errLeft) {
			t.Errorf("left at look %d of %d: a difference %t, error %v", n, looks, d != nil, err)
		}
		if after := ctx.looks.Load() - n; after > 8 {
			t.Errorf("left at look %d of %d: it looked %d times more", n, looks, after)
		}
	}
	d, err := f.review.Diff(t.Context(), cs, file, patch.Options{})
	f.must(err)
	if d.Adds != want.Adds || d.Dels != want.Dels || len(d.Hunks) != len(want.Hunks) || string(d.Old.Bytes) != old || string(d.New.Bytes) != now {
		t.Errorf("come back: +%d -%d in %d hunks, want +%d -%d in %d", d.Adds, d.Dels, len(d.Hunks), want.Adds, want.Dels, len(want.Hunks))
	}
}
