package review_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/ledger"
)

// TestSharedFile: the agent by a tool, the agent by its shell, and the user, all in
// one file and in one turn.
func TestSharedFile(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("shared.txt", lines(1, 60))
	f.Write("mine.txt", "0\n")
	f.Commit("first")
	f.start("t", true)
	f.Write("mine.txt", "user, while the agent thinks\n")
	f.replace("shared.txt", "line 5\n", "user 5\n")
	f.tool("t", nil, func() { f.replace("shared.txt", "line 25\n", "shell 25\n"); f.Write("made.txt", "shell\n") })
	f.replace("shared.txt", "line 45\n", "user 45\n")
	f.tool("t", nil, func() { f.replace("shared.txt", "user 45\n", "shell 45\n") })
	turn := f.end("t")
	cs := f.compare("latest")
	equal(t, "rows", f.rows(cs), "added made.txt agent\nmodified mine.txt user\nmodified shared.txt mixed")
	equal(t, "hunks", f.hunks(cs, "shared.txt"), "1 user [1]\n2 agent [1]\n3 mixed [1]")
	summary := ""
	for _, file := range turn.Files {
		summary += string(file.Path) + " " + string(file.Owner) + "\n"
	}
	equal(t, "summary", summary, "made.txt agent\nmine.txt user\nshared.txt mixed\n")
}

// TestMovedEnd: an agent that goes on after the end of its turn moves the end. What was
// done between that end and its next tool, and after the last, is the user's.
func TestMovedEnd(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("both", lines(1, 40))
	f.Commit("first")
	f.start("t", true)
	f.tool("t", nil, func() { f.Write("first.txt", "agent\n") })
	f.end("t")
	f.Write("between.txt", "user\n")
	f.replace("both", "line 5\n", "user 5\n")
	f.tool("t", nil, func() { f.Write("second.txt", "agent\n"); f.replace("both", "line 30\n", "agent 30\n") })
	f.Write("after.txt", "user\n")
	turn, err := f.ledger.End(t.Context(), ledger.EndEvent{Thread: "t", ByHook: true, At: time.Now()})
	f.must(err)
	want := "added after.txt user\nadded between.txt user\nmodified both mixed\nadded first.txt agent\nadded second.txt agent"
	equal(t, "rows", f.rows(f.compare("latest")), want)
	equal(t, "hunks", f.hunks(f.compare("latest"), "both"), "1 user [1]\n2 agent [1]")
	summary := ""
	for _, file := range turn.Files {
		summary += "\n" + string(file.Change) + " " + string(file.Path) + " " + string(file.Owner)
	}
	equal(t, "summary", summary, "\n"+want)
}

// TestNamedPath: what a tool names is the agent's whenever it changed.
func TestNamedPath(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("named.txt", lines(1, 40))
	f.Commit("first")
	f.start("t", true)
	f.replace("named.txt", "line 5\n", "user 5\n")
	f.tool("t", []model.Path{"named.txt"}, func() { f.replace("named.txt", "line 30\n", "agent 30\n") })
	f.end("t")
	equal(t, "rows", f.rows(f.compare("latest")), "modified named.txt agent")
}

// TestOverlap: turns of two threads at once. Named paths are their thread's, what
// nobody names is nobody's.
func TestOverlap(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Commit("first")
	f.start("a", true)
	f.start("b", true)
	f.tool("a", []model.Path{"a.txt"}, func() { f.Write("a.txt", "a\n") })
	f.tool("b", []model.Path{"b.txt"}, func() { f.Write("b.txt", "b\n") })
	f.tool("b", nil, func() { f.Write("shell.txt", "somebody\n") })
	f.Write("user.txt", "while both think\n")
	a := f.end("a")
	f.end("b")
	cs := f.compare("latest@a")
	equal(t, "thread a", f.rows(cs), "added a.txt agent\nadded b.txt agent@b\nadded shell.txt unknown\nadded user.txt user")
	equal(t, "thread b", f.rows(f.compare("latest@b")), "added a.txt agent@a\nadded b.txt agent\nadded shell.txt unknown\nadded user.txt user")
	equal(t, "working", f.rows(f.compare("working@a")), "added a.txt agent\nadded b.txt agent@b\nadded shell.txt unknown\nadded user.txt user")
	for i, want := range []string{"", "made by another thread, b", "nobody knows who made it", "made by the user"} {
		owner, thread, err := f.review.Owner(t.Context(), cs, cs.Files[i])
		f.must(err)
		equal(t, "kept: "+string(cs.Files[i].Path), cs.Keeps(owner, thread), want)
	}
	if len(a.Files) != 4 || a.Files[0].Owner != model.OwnerAgent || a.Files[3].Owner != model.OwnerUser {
		t.Errorf("summary of a: %+v", a.Files)
	}
}

