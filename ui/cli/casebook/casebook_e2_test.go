package casebook_test

import (
	"fmt"
	"strings"
	"sync"
)

// event is one of overturn's own hook events.
func event(kind, thread, turn string) string {
	return fmt.Sprintf(`{"event":%q,"thread":%q,"turn_id":%q,"prompt":"p"}`, kind, thread, turn)
}

// tipOf is the commit of a ref of ours, which must be reachable and whole.
func (b *book) tipOf(ref string) string {
	b.t.Helper()
	tip := b.Git("rev-parse", "--verify", ref)
	b.Git("fsck", "--connectivity-only", "--no-dangling", tip)
	return tip
}

// caseLostUpdate: a writer waits between what it has read and what it publishes,
// another one writes meanwhile: both results are there.
func caseLostUpdate(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	for _, point := range []string{"ledger.flushed", "refs.apply.locked"} {
		one, two := "one "+point, "two "+point
		b.start(one)
		b.start(two)
		b.Write("a", "by one at "+point+"\n")
		first, leave := b.pausedAt(point, event("turn-end", one, ""), "hook", "generic")
		b.Write("b", "by two at "+point+"\n")
		// Git itself cannot have the name that is about to be written.
		ref := strings.TrimSuffix(b.show(one, "1").Start.Ref, "/0") + "/1"
		if _, err := b.GitMayFail("update-ref", ref, "HEAD"); err == nil {
			b.t.Errorf("%s: git wrote %s", point, ref)
		}
		// The other session's hook does not wait for it in vain: it is done, or leaves
		// its event for later.
		second := b.background(event("turn-end", two, ""), "hook", "generic")
		leave()
		for _, s := range []said{b.ended(first), b.ended(second)} {
			if s.code != 0 || s.stdout+s.stderr != "" {
				b.t.Errorf("%s: %+v", point, s)
			}
		}
		b.ok("status") // works off what was left
		refs := map[string]bool{}
		for _, thread := range []string{one, two} {
			turn := b.show(thread, "1")
			if turn.Status != "ready" || turn.State != "completed" {
				b.t.Errorf("%s: %s %s %s", thread, turn.Status, turn.State, turn.StatusReason)
			}
			refs[b.tipOf(turn.Ref)] = true
		}
		if len(refs) != 2 {
			b.t.Errorf("%s: the captures are %v", point, refs)
		}
	}
	b.strangersRef()
}

// strangersRef: somebody else's value at the name that is about to be written is not
// overwritten; the turn says so, and what was there stays reachable.
func (b *book) strangersRef() {
	b.t.Helper()
	b.start("stranger")
	b.Write("a", "agent\n")
	ref := strings.TrimSuffix(b.show("stranger", "1").Start.Ref, "/0") + "/1"
	theirs := b.Git("rev-parse", "HEAD")
	b.Git("update-ref", ref, theirs)
	b.overturn("turn", "end", "--thread", "stranger")
	if now := b.tipOf(ref); now != theirs {
		b.t.Errorf("%s is %s, was %s", ref, now, theirs)
	}
	if turn := b.show("stranger", "1"); turn.Status != "error" || !strings.Contains(turn.StatusReason, ref) {
		b.t.Errorf("%s: %q", turn.Status, turn.StatusReason)
	}
	b.turn("stranger", func() { b.Write("a", "agent again\n") })
	if turn := b.newest("stranger"); turn.Turn != 2 || turn.Status != "ready" {
		b.t.Errorf("the next turn: %+v", turn)
	}
}

// lines30 is a file of 30 lines with some of them changed.
func lines30(changed map[int]string) string {
	var b strings.Builder
	for n := 1; n <= 30; n++ {
		if text, ok := changed[n]; ok {
			fmt.Fprintln(&b, text)
			continue
		}
		fmt.Fprintln(&b, "line", n)
	}
	return b.String()
}

