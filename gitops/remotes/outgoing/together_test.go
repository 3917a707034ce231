package outgoing_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/redact"
)

// TestTogether: several goroutines, with saves in between, make what one makes.
func TestTogether(t *testing.T) {
	w := newWorld(t, refstore.Open)
	var tips []string
	for n := range 12 {
		tips = append(tips, w.tip(w.put(n+1, func(r *checkpoint.Record) { r.Turn.Prompt = fmt.Sprint(n%3, " ", token()) })))
	}
	want := map[string]string{}
	alone := again(w)
	for _, tip := range tips {
		want[tip], _ = w.leaves(alone, tip)
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range tips {
				tip := tips[(i+3*g)%len(tips)]
				out, _, err := w.out.Outgoing(t.Context(), tip)
				if err != nil || out != want[tip] {
					t.Errorf("%s leaves as %s, not %s: %v", tip, out, want[tip], err)
				}
				if i%4 == 3 {
					if err := w.out.Save(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestLongBranch: the history of a branch of records is worked out once, and of a new
// record only what it brought.
func TestLongBranch(t *testing.T) {
	w := newWorld(t, branchstore.Open)
	var rec *checkpoint.Record
	for n := range 40 {
		rec = w.put(n+1, func(r *checkpoint.Record) { r.Turn.Prompt = token() })
	}
	first, found := w.leaves(w.out, w.tip(rec))
	if len(found) < 40 {
		t.Errorf("%d found", len(found))
	}
	rec = w.put(41, func(r *checkpoint.Record) { r.Turn.Prompt = token() })
	second, found := w.leaves(again(w), w.tip(rec))
	if !isAncestor(w, first, second) || len(found) != 2 {
		t.Errorf("of one more record %d are found: %v", len(found), found)
	}
	if n := w.Repo.Git("rev-list", "--count", second); n != "41" {
		t.Errorf("%s commits leave", n)
	}
}

// TestWhatWentIsRemembered: by this run and by the next.
func TestWhatWentIsRemembered(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		tip := w.tip(w.put(1, func(r *checkpoint.Record) { r.Turn.Prompt = token() }))
		if went := w.out.WentAs(tip); len(went) != 0 {
			t.Errorf("before it left it went as %v", went)
		}
		out, _ := w.leaves(w.out, tip)
		for _, r := range []*outgoing.Rewriter{w.out, w.rewriter(redact.Options{}, w.cache)} {
			if went := r.WentAs(tip); !slices.Equal(went, []string{out}) {
				t.Errorf("it went as %v, not as %s", went, out)
			}
		}
	})
}
