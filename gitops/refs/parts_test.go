//go:build unix

package refs_test

import (
	"context"
	"strings"
	"testing"

	"overturn/gitops/refs"
)

// TestParts: folders of refs, loose and packed, of both backends.
func TestParts(t *testing.T) {
	r, s, id := three(t)
	const prefix = "refs/overturn/threads/"
	names := []string{prefix + "a/turn/0", prefix + "a/turn/1", prefix + "b/turn/0", prefix + "loose", "refs/overturn/threads2/c/x", "refs/overturn/checkpoints/d/e"}
	for i, name := range names {
		apply(t, s, refs.Update{Name: name, New: id[i%3]})
		if i == 1 {
			r.Git("pack-refs", "--all", "--prune")
		}
	}
	other := r.Open()
	other.RefStorage = "reftable"
	for what, store := range map[string]*refs.Store{"files": s, "by git": refs.New(other)} {
		got, err := store.Parts(context.Background(), prefix)
		if err != nil || strings.Join(got, " ") != "a b" {
			t.Errorf("%s: %q, %v", what, got, err)
		}
		if got, err := store.Parts(context.Background(), "refs/overturn/none/"); err != nil || len(got) > 0 {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}
