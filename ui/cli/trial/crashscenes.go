package trial

import (
	"os"
	"slices"
	"strings"
)

// crashScenes are the calls that write, from the first capture to the last undo.
func crashScenes() []crashScene {
	args := func(list ...string) func(*Yard) []string { return func(*Yard) []string { return list } }
	start, end := args("turn", "start", "--thread", "T", "--turn-id", "1"), args("turn", "end", "--thread", "T")
	finish, unwind := args("recover", "--finish"), args("recover", "--unwind")
	return append([]crashScene{
		{name: "rollback", begin: beginStaged, args: rollbackArgs, check: settledWriting, done: standsAtTo, back: "undo"},
		{name: "large rollback", begin: beginLarge, args: rollbackArgs, check: settledWriting, done: standsAtTo, back: "undo", only: []string{"worktree.syncall.sync", "rollback.beside", "rollback.marked"}},
		{name: "undo", begin: beginRolledBack, args: args("undo"), check: settledWriting, done: standsAtTo, back: "redo"},
		{name: "redo", begin: beginUndone, args: args("redo"), check: settledWriting, done: standsAtTo, back: "undo"},
		{name: "finish what was being written", begin: beginCut("restore.written:3"), args: finish, check: settledWriting, done: standsAtTo, back: "undo"},
		{name: "finish what was being swapped", begin: beginCut("rollback.marked:4"), args: finish, check: settledWriting, done: standsAtTo, back: "undo"},
		{name: "unwind what was being swapped", begin: beginTorn, args: unwind, check: settledWriting, done: standsAtFrom, back: "undo"},
		{name: "unwind what was done", begin: beginCut("rollback.applied"), args: unwind, check: settledWriting, done: standsAtFrom, back: "undo"},
		{name: "first start", begin: beginWork, args: start, check: capturedStart, done: startIsThere},
		{name: "later start", begin: beginLater, args: start, check: capturedStart, done: startIsThere},
		{name: "start after a kill", begin: beginCutStart, args: args("turn", "start", "--thread", "T", "--turn-id", "2"), check: capturedStart,
			only: []string{"refs.breakstale.remove", "refs.lock.made", "ledger.published"}},
		{name: "end", begin: beginTurn, args: end, check: capturedEnd, done: endIsThere},
		{name: "end of a large turn", begin: beginLargeTurn, args: end, check: captured, only: []string{"objects.seal.write", "ledger.flushed"}},
		{name: "end that joins packs", begin: beginCrowded, args: end, check: capturedJoin, only: joinPoints()},
		{name: "prune", begin: beginOld, args: args("checkpoint", "prune", "--keep", "2"), check: pruned, done: prunedIsGone},
		{name: "touch", begin: beginTurn, args: args("turn", "touch", "--thread", "T", "edit"), check: capturedEnd},
		{name: "hook", begin: beginWork, args: args("hook", "claude-code"), check: captured, input: crashHook},
		{name: "stage", begin: beginToStage, args: args("stage", "1"), check: stagedAgain, done: stagedIsThere},
		{name: "unstage", begin: beginStaged, args: args("unstage"), check: stagedAgain},
		{name: "comment", begin: beginTurn, args: args("comments", "add", "edit:1-2", "why two"), check: captured},
		{name: "hand over", begin: beginSaid, args: args("comments", "--hand-over", "-o", os.DevNull), check: captured},
		{name: "withdraw", begin: beginHanded, args: args("comments", "--withdraw"), check: captured},
		{name: "status", begin: beginEnded, args: args("status"), check: captured, aged: true},
		{name: "doctor", begin: beginEnded, args: args("doctor"), check: captured},
		{name: "enable", begin: beginSettings, args: enableArgs, check: enabled},
		{name: "config", begin: beginConfig, args: args("config", "set", "retention.keep", "9"), check: configured},
		{name: "config unset", begin: beginConfigured, args: args("config", "unset", "retention.keep"), check: unconfigured},
		{name: "disable", begin: beginEnabled, args: args("disable", "claude-code"), check: enabled},
	}, slices.Concat(revertScenes(), recordScenes(), syncScenes())...)
}

