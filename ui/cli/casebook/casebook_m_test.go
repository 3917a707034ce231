package casebook_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookM: parts of a file go back, the rest of it stays.
func TestCasebookM(t *testing.T) {
	runCases(t, []caseOf{
		{"M-01", caseStagedHunkStays},
		{"M-02", caseUserInsideTheHunk},
		{"M-05", caseHunksOfAllEndings},
		{"M-06", caseLastLine},
		{"M-08", caseBlankContext},
		{"M-09", caseHunksOfWholeFiles},
		{"M-11", caseSafetyIsNoPatch},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// lines is a text of n lines, "1" to "n", with the replacements ("3:new text")
// made; end is behind each line.
func lines(n int, end string, changed ...string) string {
	var all strings.Builder
	for i := 1; i <= n; i++ {
		line := fmt.Sprint(i)
		for _, c := range changed {
			if text, ok := strings.CutPrefix(c, fmt.Sprint(i, ":")); ok {
				line = text
			}
		}
		all.WriteString(line + end)
	}
	return all.String()
}

// caseStagedHunkStays: a hunk that is in the index stays there and on disk, whoever
// made it and whoever put it there.
func caseStagedHunkStays(b *book) {
	const firstHunk = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n 1\n-2\n+staged\n 3\n 4\n"
	only, both := lines(30, "\n", "2:staged"), lines(30, "\n", "2:staged", "25:agent")
	begin := func() *book {
		b := b.another()
		b.Write("f", lines(30, "\n"))
		b.Commit("base")
		return b
	}
	held := func(b *book, before world, staged string) {
		b.t.Helper()
		b.reads("f", only)
		b.same(before, "f") // the index is the same file
		if got := b.Git("diff", "--cached"); got != staged || staged == "" {
			b.t.Errorf("staged: %s\nwas %s", got, staged)
		}
	}
	user := begin() // the user's own hunk, staged before the turn
	user.Write("f", only)
	user.Git("add", "f")
	user.turn("T", func() { user.Write("f", both) })
	before, staged := user.world(), user.Git("diff", "--cached")
	user.rollback("latest", "--hunk", "1", "--", "f")
	held(user, before, staged)
	user.undo()
	user.reads("f", both)
	user.rollback("latest") // and the file as a whole
	held(user, before, staged)

	later := begin() // both are the agent's, and the user staged the first
	later.turn("T", func() { later.Write("f", both) })
	later.GitInput(firstHunk, "apply", "--cached")
	before, staged = later.world(), later.Git("diff", "--cached")
	later.rollback("latest", "--hunk", "2", "--", "f")
	held(later, before, staged)

	agent := begin() // the agent itself staged the first
	agent.start("T")
	agent.Write("f", both)
	agent.GitInput(firstHunk, "apply", "--cached")
	agent.end("T")
	before, staged = agent.world(), agent.Git("diff", "--cached")
	agent.rollback("latest", "--hunk", "2", "--", "f")
	held(agent, before, staged)
}

// caseUserInsideTheHunk: what the user wrote into a hunk of the agent is in no
// rollback's way but that hunk's, and is never lost.
func caseUserInsideTheHunk(b *book) {
	base := lines(40, "\n")
	block := ""
	for i := range 10 {
		block += fmt.Sprintf("agent %d\n", i)
	}
	agent := strings.Replace(strings.Replace(base, "\n6\n", "\n6\n"+block, 1), "\n33\n", "\nagent far\n", 1)
	b.Write("f", base)
	b.Commit("base")
	b.turn("T", func() { b.Write("f", agent) })
	far := strings.NewReplacer("\nagent far\n", "\n33\n")
	edits := map[string]*strings.Replacer{
		"one of ten and one above": strings.NewReplacer("\nagent 0\n", "\nUSER above\nagent 0\n", "agent 4", "USER 4"),
		"one of ten":               strings.NewReplacer("agent 4", "USER 4"),
		"the first":                strings.NewReplacer("agent 0", "USER 0"),
		"one more inside":          strings.NewReplacer("agent 4\n", "agent 4\nUSER\n"),
		"one gone":                 strings.NewReplacer("agent 4\n", ""),
		"joined with the next":     strings.NewReplacer("agent 4\nagent 5", "USER 4 5"),
		"line end only":            strings.NewReplacer("agent 4\n", "agent 4\r\n"),
		"just above":               strings.NewReplacer("\nagent 0\n", "\nUSER above\nagent 0\n"),
		"just below":               strings.NewReplacer("agent 9\n", "agent 9\nUSER below\n"),
		"the line above":           strings.NewReplacer("\n6\n", "\nUSER 6\n"),
		"the line below":           strings.NewReplacer("\n7\n", "\nUSER 7\n"),
	}
	for what, edit := range edits {
		now := edit.Replace(agent)
		b.Write("f", now)
		if p := b.stage("latest", "--hunk", "1", "--", "f"); p.verdicts() != "f write conflict" || p.Targets[0].Reason == "" {
			b.t.Errorf("%s: %s, %+v", what, p.verdicts(), p.Targets)
		}
		if !strings.Contains(what, "of ten") {
			continue
		}
		b.refusal()
		b.stage("latest", "--hunk", "1", "--method", "restore", "--", "f")
		b.refusal()
		b.stage("latest", "--hunk", "1,2", "--", "f") // one in conflict is the file in conflict
		b.refusal()
		if r := b.rollback("latest", "--hunk", "2", "--", "f"); r.paths() != "merged f" {
			b.t.Errorf("%s: hunk 2: %s", what, r.paths())
		}
		b.reads("f", far.Replace(now))
		b.undo()
		b.reads("f", now)
	}
	// Edits away from the hunk are in nobody's way.
	away := strings.NewReplacer("\n2\n", "\nUSER 2\n", "\n20\n", "\n20\nUSER more\n")
	b.Write("f", away.Replace(agent))
	b.rollback("latest", "--hunk", "1", "--", "f")
	b.reads("f", strings.Replace(away.Replace(agent), block, "", 1))
}

// endings are texts whose line 3 and line 23 the agent changes, in all kinds of
// line endings: each by the text of its lines, joined.
func endings(changed ...string) map[string]string {
	unix, crlf := lines(30, "\n", changed...), lines(30, "\r\n", changed...)
	cut := strings.Index(unix, "\n15\n") + 1
	mixed := unix[:cut] + strings.ReplaceAll(unix[cut:], "\n", "\r\n")
	return map[string]string{
		"attr-crlf": crlf, "attr-mixed": mixed, "untracked-crlf": crlf,
		"lf": unix, "crlf": crlf, "mixed": mixed,
		"turns":   strings.ReplaceAll(strings.ReplaceAll(unix, "1\n", "1\r\n"), "2\n", "2\r\r\n"),
		"cr in":   strings.ReplaceAll(unix, "5\n", "5\rmore\r\n"),
		"cr only": lines(30, "\r", changed...),
		"no last": strings.TrimSuffix(crlf, "\r\n"),
		"cr last": strings.TrimSuffix(crlf, "\n"),
	}
}

// caseHunksOfAllEndings: bytes outside of the hunk stay, whatever ends the lines
// and whatever git makes of them.
func caseHunksOfAllEndings(b *book) {
	for _, autocrlf := range []string{"true", "input", "false"} {
		b := b.another()
		b.Git("config", "core.autocrlf", autocrlf)
		b.Git("config", "core.safecrlf", "false")
		b.Write(".gitattributes", "attr-* text\n")
		files := func(changed ...string) {
			for name, text := range endings(changed...) {
				b.Write(name, text)
			}
		}
		files()
		b.Commit("base")
		b.sh("git rm -q --cached untracked-crlf")
		b.turn("T", func() { files("3:agent", "23:agent too") })
		after := b.world()
		b.ok("unstage")
		for name := range endings() {
			hunk := "2"
			if name == "cr only" { // one line, so one hunk
				hunk = "1"
			}
			b.ok("stage", "latest", "--hunk", hunk, "--", name)
		}
		b.carry(0)
		for name, want := range endings("3:agent") {
			if name == "cr only" {
				want = endings()[name]
			}
			if got := b.Read(name); got != want {
				b.t.Errorf("autocrlf=%s: %s is %q, want %q", autocrlf, name, got, want)
			}
		}
		b.undo()
		b.restored(after)
	}
}

// caseLastLine: whether the last line ends follows the side that was chosen, and
// no other line is touched.
func caseLastLine(b *book) {
	const end = "\r\n"
	base := strings.TrimSuffix(lines(20, end), end)
	first := strings.Replace(base, "2"+end, "agent"+end, 1)
	agent := first + end + "new" + end
	b.Write("f", base)
	b.Write("loses", lines(20, "\n"))
	b.Write("single", "one")
	b.Write("empty", "")
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		b.Write("f", agent)
		b.Write("loses", strings.TrimSuffix(lines(20, "\n", "2:agent"), "\n"))
		b.Write("single", "one\n")
		b.Write("empty", "no end")
	})
	b.rollback("latest", "--hunk", "2", "--", "f")
	b.reads("f", first)
	b.rollback("latest", "--hunk", "1", "--", "f")
	b.restored(before, "loses", "single", "empty")
	b.undo()
	b.undo()
	b.reads("f", agent)
	b.rollback("latest", "--hunk", "1", "--", "f")
	b.reads("f", base+end+"new"+end)
	b.undo()
	b.rollback("latest", "--lines", "21", "--", "f") // the new line alone: the one above it stays ended
	b.reads("f", first+end)
	b.undo()
	b.rollback("latest", "--hunk", "1,2", "--", "f")
	b.reads("f", base)
	b.rollback("latest", "--hunk", "2", "--", "loses")
	b.reads("loses", lines(20, "\n", "2:agent"))
	b.undo()
	b.rollback("latest", "--hunk", "1", "--", "loses")
	b.reads("loses", strings.TrimSuffix(lines(20, "\n"), "\n"))
	b.rollback("latest", "--hunk", "1", "--", "single")
	b.rollback("latest", "--hunk", "1", "--", "empty")
	b.rollback("latest", "--hunk", "2", "--", "loses")
	b.restored(before)
}