// TestIdleThread: a turn without changes has none, whatever another thread did
// before or after it.
func TestIdleThread(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Commit("first")
	f.turn("a", func() { f.Write("a", "a's work\n") })
	f.turn("b", func() {})
	equal(t, "b", f.rows(f.compare("latest@b")), "")
	f.turn("a", func() { f.Write("a", "more\n") })
	f.turn("b", func() { f.Write("b", "b\n") })
	equal(t, "b as a whole", f.rows(f.compare("thread@b")), "modified a agent@a\nadded b agent")
}

// TestChainOfTurns follows hunks through a thread with a user in between.
func TestChainOfTurns(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", lines(1, 80))
	f.Commit("first")
	f.turn("t", func() { f.replace("f", "line 5\n", "agent 5\n") })
	f.replace("f", "line 25\n", "user 25\n")
	f.turn("t", func() { f.replace("f", "line 45\n", ""); f.replace("f", "agent 5\n", "agent five\n") })
	f.replace("f", "line 65\n", "user 65\n")
	cs := f.compare("thread")
	equal(t, "thread", f.hunks(cs, "f"), "1 agent [1 2]\n2 user []\n3 agent [2]")
	equal(t, "turn 2", f.hunks(f.compare("2"), "f"), "1 agent [2]\n2 agent [2]")
	equal(t, "working", f.hunks(f.compare("working"), "f"), "1 agent [1 2]\n2 user []\n3 agent [2]\n4 user []")
}

// TestModeHasAnOwner: a mode is a hunk of its own.
func TestModeHasAnOwner(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "1\n")
	f.Write("private", "1\n")
	f.Commit("first")
	f.turn("t", func() { f.Write("f", "2\n"); f.Chmod("private", 0o600) })
	equal(t, "turn 1", f.rows(f.compare("1")), "modified f agent\nmode private agent")
	f.Chmod("f", 0o755)
	f.turn("t", func() {})
	cs := f.compare("0..2")
	equal(t, "rows", f.rows(cs), "modified f mixed\nmode private agent")
	equal(t, "hunks", f.hunks(cs, "f"), "0 user []\n1 agent [1]")
	private := f.file(cs, "private")
	equal(t, "modes", private.Old.Mode+" "+private.New.Mode, "100644 100600")
	equal(t, "hunks of private", f.hunks(cs, "private"), "0 agent [1]")
	equal(t, "git does not know 600", f.paths(f.compare("working")), "modified f")
}

// TestBesideTrees: permission bits that git does not know, and raw bytes, have the
// owner who changed them, whatever else happened in between.
func TestBesideTrees(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "core.autocrlf", "true")
	r.Write("by-agent", "1\r\n")
	r.Write("by-user", "1\r\n")
	r.Write("ends", "1\r\n2\r\n")
	r.Commit("first")
	f := newFixture(t, r)
	f.turn("t", func() { f.Chmod("by-agent", 0o600) })
	f.Write("user.txt", "1\r\n")
	f.Chmod("by-user", 0o640)
	f.turn("t", func() { f.Write("agent.txt", "1\r\n"); f.Write("ends", "1\n2\n") })
	f.Write("user.txt", "2\r\n")
	f.turn("t", func() { f.Write("both", "agent\r\n") })
	f.Chmod("both", 0o600)
	f.turn("t", func() { f.Write("both", "1\r\n"+lines(2, 30)) })
	cs := f.compare("3..4")
	equal(t, "content by the agent, mode by the user", f.hunks(cs, "both"), "0 user []\n1 agent [4]")
	equal(t, "rows of both", f.rows(cs), "modified both mixed")
	working := f.compare("working")
	equal(t, "working", f.rows(working), "added agent.txt agent\nadded both agent\nadded user.txt user")
	f.Remove("both")
	f.turn("t", func() {})
	cs = f.compare("thread")
	equal(t, "rows", f.rows(cs), "added agent.txt agent\nmode by-agent agent\nmode by-user user\nmodified ends agent\nadded user.txt user")
	equal(t, "turn", f.hunks(cs, "by-agent"), "0 agent [1]")
	equal(t, "line ends", f.hunks(cs, "ends"), "1 agent [2]")
}