// caseGhostFiles: what one session did and the user threw away is in no later
// session's diff. The neighbours: a file that was made and thrown away, one session
// at work inside the other's turn.
func caseGhostFiles(b *book) {
	b.Write("f", lines30(nil))
	b.Commit("base")
	b.turn("A", func() { b.Write("f", lines30(map[int]string{30: "by A"})); b.Write("ghost", "by A\n") })
	b.sh("git checkout -q f; rm ghost")
	b.turn("B", func() { b.Write("f", lines30(map[int]string{5: "by B"})) })
	var diff struct {
		Files []struct {
			Path, Owner string
			Hunks       []struct {
				Old_start, New_start int
				Owner                string
			}
		}
	}
	b.json(0, &diff, "diff", "1", "--thread", "B")
	if len(diff.Files) != 1 || diff.Files[0].Path != "f" || diff.Files[0].Owner != "agent" || len(diff.Files[0].Hunks) != 1 || diff.Files[0].Hunks[0].New_start != 2 {
		b.t.Errorf("B's diff: %+v", diff)
	}
	if got := b.holds(b.show("B", "1").Ref); strings.Join(got, " ") != "f" {
		b.t.Errorf("B's snapshot holds %v", got)
	}
	b.rollback("1", "--thread", "B", "--", "f")
	b.reads("f", lines30(nil))

	// Two at once: each reports its tools, and what is shown of one is its own.
	for _, e := range []string{event("turn-start", "C", "c"), event("turn-start", "D", "d")} {
		b.hook(strings.Replace(e, `"prompt"`, `"reports_tools":true,"prompt"`, 1))
	}
	tool := func(thread, turn, path, text string) {
		b.t.Helper()
		call := fmt.Sprintf(`,"tool":"edit","call_id":"1","paths":[%q]}`, path)
		b.hook(strings.Replace(event("pre-tool", thread, turn), "}", call, 1))
		b.Write(path, text)
		b.hook(strings.Replace(event("post-tool", thread, turn), "}", call, 1))
	}
	tool("C", "c", "by-c", "c\n")
	tool("D", "d", "by-d", "d\n")
	b.Write("mine", "of the user\n")
	b.hook(event("turn-end", "C", "c"))
	b.hook(event("turn-end", "D", "d"))
	for thread, own := range map[string]string{"C": "by-c", "D": "by-d"} {
		p := b.stage("1", "--thread", thread)
		if len(p.Targets) != 1 || p.Targets[0].Path != own {
			b.t.Errorf("plan of %s: %s", thread, p.verdicts())
		}
	}
	b.ok("unstage")
	b.rollback("1", "--thread", "C")
	b.gone("by-c")
	b.reads("by-d", "d\n")
	b.reads("mine", "of the user\n")
}

// caseBranchSwitched: HEAD moves to another branch inside a turn. The turn shows it,
// and what the switch wrote is no target unless it is named. CONTRACT has no owner
// "mixed" for a whole turn: it is per hunk, so the right of the book is held in what
// a rollback writes.
func caseBranchSwitched(b *book) {
	b.Write("a", "main\n")
	b.Write("both", lines30(nil))
	b.Commit("base")
	b.sh("git checkout -qb other; echo other > a; echo o > o; sed -i 's/line 30/of other/' both; git add .; git commit -qm other; git checkout -q main")
	for _, how := range []string{"git checkout -q other", "git switch -q --detach other", "git checkout -q other~0 -- ."} {
		start := b.world()
		b.start("T")
		b.Write("mine", "agent\n")
		b.sh(how)
		b.sh("sed -i 's/line 2$/by the agent/' both")
		b.end("T")
		turn := b.newest("T")
		moved := turn.Start.Head != turn.End.Head
		if said := b.ok("show", fmt.Sprint(turn.Turn), "--thread", "T"); moved != strings.Contains(said, "HEAD moved during the turn") {
			b.t.Errorf("%s: %s", how, said)
		}
		var owners []string
		for _, f := range turn.Files {
			owners = append(owners, f.Path+" "+f.Owner)
		}
		if got := strings.Join(owners, ", "); moved && got != "a unknown, both mixed, mine agent, o unknown" {
			b.t.Errorf("%s: owners: %s", how, got)
		}
		p := b.stage("latest")
		switch {
		case !moved: // other's files were checked out as the turn's own work: HEAD stayed
			b.carry(0)
			b.restored(start)
			b.sh("git reset -q --hard")
			continue
		case p.verdicts() != "both write clean, mine delete clean, a kept, both kept, o kept":
			b.t.Errorf("%s: plan: %s", how, p.verdicts())
		}
		b.carry(0)
		b.reads("a", "other\n")
		b.reads("o", "o\n")
		b.reads("both", lines30(map[int]string{30: "of other"}))
		b.gone("mine")
		if status := b.Git("status", "--porcelain"); status != "" {
			b.t.Errorf("%s: after the rollback: %q", how, status)
		}
		b.sh("git checkout -q main")
	}
}

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
