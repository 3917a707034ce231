//go:build linux || darwin

package restore_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

// TestDiscardBeforeTheSwap: a new file that never stood at its path goes without a
// trace as long as it is overturn's own; one that somebody found beside the target and
// wrote to is kept, and named, and one that somebody took away is no trouble.
func TestDiscardBeforeTheSwap(t *testing.T) {
	for what, c := range map[string]struct {
		meanwhile *worktree.Content
		kept      []string
	}{
		"nothing happened":         {nil, nil},
		"other bytes":              {new(file(0o644, "somebody's")), []string{"somebody's"}},
		"another mode":             {new(file(0o755, "new")), []string{"new"}},
		"another kind":             {new(link("somebody's")), []string{"somebody's"}},
		"somebody took it":         {&none, nil},
		"as it was, by a new name": {new(file(0o644, "new")), nil},
	} {
		t.Run(what, func(t *testing.T) {
			p := newPlace(t, false)
			p.set("d/f", file(0o644, "old"))
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			s := step("d/f", cases()["write"])
			p.must(b.Write(s))
			own := p.own()
			if len(own) != 1 {
				t.Fatalf("beside the target: %v", own)
			}
			if c.meanwhile != nil {
				rel, err := filepath.Rel(p.root, own[0])
				p.must(err)
				p.set(model.Path(rel), *c.meanwhile)
			}
			name, err := b.Discard(s)
			p.must(err)
			if (name != "") != (len(c.kept) > 0) {
				t.Errorf("kept is named %q", name)
			}
			if name != "" {
				if _, err := os.Lstat(name); err != nil {
					t.Errorf("what is named as kept is not there: %v", err)
				}
			}
			if own, kept := p.own(), p.keptBytes(); len(own) > 0 || !slices.Equal(kept, c.kept) {
				t.Errorf("left %v, kept %q, want %q", own, kept, c.kept)
			}
			if got := p.state("d/f"); got != s.From {
				t.Errorf("the target is %+v", got)
			}
			if name, err := b.Discard(s); err != nil || name != "" {
				t.Errorf("once more: %q, %v", name, err)
			}
		})
	}
}
