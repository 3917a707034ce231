package trial

import (
	"os"
	"path/filepath"
)

// revertScenes take a whole thread back, with a conversation that lies in a file, and
// bring it again.
func revertScenes() []crashScene {
	args := func(list ...string) func(*Yard) []string { return func(*Yard) []string { return list } }
	few := []string{"revert.talked", "revert.turned", "ledger.moveturns.rename", "recover.settled"} // the others are met by the scenes before
	undo, finish, unwind := args("undo"), args("recover", "--finish"), args("recover", "--unwind")
	return []crashScene{
		{name: "revert", begin: beginRevert, args: revertArgs, check: settledRevert(false), done: standsAtTo, back: "undo", only: revertPoints()},
		{name: "undo of a revert", begin: beginReverted, args: undo, check: settledRevert(true), done: standsAtTo, back: "redo", only: revertPoints()},
		{name: "redo of a revert", begin: beginRevertUndone, args: args("redo"), check: settledRevert(false), done: standsAtTo, back: "undo", only: few},
		{name: "finish a revert that talks", begin: beginRevertCut("revert.talking"), args: finish, check: settledRevert(false), done: standsAtTo, back: "undo", only: revertPoints()},
		{name: "finish a revert that parked", begin: beginRevertCut("revert.parked"), args: finish, check: settledRevert(false), done: standsAtTo, back: "undo", only: few},
		{name: "unwind a revert that parked", begin: beginRevertCut("revert.parked"), args: unwind, check: settledRevert(false), done: standsAtFrom, back: "undo", only: revertPoints()},
		{name: "unwind a revert that turned", begin: beginRevertCut("revert.turned"), args: unwind, check: settledRevert(false), done: standsAtFrom, back: "undo", only: few},
	}
}

// revertPoints are passed where more than files goes back, and at the ends of the steps:
// what the files pass is met by the scenes of rollbacks.
func revertPoints() []string {
	points := []string{"ledger.moveturns.mkdir", "ledger.moveturns.rename", "talkfile.unmake.remove", "ledger.goeson.mkdir", "ledger.goeson.remove", "recover.begun", "recover.swapped", "recover.settled", "journal.end.write"}
	for _, step := range []string{"keepsakes.mkdir", "talking", "talked", "parked", "turned"} {
		points = append(points, "revert."+step)
	}
	for _, kind := range []string{"revert", "undo", "redo"} {
		for _, step := range []string{"safety", "prepared", "beside", "swapped", "marked", "kept", "applied", "verified"} {
			points = append(points, kind+"."+step)
		}
	}
	return points
}

// talkFolder is where the conversations of a yard lie: a copy of the yard has its own.
const talkFolder = ".git/overturn/claude"

// beginRevert has two turns of a conversation behind it, the second with every kind of
// change: to is before that one.
func beginRevert(c *Crash) {
	c.env = append(c.env, "CLAUDE_CONFIG_DIR="+talkFolder)
	c.Sh(crashUser)
	parent := "null"
	say := func(id, work string) {
		c.OK("turn", "start", "--thread", "T", "--agent", "claude-code", "--turn-id", id, "--prompt", "do "+id)
		c.Sh(work)
		c.Sh(`d=` + talkFolder + `/projects/here; mkdir -p $d
			printf '{"type":"user","parentUuid":` + parent + `,"promptId":"` + id + `","sessionId":"T","uuid":"u` + id + `","message":{"role":"user","content":"do ` + id + `"}}\n' >> $d/T.jsonl
			printf '{"type":"assistant","parentUuid":"u` + id + `","sessionId":"T","uuid":"a` + id + `","message":{"role":"assistant","content":"done"}}\n' >> $d/T.jsonl`)
		c.OK("turn", "end", "--thread", "T")
		parent = `"a` + id + `"`
	}
	say("one", "printf 'before\n' > before")
	c.to = c.ends()
	say("two", crashAgent)
	c.from = c.ends()
	for _, change := range c.to.Timeless().Diff(c.from.Timeless(), ".git") {
		c.targets = append(c.targets, change.Path)
	}
}

func revertArgs(y *Yard) []string {
	var p struct{ Fingerprint string }
	y.JSON(0, &p, "revert", "--to", "1", "--thread", "T", "--plan")
	return []string{"revert", "--to", "1", "--thread", "T", "--expect", p.Fingerprint}
}

func beginReverted(c *Crash) {
	beginRevert(c)
	c.OK(revertArgs(c.Yard)...)
	c.from, c.to = c.ends(), c.from
}

func beginRevertUndone(c *Crash) {
	beginReverted(c)
	c.OK("undo")
	c.from, c.to = c.ends(), c.from
}

// beginRevertCut is a revert that was killed at a pass.
func beginRevertCut(pass string) func(c *Crash) {
	return func(c *Crash) {
		beginRevert(c)
		c.cut(c.Yard, pass, revertArgs(c.Yard)...)
	}
}

// settledRevert is settledWriting, and then the turns, their refs and the conversation
// stand as the files do. out: the second turn is out where everything is as before the
// call.
func settledRevert(out bool) func(c *Crash, y *Yard) {
	return func(c *Crash, y *Yard) {
		settledWriting(c, y)
		before := c.stands(y, c.from)
		y.threadStands(out == before)
		y.sound()
		if out == before {
			y.goesOn()
		}
	}
}

// threadStands holds that the second turn is out of the thread, or in it, with all that
// belongs to it.
func (y *Yard) threadStands(out bool) {
	var in, away struct{ Turns []turn }
	y.JSON(0, &in, "turns", "--thread", "T")
	y.JSON(0, &away, "turns", "--thread", "T", "--reverted")
	want := [2]int{2, 0}
	if out {
		want = [2]int{1, 1}
	}
	if got := [2]int{len(in.Turns), len(away.Turns)}; y.Err() == nil && got != want {
		y.Faultf("turns in and out of the thread: %v, not %v", got, want)
	}
	for _, t := range in.Turns {
		if y.Err() == nil && (t.Status != "ready" || len(t.Files) == 0) {
			y.Faultf("turn %d: %+v", t.Turn, t)
		}
	}
	parked := y.Git("for-each-ref", "refs/overturn/reverted")
	if y.Err() == nil && (parked != "") != out {
		y.Faultf("refs that are parked: %q, out: %v", parked, out)
	}
	talks, err := os.ReadDir(filepath.Join(y.Root, talkFolder, "projects", "here"))
	if y.Err() == nil && (err != nil || len(talks) != want[1]+1) {
		y.Faultf("conversations: %v, out: %v, %v", talks, out, err)
	}
}
