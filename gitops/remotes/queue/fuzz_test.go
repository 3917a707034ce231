package queue_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"overturn/model"
)

// id is the n-th of a row of ids.
func id(n int) model.ID { return model.ID(fmt.Sprintf("01j0000000000000000000%04d", n)) }

// FuzzDrain holds that no content of the file fails the queue or hides a record that
// was queued behind it.
func FuzzDrain(f *testing.F) {
	f.Add([]byte("{\"ref\":\"refs/overturn/checkpoints/01/01j00000000000000000000001\"}\n"))
	f.Add([]byte("{\"ref\":\"refs/heads/overturn/checkpoints/v1\",\"to\":[\"k\"],\"sent\":{\"k\":\"x\"}}"))
	f.Add([]byte("{\"ref\""))
	f.Add([]byte("\n\n\x00\x00\n{}\nnull\n[]\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		y, ctx := newYard(t), context.Background()
		y.must(y.Approve(ctx, far, "origin"))
		y.must(os.WriteFile(y.file, content, 0o600))
		a := y.ref(7, 0)
		y.must(y.Enqueue(ctx, a))
		if got := y.waiting(far); !slices.Contains(got, a) {
			t.Errorf("waiting: %q", got)
		}
		y.sent(far, a)
		if got := y.waiting(far); slices.Contains(got, a) {
			t.Errorf("still waiting: %q", got)
		}
	})
}