// TestRareBitsAgainstHead: git has no permission bits to go back to but one.
func TestRareBitsAgainstHead(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("secret", "1\n")
	f.Write("script", "1\n")
	f.Commit("first")
	f.turn("t", func() { f.Write("secret", "2\n"); f.Chmod("secret", 0o600); f.Chmod("script", 0o700) })
	cs := f.compare("working")
	equal(t, "rows", f.rows(cs), "mode script agent\nmodified secret agent")
	secret, script := f.file(cs, "secret"), f.file(cs, "script")
	equal(t, "modes", strings.Join([]string{secret.Old.Mode, secret.New.Mode, script.Old.Mode, script.New.Mode}, " "), "100600 100600 100644 100700")
	equal(t, "hunks", f.hunks(cs, "secret"), "1 agent [1]")
	if secret.Committed || !secret.Uncommitted {
		t.Errorf("%+v", secret)
	}
}

// TestConvertedHunks: hunks are those of the bytes on disk, owners are found in
// what git stores.
func TestConvertedHunks(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "core.autocrlf", "true")
	dos := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	r.Write("dos", dos(lines(1, 60)))
	r.Commit("first")
	f := newFixture(t, r)
	f.turn("t", func() { f.replace("dos", "line 5\r\n", "agent 5\r\n") })
	f.replace("dos", "line 30\r\n", "user 30\r\n")
	f.turn("t", func() { f.replace("dos", "line 55\r\n", "") })
	cs := f.compare("thread")
	equal(t, "hunks", f.hunks(cs, "dos"), "1 agent [1]\n2 user []\n3 agent [2]")
}

// TestBranchSwitch: what a switch changed during a turn is not the agent's (E-08).
func TestBranchSwitch(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("switched", "main\n")
	f.Write("worked", "0\n")
	f.Commit("first")
	f.Git("switch", "-q", "-c", "other")
	f.Write("switched", "other\n")
	f.Commit("other")
	f.Git("switch", "-q", "main")
	f.turn("t", func() { f.Git("switch", "-q", "other"); f.Write("worked", "agent\n") })
	cs := f.compare("latest")
	equal(t, "rows", f.rows(cs), "modified switched unknown\nmodified worked agent")
	if !cs.HeadMoved {
		t.Error("HEAD moved and nobody said so")
	}
	f.turn("t", func() {
		f.Write("worked", "committed\n")
		f.WithEnv(fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", time.Now().Unix())).Commit("by the agent")
	})
	equal(t, "the agent commits its own work", f.rows(f.compare("latest")), "modified worked agent")
}

// TestSwitchAndEditOfOneFile: of a file that a switch changed and the agent after it,
// the agent's hunks are the agent's, and the switch's are nobody's, also long after
// the question that read it was given up.
func TestSwitchAndEditOfOneFile(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	f.Write("both", base)
	f.Write("whole", "main\n")
	f.Commit("first")
	f.Git("switch", "-q", "-c", "other")
	f.replace("both", "12\n", "of other\n")
	f.Write("whole", "other\n")
	f.Commit("other")
	f.Git("switch", "-q", "main")
	f.turn("t", func() { f.Git("switch", "-q", "other"); f.replace("both", "2\n", "agent\n") })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cs, err := f.review.Compare(ctx, f.scope("latest"))
	f.must(err)
	for i := range cs.Files {
		o, err := f.review.Owners(ctx, cs, cs.Files[i])
		f.must(err)
		cancel()
		ctx = t.Context()
		want := map[string]string{"both": "mixed: agent unknown", "whole": "unknown: unknown"}[string(cs.Files[i].Path)]
		got := string(o.Owner) + ":"
		for _, h := range o.Hunks {
			got += " " + string(h.Owner)
		}
		equal(t, string(cs.Files[i].Path), got, want)
	}
}

// TestLateTool: evidence that comes after the end of the turn counts.
func TestLateTool(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Commit("first")
	f.start("t", true)
	f.Write("late.txt", "1\n")
	f.end("t")
	f.must(f.ledger.Touch(t.Context(), "t", []model.Path{"late.txt"}))
	equal(t, "rows", f.rows(f.compare("latest")), "added late.txt agent")
}

func (f *fixture) replace(path, old, now string) {
	f.t.Helper()
	content := f.Read(path)
	if !strings.Contains(content, old) {
		f.t.Fatalf("%s has no %q", path, old)
	}
	f.Write(path, strings.Replace(content, old, now, 1))
}
