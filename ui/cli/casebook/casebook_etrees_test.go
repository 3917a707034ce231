package casebook_test

import (
	"fmt"
	"strings"
	"sync"
)

// caseTwoWorkTrees: one commit, two work trees, turns of the same session's id in
// both at once: no lock, ref or record of one is in the way of the other.
func caseTwoWorkTrees(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	linked := bookOf(b.t, b.Worktree("linked"))
	// The main one stands still in the middle of its turn's end, with all it holds.
	b.start("S")
	b.Write("a", "main\n")
	paused, leave := b.pausedAt("refs.apply.locked", "", "turn", "end", "--thread", "S")
	linked.turn("S", func() { linked.Write("a", "linked\n") })
	linked.rollback("latest")
	linked.reads("a", "base\n")
	leave()
	if s := b.ended(paused); s.code != 0 {
		b.t.Fatalf("the end in the main work tree: %+v", s)
	}
	var all sync.WaitGroup
	for _, tree := range []*book{b, linked} {
		all.Go(func() {
			for i := range 4 {
				for _, args := range [][]string{{"turn", "start", "--thread", "P"}, {"turn", "end", "--thread", "P"}} {
					if s := tree.overturn(args...); s.code != 0 {
						tree.t.Errorf("%s %v %d: %+v", tree.Root, args, i, s)
					}
					tree.Write("a", fmt.Sprint(tree.Root, i, "\n"))
				}
			}
		})
	}
	all.Wait()
	for tree, thread := range map[*book]string{b: "S", linked: "S@linked"} {
		turn := tree.show(thread, "1")
		if turn.Status != "ready" || turn.names() != "a modified" {
			tree.t.Errorf("%s: %+v", thread, turn)
		}
		tree.tipOf(turn.Ref)
	}
	// Whoever met the conversation first has its bare name; the other one a name of its own.
	var list struct {
		Threads []struct{ Thread, Work_tree string }
	}
	b.json(0, &list, "threads")
	trees := map[string]int{}
	for _, th := range list.Threads {
		if id, _, _ := strings.Cut(th.Thread, "@"); id != "P" {
			continue
		}
		trees[th.Work_tree]++
		if turn := b.newest(th.Thread); turn.Turn != 4 || turn.Status != "ready" {
			b.t.Errorf("%s: %+v", th.Thread, turn)
		}
	}
	if trees["main"] != 1 || trees["linked"] != 1 || len(trees) != 2 {
		b.t.Errorf("threads of P: %v", trees)
	}
	// A turn of the other work tree is shown, and not staged.
	b.ok("show", "1", "--thread", "S@linked")
	if s := b.overturn("stage", "1", "--thread", "S@linked"); s.code != 5 {
		b.t.Errorf("stage of the other work tree's turn: %+v", s)
	}
}

// caseHangingCapture: a capture hangs in a filter: another session in another work
// tree goes on, one in the same work tree leaves its event and is not held up, and
// reading does not wait.
func caseHangingCapture(b *book) {
	armed, here := b.slowFilter()
	b.Commit("base")
	linked := bookOf(b.t, b.Worktree("linked"))
	linked.turn("other", func() { linked.Write("a", "before\n") }) // its x.slow has been through the filter
	linked.Write("a", "a\n")
	b.start("T")
	b.hook(event("turn-start", "same", "1"))
	b.Write("x.slow", "agent\n")
	disarm := b.arm(armed)
	defer disarm()
	hangs := b.background("", "turn", "end", "--thread", "T")
	b.untilThere(here)
	linked.turn("other", func() { linked.Write("a", "agent\n") })
	linked.rollback("latest")
	linked.reads("a", "a\n")
	b.hook(event("session-end", "same", "1"))
	for _, args := range [][]string{{"status"}, {"turns", "--thread", "T"}, {"show", "1", "--thread", "T"}, {"threads"}} {
		b.ok(args...)
	}
	select {
	case s := <-hangs:
		b.t.Errorf("the capture did not hang: %+v", s)
	default:
	}
	disarm()
	if s := b.ended(hangs); s.code != 0 {
		b.t.Errorf("the capture that hung: %+v", s)
	}
	b.ok("status")
	for _, thread := range []string{"T", "same"} {
		if turn := b.show(thread, "1"); turn.Status != "ready" || turn.State == "open" {
			b.t.Errorf("%s: %+v", thread, turn)
		}
	}
}
