package trial

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// beginTorn is a rollback that was killed, with a line of its journal cut in two, as
// a power cut leaves it.
func beginTorn(c *Crash) {
	beginCut("rollback.marked:6")(c)
	journals, err := filepath.Glob(c.Path(".git/overturn/journal/*.jsonl"))
	if err == nil && len(journals) > 0 {
		var f *os.File
		if f, err = os.OpenFile(journals[0], os.O_WRONLY|os.O_APPEND, 0); err == nil {
			_, err = f.WriteString(`{"v":1,"type":"swa`)
			f.Close()
		}
	}
	if err != nil {
		c.Fail(err)
	}
}

// beginLarge has more files than are synced one by one, and one that is not held in
// memory while it is stored.
func beginLarge(c *Crash) {
	beginLargeTurn(c)
	c.End("T")
	c.OK("stage", "1")
	c.staged = len(c.Plan().Targets)
}

func beginLargeTurn(c *Crash) {
	c.Sh(crashUser)
	c.Sh(`mkdir many; for i in $(seq 100); do echo $i > many/$i; done`)
	c.Start("T")
	c.to = c.ends()
	c.Sh(`for i in $(seq 100); do echo more >> many/$i; done; head -c 3000000 /dev/urandom > large`)
	c.from = c.ends()
	c.targets = []string{"many", "large"}
}

// beginCutStart has a start behind it that was killed while it held the locks of refs.
func beginCutStart(c *Crash) {
	beginWork(c)
	c.cut(c.Yard, "refs.apply.locked", "turn", "start", "--thread", "T", "--turn-id", "1")
}

// joinPoints are passed when small packs become one.
func joinPoints() []string {
	return []string{"objects.tidy.mkdir", "objects.join.stored", "objects.removepacks.remove"}
}

// beginCrowded is in a turn whose end joins the packs of those before it.
func beginCrowded(c *Crash) {
	c.Sh(crashUser)
	for n := range 40 {
		c.OK("turn", "start", "--thread", "T", "--turn-id", "1")
		c.Sh("echo " + strings.Repeat("x", n+1) + " >> edit; rm -f gone")
		if n > 6 && len(c.passes(c.Yard, []string{"turn", "end", "--thread", "T"})) > 0 {
			break
		}
		c.End("T")
	}
	c.from = c.ends()
	c.to = c.from
}

// capturedJoin: no turn is lost, and the packs are joined at last.
func capturedJoin(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	c.cutAgain(y, "turn", "end", "--thread", "T")
	y.OK("turn", "end", "--thread", "T")
	c.holds(y, c.from, "after the end")
	var list struct{ Turns []turn }
	y.JSON(0, &list, "turns", "--thread", "T")
	for _, t := range list.Turns {
		if y.Err() == nil && (t.Status != "ready" || len(t.Files) == 0) {
			y.Faultf("%+v", t)
		}
	}
	y.goesOn()
}

// crashHook is what Claude Code says when a prompt comes. A session stays bound to the
// place where it was met, so that each copy has one of its own.
func crashHook(y *Yard) string {
	return fmt.Sprintf(`{"session_id":"%x","hook_event_name":"UserPromptSubmit","cwd":%q,"prompt":"do it"}`, md5.Sum([]byte(y.Root)), y.Root)
}

// captured: nothing moved, and it can be done again.
func captured(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	c.cutAgain(y, c.scene.args(y)...)
	c.fed(y).OK(c.scene.args(y)...)
	c.holds(y, c.from, "after it was done")
	y.nextStart()
	y.sound()
}

// beginSaid has a comment on the turn of an agent that can be told.
func beginSaid(c *Crash) {
	beginWork(c)
	c.OK("turn", "start", "--thread", "T", "--agent", "claude-code", "--turn-id", "1")
	c.Sh("printf 'by the turn\n' >> edit")
	c.OK("turn", "end", "--thread", "T")
	c.from = c.ends()
	c.to = c.from
	c.OK("comments", "add", "edit:1", "say why")
}

// beginHanded has it wait for the agent's next prompt.
func beginHanded(c *Crash) {
	beginSaid(c)
	c.OK("comments", "--hand-over")
}

func enableArgs(*Yard) []string { return []string{"enable", "claude-code", "--where", "local"} }

// beginSettings has settings of the user's that hooks are put into.
func beginSettings(c *Crash) {
	beginWork(c)
	c.targets = []string{".claude"}
	c.to = c.from
}

// beginEnabled has the hooks in place; from is without them.
func beginEnabled(c *Crash) {
	beginSettings(c)
	c.OK(enableArgs(c.Yard)...)
}

