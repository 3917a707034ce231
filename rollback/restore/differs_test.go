//go:build linux || darwin

package restore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

// TestDifferencesAreNamed: whoever's save was in the way learns what was found.
func TestDifferencesAreNamed(t *testing.T) {
	for what, c := range map[string]struct {
		from, to, found worktree.Content
		reason          string
	}{
		"other bytes":          {file(0o644, "old"), file(0o644, "new"), file(0o644, "user's"), "it changed while it was being rolled back"},
		"other bytes, to go":   {file(0o644, "old"), none, file(0o644, "user's"), "it changed while it was being rolled back"},
		"nothing":              {file(0o644, "old"), file(0o644, "new"), none, "it is gone"},
		"nothing, to go":       {file(0o644, "old"), none, none, "it is gone"},
		"a link for a file":    {file(0o644, "old"), file(0o644, "new"), link("users"), "a link stands there, a file was expected"},
		"a file for a link":    {link("old"), none, file(0o644, "user's"), "a file stands there, a link was expected"},
		"a file where none is": {none, file(0o644, "new"), file(0o644, "user's"), "something stands there that was not there before"},
		"a link where none is": {none, file(0o644, "new"), link("users"), "something stands there that was not there before"},
	} {
		both(t, func(t *testing.T, plain bool) {
			p := newPlace(t, plain)
			p.set("d/f", c.found)
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			s := step("d/f", [2]worktree.Content{c.from, c.to})
			var differs *restore.Differs
			if err := run(b, s); !errors.As(err, &differs) || differs.Path != "d/f" || differs.Reason != c.reason {
				t.Errorf("%s: it says %v, want %q", what, err, c.reason)
			}
			if got := p.state("d/f"); got != stateOf(c.found) {
				t.Errorf("%s: there is %+v", what, got)
			}
		})
	}
}

// TestWriteAll: each step is written once, whatever becomes of the others, and none when
// nobody waits for them any more.
func TestWriteAll(t *testing.T) {
	for _, n := range []int{0, 1, 4, 9} {
		p := newPlace(t, false)
		b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
		var steps []*restore.Step
		for i := range n {
			path := model.Path(fmt.Sprintf("%d/f", i))
			p.set(path, file(0o644, "old"))
			if i == 2 {
				p.set("2", file(0o644, "a file for its folder"))
			}
			s := step(path, cases()["write"])
			s.N = i
			steps = append(steps, s)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for i, err := range b.WriteAll(gone, steps) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d of %d, cancelled: %v", i, n, err)
			}
		}
		if own := p.own(); len(own) > 0 {
			t.Errorf("%d, cancelled: left %v", n, own)
		}
		errs, failed := b.WriteAll(t.Context(), steps), 0
		for i, err := range errs {
			if (err != nil) != (i == 2) {
				t.Errorf("%d of %d: %v", i, n, err)
			}
			if err != nil {
				failed++
			}
		}
		if own := p.own(); len(errs) != n || len(own) != n-failed {
			t.Errorf("%d: %d errors, beside the targets %v", n, len(errs), own)
		}
	}
}