// crashUser is something in every place where a user has work.
const crashUser = `rm -rf .git/hooks; mkdir -p dir/sub
	printf 'one\ntwo\nthree\n' > edit; printf 'a\0b' > bin; printf 'old\n' > gone; printf 'deep\n' > dir/sub/deep
	printf 'x\n' > mode; chmod 640 mode; ln -s edit link; printf 'r\n' > name; printf 'u\n' > unstaged; printf 's\n' > staged
	printf '*.o\n' > .gitignore; git add -A; git commit -qm base
	printf 'stashed\n' >> unstaged; git stash -q; git branch other
	printf 'user, staged\n' >> staged; git add staged; printf 'user, not staged\n' >> unstaged
	printf 'material\n' > untracked; chmod 600 untracked; printf 'built\n' > built.o; mkdir -p empty`

// crashAgent changes one path of every kind, and stages one of them.
const crashAgent = `printf 'one\nTWO\nthree\nfour\n' > edit; printf 'a\0c' > bin; rm gone; rm -r dir; printf 'a file now\n' > dir
	chmod 755 mode; rm link; ln -s name link; mv name renamed; mkdir -p made/deep; printf 'new\n' > made/deep/file
	printf 'staged by the turn\n' > added; git add added`

func beginWork(c *Crash) {
	c.Sh(crashUser)
	c.from = c.ends()
	c.to = c.from
}

// beginLater has a turn behind it.
func beginLater(c *Crash) {
	c.Sh(crashUser)
	c.Turn("T", func() { c.Sh("printf 'before\n' > before") })
	c.from = c.ends()
	c.to = c.from
}

// beginTurn is in the middle of a turn.
func beginTurn(c *Crash) {
	c.Sh(crashUser)
	c.OK("turn", "start", "--thread", "T", "--turn-id", "1")
	c.Sh("printf 'by the turn\n' >> edit; rm gone")
	c.from = c.ends()
	c.to = c.from
}

// beginEnded has a turn with every kind of change behind it: to is before it.
func beginEnded(c *Crash) {
	c.Sh(crashUser)
	c.Start("T")
	c.to = c.ends()
	c.Sh(crashAgent)
	c.from = c.ends()
	c.End("T")
	for _, change := range c.to.Timeless().Diff(c.from.Timeless(), ".git") {
		c.targets = append(c.targets, change.Path)
	}
}

func beginStaged(c *Crash) {
	beginEnded(c)
	c.OK("stage", "1")
	c.staged = len(c.Plan().Targets)
}

func beginToStage(c *Crash) {
	beginStaged(c)
	c.OK("unstage")
}

func beginRolledBack(c *Crash) {
	beginStaged(c)
	c.Rollback(0, c.Plan().Fingerprint)
	c.from, c.to = c.ends(), c.from
}

func beginUndone(c *Crash) {
	beginRolledBack(c)
	c.Undo()
	c.from, c.to = c.ends(), c.from
}

// beginCut is a rollback that was killed at a pass.
func beginCut(pass string) func(c *Crash) {
	return func(c *Crash) {
		beginStaged(c)
		c.cut(c.Yard, pass, rollbackArgs(c.Yard)...)
	}
}

func rollbackArgs(y *Yard) []string { return []string{"rollback", "--expect", y.Plan().Fingerprint} }

// settledWriting: where something is to be settled, status names it, nothing else is
// begun before it, a kill while it is settled changes nothing of that, and both ways
// end whole. Where nothing is, everything stands at one end.
func settledWriting(c *Crash, y *Yard) {
	from, to := c.from, c.to
	if y.interrupted() == "" {
		if want := from; !c.stands(y, want) {
			c.holds(y, to, "with nothing to settle")
		}
		y.sound()
		return
	}
	y.Exits(2, "recover")
	if said := y.Exits(1, "undo"); y.Err() == nil && !strings.Contains(said.Stderr, "overturn recover") {
		y.Faultf("undo does not say what comes first: %s", said.Stderr)
	}
	y.nextStart()
	c.cutAgain(y, "recover", []string{"--finish", "--unwind"}[y.Rand.IntN(2)])
	c.cutAgain(y, "recover", []string{"--finish", "--unwind"}[y.Rand.IntN(2)])
	if y.interrupted() == "" { // killed behind the end
		if !c.stands(y, from) {
			c.holds(y, to, "after the second kill")
		}
		return
	}
	both := c.copied(y)
	defer both.gone()
	c.recovers(y, "finish", to)
	c.recovers(both, "unwind", from)
	y.OK(c.scene.back)
	c.holds(y, from, "after "+c.scene.back)
}