// enabled: the hooks are in or out, can be put in, and go without a trace.
func enabled(c *Crash, y *Yard) {
	c.cutAgain(y, c.scene.args(y)...)
	y.OK(enableArgs(y)...)
	if data, err := os.ReadFile(y.Path(".claude/settings.local.json")); y.Err() == nil && (err != nil || !strings.Contains(string(data), "overturn")) {
		y.Faultf("hooks are not in place: %v", err)
	}
	y.OK("disable", "claude-code")
	os.Remove(y.Path(".claude")) // a kill between the file and its folder leaves that, empty: git knows none
	c.holds(y, c.from, "after disable")
	y.sound()
}

// beginConfig has no settings yet.
func beginConfig(c *Crash) {
	beginWork(c)
	c.targets = []string{".overturn"}
	c.to = c.from
}

// configured: the setting is there or not, can be set, and goes without a trace.
func configured(c *Crash, y *Yard) {
	c.cutAgain(y, c.scene.args(y)...)
	y.OK(c.scene.args(y)...)
	if got := y.OK("config", "get", "retention.keep"); y.Err() == nil && strings.TrimSpace(got) != "9" {
		y.Faultf("the setting is %q", got)
	}
	y.OK("config", "unset", "retention.keep")
	if left, err := os.ReadDir(y.Path(".overturn")); err == nil {
		y.Faultf("beside the settings: %v", left)
	}
	c.holds(y, c.from, "after unset")
	y.sound()
}

// beginConfigured has one setting.
func beginConfigured(c *Crash) {
	beginConfig(c)
	c.OK("config", "set", "retention.keep", "9")
}

// unconfigured: the setting is there or not, and goes without a trace but for an empty
// folder, which git does not know.
func unconfigured(c *Crash, y *Yard) {
	y.OK(c.scene.args(y)...)
	if got := y.OK("config", "get", "retention.keep"); y.Err() == nil && strings.TrimSpace(got) != "0" {
		y.Faultf("the setting is %q", got)
	}
	os.Remove(y.Path(".overturn"))
	c.holds(y, c.from, "after unset")
	y.sound()
}

// oldTurns is how many turns there are to prune.
const oldTurns = 6

// beginOld has turns and rollbacks behind it that somebody has looked at.
func beginOld(c *Crash) {
	c.env = append(c.env, "OVERTURN_RETENTION_UNREVIEWED=0")
	c.Sh(crashUser)
	for n := range oldTurns {
		c.Turn("T", func() { c.Sh("echo " + strings.Repeat("x", n+1) + " >> edit; rm -f gone") })
	}
	for range 3 {
		c.Rollback(0, c.Stage("latest").Fingerprint)
		c.Undo()
	}
	c.OK("diff", "thread")
	c.from = c.ends()
	c.to = c.from
}

// pruned: a turn is there or says that it was pruned, the newest are whole, and it
// can be done to the end.
func pruned(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	y.prunedTruthfully()
	c.cutAgain(y, c.scene.args(y)...)
	y.prunedTruthfully()
	y.OK(c.scene.args(y)...)
	c.holds(y, c.from, "after it was done")
	y.prunedTruthfully()
	y.Rollback(0, y.Stage("latest").Fingerprint)
	y.Undo()
	if changes := c.from.Timeless().Diff(y.State().Timeless(), ".git"); y.Err() == nil && len(changes) > 0 {
		y.Faultf("after a rollback and its undo: %v", changes)
	}
	y.goesOn()
}

func (y *Yard) prunedTruthfully() {
	var list struct{ Turns []turn }
	y.JSON(0, &list, "turns", "--thread", "T")
	for i, t := range list.Turns {
		whole := t.Status == "ready" && len(t.Files) > 0
		gone := strings.HasPrefix(t.StatusReason, "pruned") && i < len(list.Turns)-2
		if y.Err() == nil && !whole && !gone {
			y.Faultf("%+v", t)
		}
	}
	if y.Err() == nil && len(list.Turns) != oldTurns {
		y.Faultf("%d turns are listed, not %d", len(list.Turns), oldTurns)
	}
	y.Git("fsck", "--no-dangling", "--no-progress")
}

func prunedIsGone(c *Crash, y *Yard) {
	var again struct{ Removed []string }
	y.JSON(0, &again, append(c.scene.args(y), "--dry-run")...)
	if y.Err() == nil && len(again.Removed) > 0 {
		y.Faultf("what was reported as removed is there: %v", again.Removed)
	}
}
