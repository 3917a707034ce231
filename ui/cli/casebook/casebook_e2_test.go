package casebook_test

import (
	"fmt"
	"strings"
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