func standsAtTo(c *Crash, y *Yard) {
	c.holds(y, c.to, "though it was reported as done")
	y.sound()
}

func standsAtFrom(c *Crash, y *Yard) {
	c.holds(y, c.from, "though it was reported as unwound")
	y.sound()
}

// startIsThere: a start that was reported can be ended, and is whole then.
func startIsThere(c *Crash, y *Yard) {
	ended := c.copied(y)
	defer ended.gone()
	ended.Sh("printf 'by the turn\n' >> edit")
	ended.OK("turn", "end", "--thread", "T", "--turn-id", "1")
	if t, _ := ended.byID("1"); y.Err() == nil && (t.Status != "ready" || t.names() != "edit modified") {
		y.Faultf("a start that was reported: %+v", t)
	}
}

// endIsThere: an end that was reported is the turn's, whatever changed since; where a
// power cut took the local file, the next event takes it over from the record.
func endIsThere(c *Crash, y *Yard) {
	later := c.copied(y)
	defer later.gone()
	later.Sh("printf 'later\n' > later")
	later.OK("turn", "end", "--thread", "T", "--turn-id", "1")
	if t := later.turnOf("T", "1"); y.Err() == nil && (t.Status != "ready" || t.names() != "edit modified, gone deleted") {
		y.Faultf("an end that was reported: %+v", t)
	}
}

func stagedIsThere(c *Crash, y *Yard) {
	if n := len(y.Plan().Targets); y.Err() == nil && n != c.staged {
		y.Faultf("%d of %d targets are staged, which was reported", n, c.staged)
	}
}

// nextStart: an agent that works on, as if nothing had happened, is recorded.
func (y *Yard) nextStart() {
	y.Start("next")
	y.End("next")
	if t := y.turnOf("next", "1"); y.Err() == nil && (t.Status != "ready" || len(t.Files) > 0) {
		y.Faultf("the next turn: %+v", t)
	}
}

// capturedStart: a start that was killed comes again, is killed again, and then the
// turn is captured as it was, or says why not; the next one is whole.
func capturedStart(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	start := c.scene.args(y)
	c.cutAgain(y, start...)
	c.holds(y, c.from, "after the second kill")
	y.OK(start...)
	c.holds(y, c.from, "after the start")
	y.Sh("printf 'by the turn\n' >> edit")
	id := start[len(start)-1]
	y.OK("turn", "end", "--thread", "T", "--turn-id", id)
	y.truthful(id, "edit modified")
	y.goesOn()
}

func capturedEnd(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	c.cutAgain(y, "turn", "end", "--thread", "T")
	c.cutAgain(y, "status")
	c.holds(y, c.from, "after the second kill")
	y.OK("turn", "end", "--thread", "T", "--turn-id", "1")
	c.holds(y, c.from, "after the end")
	y.truthful("1", "edit modified, gone deleted")
	y.goesOn()
}

// stagedAgain: what is staged is the old set or the new one, and what is staged anew
// can be carried out.
func stagedAgain(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	if n := len(y.Plan().Targets); y.Err() == nil && n != 0 && n != c.staged {
		y.Faultf("%d targets are staged, not none or %d", n, c.staged)
	}
	c.cutAgain(y, c.scene.args(y)...)
	y.OK("unstage")
	y.OK("stage", "1")
	c.carriedOut(y)
}

// carriedOut rolls back what is staged, and undoes it.
func (c *Crash) carriedOut(y *Yard) {
	y.Rollback(0, y.Plan().Fingerprint)
	c.holds(y, c.to, "after the rollback")
	y.Undo()
	c.holds(y, c.from, "after undo")
	y.sound()
}
