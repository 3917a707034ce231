package trial

import "strings"

// recordScenes are the calls that write records elsewhere than among the refs.
func recordScenes() []crashScene {
	args := func(list ...string) func(*Yard) []string { return func(*Yard) []string { return list } }
	end := args("turn", "end", "--thread", "T")
	return []crashScene{
		{name: "end on the branch", begin: beginWith(beginTurn, "OVERTURN_CHECKPOINTS_PRIMARY=git-branch"), args: end, check: capturedEnd, done: endIsThere,
			only: []string{"ledger.flushed", "refs.fill.write", "refs.apply.locked", "refs.rename.rename", "refs.apply.renamed"}},
		{name: "end with a mirror", begin: beginWith(beginTurn, "OVERTURN_CHECKPOINTS_MIRRORS=files"), args: end, check: capturedEnd, done: endIsThere,
			only: []string{"filestore.add.folder", "filestore.add.create", "filestore.writesynced.create", "filestore.writesynced.sync", "filestore.fill.chmod", "filestore.place.rename"}},
		{name: "migrate", begin: beginOnBranch, args: args("checkpoint", "migrate"), check: migrated, done: migratedIsThere},
		{name: "backfill", begin: beginToFill, args: args("checkpoint", "backfill"), check: filled, done: filledIsThere, only: []string{"refs.fill.write", "refs.rename.rename", "refs.apply.renamed"}},
	}
}

// beginWith begins under a setting of the environment.
func beginWith(begin func(c *Crash), setting string) func(c *Crash) {
	return func(c *Crash) {
		c.env = append(c.env, setting)
		begin(c)
	}
}

// branchTurns is how many records there are to be migrated, or filled.
const branchTurns = 3

// beginOnBranch has records on the branch.
func beginOnBranch(c *Crash) {
	c.env = append(c.env, "OVERTURN_CHECKPOINTS_PRIMARY=git-branch")
	beginToFill(c)
}

// beginToFill has records without what comes after their turns.
func beginToFill(c *Crash) {
	c.Sh(crashUser)
	for n := range branchTurns {
		c.Turn("T", func() { c.Sh("echo " + strings.Repeat("x", n+1) + " >> edit") })
	}
	c.from = c.ends()
	c.to = c.from
}

// migrated: whatever was killed, the branch has every record, and each that has a ref
// has it whole; another run does the rest.
func migrated(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	y.recordsReady(branchTurns)
	c.cutAgain(y, c.scene.args(y)...)
	y.recordsReady(branchTurns)
	y.OK(c.scene.args(y)...)
	migratedIsThere(c, y)
	y.goesOn()
}

// migratedIsThere: what was reported as migrated is read from its own ref, the branch
// gone.
func migratedIsThere(c *Crash, y *Yard) {
	var again struct{ Migrated, Already, Left int }
	y.JSON(0, &again, append(c.scene.args(y), "--dry-run")...)
	if y.Err() == nil && (again.Migrated != 0 || again.Already != branchTurns || again.Left != 0) {
		y.Faultf("after a migration: %+v", again)
	}
	alone := c.copied(y)
	defer alone.gone()
	alone.Git("update-ref", "-d", "refs/heads/overturn/checkpoints/v1")
	alone.recordsReady(branchTurns)
	alone.Git("fsck", "--no-dangling", "--no-progress")
}

// recordsReady holds that every record is listed, and can be read.
func (y *Yard) recordsReady(want int) {
	var list struct{ Checkpoints []struct{ Status string } }
	env := y.env
	y.env = append(env[:len(env):len(env)], "OVERTURN_CHECKPOINTS_PRIMARY=git-refs") // which reads refs and branch
	y.JSON(0, &list, "checkpoint", "list")
	y.env = env
	ready := 0
	for _, c := range list.Checkpoints {
		if c.Status == "ready" {
			ready++
		}
	}
	if y.Err() == nil && (ready != want || len(list.Checkpoints) != want) {
		y.Faultf("%d of %d records are ready, want %d", ready, len(list.Checkpoints), want)
	}
}

func filled(c *Crash, y *Yard) {
	c.holds(y, c.from, "after the kill")
	y.recordsReady(branchTurns)
	c.cutAgain(y, c.scene.args(y)...)
	y.OK(c.scene.args(y)...)
	filledIsThere(c, y)
	y.goesOn()
}

func filledIsThere(c *Crash, y *Yard) {
	var again struct{ Records []struct{ Outcome string } }
	y.JSON(0, &again, c.scene.args(y)...)
	for _, r := range again.Records {
		if y.Err() == nil && r.Outcome != "whole" {
			y.Faultf("after a backfill: %+v", again)
		}
	}
	y.recordsReady(branchTurns)
}
