//go:build linux || darwin

package recordertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/gittest"
)

const hexID = "a1b2c3d4e5f6"

// lived is a repository in which T3 Code worked, then the Entire CLI, and the user.
func lived(t *testing.T) *house {
	r := gittest.New(t).WithEnv("GIT_COMMITTER_DATE=2026-02-03T12:00:00Z")
	r.Write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n")
	r.Write("gone.txt", "was here\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	c.Capture(foreigntest.First("talk", 0))
	r.Write("a.txt", "1\nby the agent\n3\n4\n5\n6\n7\n8\n")
	r.Write("deep/new.txt", "new\n")
	r.Chmod("deep/new.txt", 0o664)
	r.Remove("gone.txt")
	c.Capture(foreigntest.First("talk", 1))
	c.Capture(foreigntest.Second("later", 0))
	r.Write("b.txt", "b\n")
	c.Capture(foreigntest.Second("later", 1) + "-start")
	r.Write("b.txt", "b\nagain\n")
	c.Capture(foreigntest.Second("later", 1))
	e := foreigntest.NewEntire(t, r)
	r.Commit("work\n\nEntire-Checkpoint: " + hexID)
	e.OnBranch(hexID, foreigntest.EntireFiles(hexID, foreigntest.EntireSession{
		ID: "s\x1b]0;title\a", Agent: "Claude Code", At: "2026-02-01T10:00:00Z", Prompts: "Do \x1b[2Jit", Files: `"a.txt"`,
	}))
	e.Record("01KVBJCWYA4YW6J5M9GP655HZN", foreigntest.EntireFiles("01KVBJCWYA4YW6J5M9GP655HZN",
		foreigntest.EntireSession{ID: "plain", Agent: "Codex", At: "2026-02-04T10:00:00Z", Prompts: "More", Files: `"b.txt"`}))
	return &house{r, t}
}

func laterThread() string { return "t3:v2:" + foreigntest.Key(foreigntest.ScopeID("later")) }

// C15: what others recorded opens, and nothing of theirs is written: not a byte of the
// git directory but overturn's own, nor of T3 Code's databases.
func TestOthersAreOnlyRead(t *testing.T) {
	h := lived(t)
	home := filepath.Join(h.Home, ".t3", "userdata")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"state.sqlite", "statev2.sqlite", "statev2.sqlite-wal"} {
		data, err := os.ReadFile("../../../gitops/checkpoint/foreign/t3/testdata/home/userdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index := filepath.Join(h.GitDir(), "index")
	before, database := sums(t, h.GitDir()), sums(t, home)
	for _, args := range [][]string{
		{"threads"}, {"threads", "--json"}, {"turns", "--thread", "t3:talk"}, {"show", "1", "--thread", "t3:talk"}, {"show", "latest", "--thread", "entire:plain"},
		{"diff", "1", "--thread", "t3:talk", "--patch"}, {"diff", "thread", "--thread", laterThread(), "--json"}, {"turns", "--thread", "entire:" + "plain"},
		{"status"}, {"doctor"}, {"review", "--plain"}, {"checkpoint", "list"}, {"checkpoint", "prune", "--keep", "1"},
		{"stage", "1", "--thread", "t3:talk", "--", "a.txt"}, {"plan"}, {"rollback", "--expect", ""}, {"undo"},
	} {
		if args[0] == "rollback" {
			var p struct{ Fingerprint string }
			h.object(&p, "plan")
			args[2] = p.Fingerprint
		}
		h.run(0, args...)
	}
	same(t, "the git directory", before, sums(t, h.GitDir()))
	same(t, "T3 Code's database", database, sums(t, home))
	if _, err := os.Stat(index); err != nil {
		t.Error(err)
	}
}

// What is taken back from T3 Code's snapshots goes the whole way: named, merged with what
// came since, kept, undone.
func TestTakeBackFromT3(t *testing.T) {
	h := lived(t)
	h.Write("a.txt", "1\nby the agent\n3\n4\n5\n6\n7\nthe user's\n")
	out, _ := h.run(0, "stage", "1", "--thread", "t3:talk")
	if !strings.Contains(out, "nothing is staged") || !strings.Contains(out, "a.txt (nobody knows who made it)") {
		t.Errorf("what T3 Code cannot say who made is staged without its name:\n%s", out)
	}
	h.run(0, "stage", "1", "--thread", "t3:talk", "--", "a.txt", "deep/new.txt", "gone.txt")
	var p struct {
		Fingerprint string
		Targets     []struct{ Path, Op, Verdict, Owner string }
	}
	h.object(&p, "plan")
	var got []string
	for _, x := range p.Targets {
		got = append(got, x.Path+" "+x.Op+" "+x.Verdict+" "+x.Owner)
	}
	if want := "a.txt write merged unknown, deep/new.txt delete clean unknown, gone.txt create clean unknown"; strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	h.run(0, "rollback", "--expect", p.Fingerprint)
	if got := h.Read("a.txt"); got != "1\n2\n3\n4\n5\n6\n7\nthe user's\n" {
		t.Errorf("a.txt: %q", got)
	}
	if h.Exists("deep/new.txt") || h.Read("gone.txt") != "was here\n" {
		t.Error("a file that came stays, or one that went is not back")
	}
	h.run(0, "undo")
	if h.Read("a.txt") != "1\nby the agent\n3\n4\n5\n6\n7\nthe user's\n" || h.Read("deep/new.txt") != "new\n" || h.Exists("gone.txt") {
		t.Error("the undo did not bring back what was there")
	}

	h.Write("a.txt", "1\nby somebody else\n3\n4\n5\n6\n7\n8\n")
	h.run(0, "stage", "1", "--thread", "t3:talk", "--", "a.txt")
	h.object(&p, "plan")
	if p.Targets[0].Verdict != "conflict" {
		t.Errorf("a later edit of the very line: %+v", p.Targets)
	}
	h.run(5, "rollback", "--expect", p.Fingerprint)
	h.run(0, "unstage")
}

// Where T3 Code captured the start of the turn, and nothing ran beside, the change is the
// agent's and goes without its name.
func TestTakeBackOfTheAgents(t *testing.T) {
	h := lived(t)
	var p struct{ Fingerprint string }
	h.run(0, "stage", "1", "--thread", laterThread())
	h.object(&p, "plan")
	h.run(0, "rollback", "--expect", p.Fingerprint)
	if got := h.Read("b.txt"); got != "b\n" {
		t.Errorf("b.txt: %q", got)
	}
}

// Words of others are shown and never drive a terminal; threads of others do not go back
// whole; the stage of a commit that the Entire CLI's trailer names takes a name.
func TestWordsOfOthers(t *testing.T) {
	h := lived(t)
	out, said := h.run(0, "threads")
	for _, want := range []string{"t3:talk", laterThread(), "entire:plain", "codex", "entire:sha256:"} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is not listed:\n%s", want, out)
		}
	}
	if !strings.Contains(said, "titles are not known") {
		t.Errorf("that titles are missing is not said: %q", said)
	}
	for _, args := range [][]string{{"threads"}, {"turns", "--thread", "entire:sha256:"}, {"show", "1", "--thread", "entire:sha256:"}} {
		out, said := h.run(0, args...)
		if strings.ContainsAny(out+said, "\x1b\a") {
			t.Errorf("%v drives the terminal: %q", args, out+said)
		}
	}
	_, said = h.run(5, "revert", "--thread", "t3:talk", "--to", "0", "--plan")
	if !strings.Contains(said, "T3 Code") {
		t.Errorf("why it does not go back whole: %s", said)
	}
	_, said = h.run(1, "diff", "latest", "--thread", "entire:plain")
	if !strings.Contains(said, "no snapshot was kept, and no commit here carries its id") {
		t.Errorf("why there is nothing to compare: %s", said)
	}
	out, _ = h.run(0, "diff", "1", "--thread", "entire:sha256:", "--name-status")
	if !strings.Contains(out, "deep/new.txt") {
		t.Errorf("the commit that carries the id: %s", out)
	}
	h.run(2, "turns", "--thread", "t3:nobody")
	h.run(2, "show", "9", "--thread", "t3:talk")
}

