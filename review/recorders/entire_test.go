package recorders_test

import (
	"strings"
	"testing"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/gittest"
)

const (
	hexID  = "a1b2c3d4e5f6"
	ulidID = "01KVBJCWYA4YW6J5M9GP655HZN"
)

// sessions is a repository with two checkpoints of one session, of which the project's
// history has one, and a third on the branch.
func sessions(t *testing.T) *fixture {
	r := gittest.New(t).WithEnv("GIT_COMMITTER_DATE=2026-02-03T12:00:00Z")
	r.Write("a", "1\n")
	r.Write("b", "b\n")
	r.Commit("first")
	e := foreigntest.NewEntire(t, r)
	r.Write("a", "1\n2\n")
	r.Write("mine", "the user's\n")
	r.Commit("work\n\nWhy it was done.\n\nEntire-Checkpoint: " + hexID)
	e.OnBranch(hexID, foreigntest.EntireFiles(hexID, foreigntest.EntireSession{
		ID: "2026-02-01-c0ffee", Agent: "Claude Code", At: "2026-02-01T10:00:00Z", Prompts: "Add a second line\n\n---\n\nand test it", Files: `"a"`,
	}))
	e.Record(ulidID, foreigntest.EntireFiles(ulidID,
		foreigntest.EntireSession{ID: "2026-02-01-c0ffee", Agent: "Claude Code", At: "2026-02-02T10:00:00Z", Prompts: "More", Files: `"b","../out","a"`},
		foreigntest.EntireSession{ID: "other", At: "2026-02-02T09:00:00Z", Files: `"x"`},
	))
	return newFixture(t, r)
}

// Facts: entire.md, 1.2 to 1.4, 2.1 to 2.4.
func TestSessionsOfEntire(t *testing.T) {
	f := sessions(t)
	before := f.Protected(t)
	equal(t, "threads", f.threads(), `entire entire:2026-02-01-c0ffee in "main": 2 Add a second line --- and test it
entire entire:other in "main": 1`)
	equal(t, "turns", f.turns("entire:2026-02-01-c0ffee"), "1 unknown ready (no snapshot was kept: shown is commit "+f.Git("rev-parse", "--short=12", "HEAD")+
		`, which carries its id) | modified a +1 -0 unknown | added mine +1 -0 unknown
2 unknown missing (no snapshot was kept, and no commit here carries its id) | modified a +-1 --1 unknown | modified b +-1 --1 unknown`)
	equal(t, "diff", f.compare("1@entire:2026"), "turn 1, start to turn 1, end\nmodified a +1 -0 unknown\nadded mine +1 -0 unknown")
	equal(t, "no diff", f.compare("2@entire:2026"), "failed: the start of turn 2 was not captured (status missing: no snapshot was kept, and no commit here carries its id); files may have changed all the same")
	equal(t, "range", f.compare("0..1@entire:2026"), "baseline to turn 1, end\nmodified a +1 -0 unknown\nadded mine +1 -0 unknown")
	if d := before.Diff(f.Protected(t)); d != "" {
		t.Errorf("reading changed what is there:\n%s", d)
	}
}

// The first commit of a history is compared with nothing; a squash says that it is of
// several; a commit that was picked counts where HEAD has it.
func TestCommitsThatCarry(t *testing.T) {
	r := gittest.New(t).WithEnv("GIT_COMMITTER_DATE=2026-02-03T12:00:00Z")
	e := foreigntest.NewEntire(t, r)
	for i, id := range []string{hexID, "ffffffffffff", ulidID} {
		e.OnBranch(id, foreigntest.EntireFiles(id, foreigntest.EntireSession{ID: "s", At: "2026-02-0" + string(rune('1'+i)) + "T10:00:00Z"}))
	}
	r.Write("a", "1\n")
	first := r.Commit("first\n\nEntire-Checkpoint: " + hexID)
	r.Git("checkout", "-q", "-b", "side")
	r.Write("b", "side\n")
	r.Commit("elsewhere\n\nEntire-Checkpoint: ffffffffffff")
	r.Git("checkout", "-q", "main")
	r.Write("b", "main\n")
	r.Write("c", "c\n")
	squash := r.Commit("squash\n\nEntire-Checkpoint: ffffffffffff\nentire-checkpoint:  " + ulidID + "\nEntire-Checkpoint: nonsense")
	f := newFixture(t, r)
	equal(t, "turns", f.turns("entire:s"), "1 unknown ready (no snapshot was kept: shown is commit "+first[:12]+", which carries its id) | added a +1 -0 unknown\n"+
		"2 unknown ready (no snapshot was kept: shown is commit "+squash[:12]+", which carries its id; with those of 1 others) | added b +1 -0 unknown | added c +1 -0 unknown\n"+
		"3 unknown ready (no snapshot was kept: shown is commit "+squash[:12]+", which carries its id; with those of 1 others) | added b +1 -0 unknown | added c +1 -0 unknown")
	equal(t, "from nothing", f.compare("1@entire:s"), "turn 1, start to turn 1, end\nadded a +1 -0 unknown")
}

// Facts: entire.md, 2.1 and 2.2: states on shadow branches are snapshots, of one session
// or of several on one branch; the Entire CLI's own folder in them is none of the project.
func TestStepsOfSessions(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	r.Worktree("linked")
	e := foreigntest.NewEntire(t, r)
	r.Write("a", "2\n")
	e.Step("one", "", "make it 2", "2026-02-01T10:00:00Z")
	r.Write("b", "two\n")
	e.Step("two", "", "first\n\n---\n\nthen b", "2026-02-01T11:00:00Z")
	r.Write("a", "3\n")
	e.Step("one", "", "make it 2\n\n---\n\nmake it 3", "2026-02-01T12:00:00Z")
	e.Step("linked", "linked", "there", "2026-02-01T09:00:00Z")
	branch := "refs/heads/entire/" + r.Git("rev-parse", "HEAD")[:7] + "-e3b0c4"
	r.Git("update-ref", "refs/heads/entire/fffffff", r.Git("rev-parse", branch+"~2"))
	r.Git("update-ref", "refs/heads/entire/main-thing", "HEAD")
	f := newFixture(t, r)
	why := "of a session without a checkpoint yet: the Entire CLI removes " + branch + " when it makes one"
	equal(t, "threads", f.threads(), `entire entire:one in "main": 3 make it 2
entire entire:two in "main": 1 then b
entire entire:linked in "linked": 1 there`)
	equal(t, "one", f.turns("entire:one"), "1 unknown ready ("+why+") | modified a +1 -1 unknown\n"+
		"2 unknown missing (its start: the commit that refs/heads/entire/fffffff is named for is not here)\n"+
		"3 unknown ready ("+why+") | modified a +1 -1 unknown")
	equal(t, "two", f.turns("entire:two"), "1 unknown ready ("+why+") | added b +1 -0 unknown")
	equal(t, "the diff", f.compare("1@entire:two"), "turn 1, start to turn 1, end\nadded b +1 -0 unknown\nleft out .entire/metadata: records of the program that captured it")
	if got := f.compare("1@entire:linked"); !strings.Contains(got, "elsewhere") {
		t.Errorf("of another work tree: %s", got)
	}
}
