package casebook_test

import (
	"os"
	"strings"
)

// caseBlankContext: lines that are empty are lines, however git was told to print
// them; and the patch that was shown is one that git takes.
func caseBlankContext(b *book) {
	blank := func(changed ...string) string {
		return strings.NewReplacer("4\r\n", "\r\n", "6\r\n", "\r\n", "14\r\n", "\r\n", "16\r\n", "\r\n").Replace(lines(20, "\r\n", changed...))
	}
	b.Git("config", "diff.suppressBlankEmpty", "true")
	b.Git("config", "core.autocrlf", "true")
	b.Write("crlf", blank())
	b.Write("lf", strings.ReplaceAll(blank(), "\r", ""))
	b.Commit("base")
	b.turn("T", func() {
		b.Write("crlf", blank("5:agent", "15:agent"))
		b.Write("lf", strings.ReplaceAll(blank("5:agent", "15:agent"), "\r", ""))
	})
	b.ok("unstage")
	b.ok("stage", "latest", "--hunk", "2", "--", "crlf")
	b.ok("stage", "latest", "--hunk", "2", "--", "lf")
	patch := b.ok("plan", "--patch")
	if !strings.Contains(patch, "\n \r\n") || !strings.Contains(patch, "\n \n") {
		b.t.Errorf("the empty lines lost their blank: %q", patch)
	}
	raw := b.another() // the patch is of the bytes on disk: git takes it where it converts nothing
	for _, name := range []string{"crlf", "lf"} {
		raw.Write(name, b.Read(name))
	}
	raw.GitInput(patch, "apply", "--check")
	raw.GitInput(patch, "apply")
	b.carry(0)
	b.reads("crlf", blank("5:agent"))
	b.reads("lf", strings.ReplaceAll(blank("5:agent"), "\r", ""))
	for _, name := range []string{"crlf", "lf"} {
		raw.reads(name, b.Read(name))
	}
}

// caseHunksOfWholeFiles: a file that is not text on both sides goes back whole, with
// the checks of a whole file. The one hunk of a file that was added or deleted is
// numbered (CONTRACT, section 2), and is all of the file.
func caseHunksOfWholeFiles(b *book) {
	long := strings.Repeat("x", 1<<20)
	b.Write("gone", lines(3, "\n"))
	b.Write("bin", "a\x00"+lines(30, "\n"))
	b.Write("turned", lines(30, "\n"))
	b.Write("long", "1\n"+long+"\n"+lines(20, "\n"))
	b.Write("kind", "one\n")
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		b.Write("made", lines(30, "\n"))
		b.Write("void", "")
		b.Write("blob", "a\x00b")
		b.Remove("gone")
		b.Write("bin", "a\x00"+lines(30, "\n", "2:agent", "28:agent"))
		b.Write("turned", "\x00"+lines(30, "\n", "2:agent"))
		b.Write("long", "1\n"+long+"agent\n"+lines(20, "\n", "18:agent"))
		b.Remove("kind")
		b.Symlink("made", "kind")
	})
	after := b.world()
	for _, args := range [][]string{
		{"--hunk", "1", "--", "bin"}, {"--hunk", "1", "--", "blob"}, {"--hunk", "1", "--", "turned"}, {"--hunk", "1", "--", "void"}, {"--hunk", "1", "--", "kind"},
		{"--hunk", "2", "--", "made"}, {"--hunk", "2", "--", "gone"}, {"--hunk", "1,2", "--", "made"}, {"--hunk", "mode", "--", "made"},
		{"--lines", "2-3", "--", "made"}, {"--lines", "-1", "--", "gone"}, {"--lines", "1", "--", "bin"}, {"--hunk", "1", "--lines", "1", "--", "made"},
	} {
		b.exits(2, append([]string{"stage", "latest"}, args...)...)
	}
	if p := b.plan(); len(p.Targets) != 0 {
		b.t.Errorf("staged: %s", p.verdicts())
	}
	for path, verdict := range map[string]string{"made": "made delete clean", "gone": "gone create clean"} {
		if p := b.stage("latest", "--hunk", "1", "--", path); p.verdicts() != verdict {
			b.t.Errorf("%s: %s", path, p.verdicts())
		}
	}
	b.rollback("latest", "--hunk", "1", "--", "made")
	b.gone("made")
	b.undo()
	b.restored(after)
	b.Write("made", lines(30, "\n")+"the user's\n") // it is the user's now
	b.stage("latest", "--hunk", "1", "--", "made")
	b.refusal()
	b.Write("made", lines(30, "\n"))

	// A line as long as the file is a line: its hunk is bytes as any other.
	b.rollback("latest", "--hunk", "2", "--", "long")
	b.reads("long", "1\n"+long+"agent\n"+lines(20, "\n"))
	b.rollback("latest", "--hunk", "1", "--", "long")
	b.restored(before, "made", "void", "blob", "gone", "bin", "turned", "kind")

	b.ok("unstage")
	s := b.review(100, 30)
	s.wait("bin", "made")
	s.press("g<enter>x", "this file has no hunks: X stages it as a whole")
	s.press("X", "1 staged")
	s.quit()
	if p := b.plan(); p.verdicts() != "bin write clean" {
		b.t.Errorf("on the screen: %s", p.verdicts())
	}
	b.rollback("latest")
	b.restored(before)
}

// caseSafetyIsNoPatch: what a rollback took away comes back by bytes, modes and
// kinds, whatever git was told of diffs.
func caseSafetyIsNoPatch(b *book) {
	ran := b.beside("ran", "")
	if err := os.Remove(ran); err != nil {
		b.t.Fatal(err)
	}
	b.Git("config", "diff.external", "sh -c 'echo x >> "+ran+"'")
	b.Git("config", "diff.trap.textconv", "sh -c 'echo x >> "+ran+"; echo same'")
	b.Git("config", "diff.trap.command", "sh -c 'echo x >> "+ran+"'")
	b.Write(".gitattributes", "* diff=trap\nhidden -diff\n")
	b.Symlink("a", "link")
	for _, name := range []string{"a", "gone", "mode", "hidden", "bin\x01"} {
		b.Write(name, name+"\x00\xff\r\n")
	}
	b.Commit("base")
	b.Chmod("gone", 0o640)
	b.Write("untracked", "the user's\n")
	before := b.world()
	b.turn("T", func() {
		b.sh("ln -sfn b link; rm gone untracked; chmod 755 mode; ln -s nowhere made; mkdir d; touch d/void; chmod 600 d/void")
		b.Write("bin\x01", "other\x00\xfe")
		b.Write("hidden", "other\n")
		b.Git("add", "hidden")
	})
	after, staged := b.world(), b.Git("ls-files", "-s")
	for range 2 {
		b.rollback("latest")
		b.restored(before)
		b.undo()
		b.restored(after)
		if now := b.Git("ls-files", "-s"); now != staged {
			b.t.Errorf("index: %s\nwas %s", now, staged)
		}
	}
	b.ok("history", "--json")
	b.ok("diff", "latest", "--exact")
	if _, err := os.Stat(ran); err == nil {
		b.t.Error("a program of the user's configuration was run")
	}
}