// In a repository with several work trees, and no word of T3 Code's in which it worked,
// its turns are shown and not staged.
func TestWorkTreeThatIsNotKnown(t *testing.T) {
	h := lived(t)
	h.Worktree("linked")
	h.run(0, "diff", "1", "--thread", "t3:talk")
	_, said := h.run(5, "stage", "1", "--thread", "t3:talk", "--", "a.txt")
	if !strings.Contains(said, "does not tell in which of the work trees") {
		t.Errorf("%s", said)
	}
}

// What an agent of ours wrote stands in the turn's own record.
func TestLogOfOurOwn(t *testing.T) {
	h := lived(t)
	transcript := filepath.Join(h.Home, "transcript.jsonl")
	say := func(line string) {
		f, err := os.OpenFile(transcript, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	hook := func(event, more string) {
		h.feed(`{"session_id":"mine","transcript_path":"`+transcript+`","cwd":"`+h.Root+`","hook_event_name":"`+event+`"`+more+`}`, "hook", "claude-code")
	}
	say(`{"before":1}`)
	hook("UserPromptSubmit", `,"prompt":"do it"`)
	say(`{"type":"assistant"}`)
	h.Write("a.txt", "changed\n")
	hook("Stop", "")
	hook("SessionEnd", "")
	h.run(0, "checkpoint", "backfill")
	if out, _ := h.run(0, "show", "1", "--thread", "mine", "--log"); !strings.Contains(out, `{"type":"assistant"}`) || strings.Contains(out, "before") {
		t.Errorf("the log: %q", out)
	}
	h.run(0, "turn", "start", "--thread", "silent")
	h.run(0, "turn", "end", "--thread", "silent")
	_, said := h.run(1, "show", "1", "--thread", "silent", "--log")
	if !strings.Contains(said, "no log of turn 1 is kept") {
		t.Errorf("%s", said)
	}
}

// Line ends that git turns, executable bits, links and bits that git does not know: what
// is taken back is what stood on disk, and what cannot be known stays.
func TestTakeBackOfOddFiles(t *testing.T) {
	r := gittest.New(t)
	r.Write(".gitattributes", "*.txt text eol=crlf\n")
	r.Write("dos.txt", "1\r\n2\r\n3\r\n")
	r.Write("tool", "#!/bin/sh\n")
	r.Write("private", "1\n")
	r.Chmod("private", 0o600)
	r.Symlink("private", "link")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	c.Capture(foreigntest.First("odd", 0))
	r.Write("dos.txt", "1\r\ntwo\r\n3\r\n")
	r.Chmod("tool", 0o755)
	r.Write("private", "2\n")
	r.Chmod("private", 0o600)
	r.Remove("link")
	r.Symlink("tool", "link")
	c.Capture(foreigntest.First("odd", 1))
	h := &house{r, t}
	h.run(0, "stage", "1", "--thread", "t3:odd", "--", "dos.txt", "tool", "private", "link")
	var p struct {
		Fingerprint string
		Targets     []struct{ Path, Op, Verdict string }
	}
	h.object(&p, "plan")
	var got []string
	for _, x := range p.Targets {
		got = append(got, x.Path+" "+x.Op+" "+x.Verdict)
	}
	if want := "dos.txt write clean, link link clean, private write clean, tool mode clean"; strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	h.run(0, "rollback", "--expect", p.Fingerprint)
	if got := h.Read("dos.txt"); got != "1\r\n2\r\n3\r\n" {
		t.Errorf("dos.txt: %q", got)
	}
	for path, want := range map[string]os.FileMode{"tool": 0o644, "private": 0o600} {
		if info, err := os.Stat(h.Path(path)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if to, err := os.Readlink(h.Path("link")); err != nil || to != "private" || h.Read("private") != "1\n" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}
