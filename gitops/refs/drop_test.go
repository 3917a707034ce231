//go:build unix

package refs_test

import (
	"context"
	"errors"
	"testing"

	"overturn/gitops/refs"
)

// TestDrop: a ref goes, loose or packed, and only with the value that was expected.
func TestDrop(t *testing.T) {
	for name, pack := range map[string]bool{"loose": false, "packed": true} {
		r, s, id := three(t)
		ctx := context.Background()
		apply(t, s, refs.Update{Name: ours + "1", New: id[0]})
		apply(t, s, refs.Update{Name: ours + "2", New: id[1]})
		if pack {
			r.Git("pack-refs", "--all")
			// A packed value behind a loose one must not come to light.
			apply(t, s, refs.Update{Name: ours + "1", Old: id[0], New: id[2]})
			apply(t, s, refs.Update{Name: ours + "1", Old: id[2], New: id[0]})
		}
		if err := s.Drop(ctx, ours+"1", id[1]); !errors.Is(err, refs.ErrMoved) {
			t.Errorf("%s: %v; want ErrMoved", name, err)
		}
		if read(t, s, ours+"1") != id[0] {
			t.Errorf("%s: it moved", name)
		}
		if err := s.Drop(ctx, ours+"1", id[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := read(t, s, ours+"1"); got != "" {
			t.Errorf("%s: it is %s", name, got)
		}
		if read(t, s, ours+"2") != id[1] || len(locks(t, r.Root)) > 0 {
			t.Errorf("%s: its neighbour went, or a lock stayed", name)
		}
		if err := s.Drop(ctx, ours+"1", id[0]); !errors.Is(err, refs.ErrMoved) {
			t.Errorf("%s: gone already: %v; want ErrMoved", name, err)
		}
		if err := s.Drop(ctx, "refs/heads/main", id[0]); err == nil {
			t.Errorf("%s: a ref of the user's was dropped", name)
		}
	}
}
