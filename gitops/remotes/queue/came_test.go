package queue_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes/queue"
)

func TestWhatCameIsNotSentOnUntilItChanges(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	a, b := y.ref(1, 0), y.ref(2, 0)
	y.must(os.MkdirAll(filepath.Join(filepath.Dir(y.file), "overturn"), 0o700))
	y.must(y.Came(queue.Ref{Name: a, Value: y.oids[0]}))
	y.must(y.Approve(ctx, far, "origin"))
	y.same(y.waiting(far), []string{b}, "a came from elsewhere")
	y.ref(1, 1)
	y.must(y.Refill(ctx, far, func(queue.Ref) (bool, error) { return false, nil }))
	y.same(y.waiting(far), []string{b, a}, "a was changed here")
	y.sent(far, a, b)
	y.must(y.Refill(ctx, far, func(ref queue.Ref) (bool, error) { return ref.Name == b, nil }))
	y.same(y.waiting(far), []string{a}, "the remote lost a")
}

func TestForeignRefsAreRefused(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	for _, name := range []string{"refs/heads/main", "refs/overturn/threads/x/turn/1", "refs/overturn/checkpoints/zz/" + string(id(1)), ""} {
		if err := y.Enqueue(ctx, name); err == nil {
			t.Errorf("%q was queued", name)
		}
	}
	y.must(y.Enqueue(ctx, checkpoint.BranchRef))
}

func TestManyWritersLoseNothing(t *testing.T) {
	y, ctx := newYard(t), context.Background()
	y.must(y.Approve(ctx, far, "origin"))
	var names []string
	for n := range 40 {
		names = append(names, y.ref(n+1, 0))
	}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := i; n < len(names); n += 4 {
				if err := y.Enqueue(ctx, names[n]); err != nil {
					t.Error(err)
				}
				if n%3 == 0 {
					if _, err := y.Drain(ctx, far); err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	wg.Wait()
	got := y.waiting(far)
	slices.Sort(got)
	slices.Sort(names)
	y.same(got, names, "waiting")
}
