package casebook_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookI: line endings, filters, encodings. After a rollback the bytes on
// disk are those of the capture.
func TestCasebookI(t *testing.T) {
	runCases(t, []caseOf{
		{"I-01", casePhantomsOfAutocrlf},
		{"I-03", caseAlwaysModified},
		{"I-07", caseSmudgeSkipped},
		{"I-08", caseEncodings},
		{"I-10", caseAttributesInTheTurn},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// noPhantoms holds that neither an empty turn nor the working tree shows a file.
func (b *book) noPhantoms(what string) {
	b.t.Helper()
	b.turn("quiet", func() {})
	if turn := b.newest("quiet"); turn.names() != "" || turn.Status != "ready" || turn.Start.Tree != turn.End.Tree {
		b.t.Errorf("%s: an empty turn has %s, %s", what, turn.names(), turn.Status)
	}
	if s := b.overturn("diff", "working", "--exact", "--name-status"); strings.TrimSpace(s.stdout) != "" {
		b.t.Errorf("%s: working: %s", what, s.stdout)
	}
}

// changed holds that the newest turn of T changed just these files, "path change"
// each: in its record, and in the comparison that is made anew.
func (b *book) changed(what string, want ...string) {
	b.t.Helper()
	if got := b.newest("T").names(); got != strings.Join(want, ", ") {
		b.t.Errorf("%s: recorded %s", what, got)
	}
	var compared []string
	for path, change := range b.names("latest") {
		compared = append(compared, path+" "+change)
	}
	slices.Sort(compared)
	if !slices.Equal(compared, want) {
		b.t.Errorf("%s: compared %q", what, compared)
	}
}

// casePhantomsOfAutocrlf: a file that git converts is not changed by that.
func casePhantomsOfAutocrlf(b *book) {
	b.Write("src/lf", lines(9, "\n"))
	b.Write("src/other", lines(9, "\n"))
	b.Write("bin", "a\x00\r\n")
	b.Commit("base")
	for _, autocrlf := range []string{"true", "input"} {
		b.sh("git config --global core.autocrlf " + autocrlf + "; git config --global core.safecrlf false")
		where := filepath.Join(filepath.Dir(b.Root), autocrlf)
		b.sh("git clone -q . " + where)
		c := bookOf(b.t, b.At(where))
		if autocrlf == "input" { // git writes LF; an editor on disk does not
			c.Write("src/lf", lines(9, "\r\n"))
			c.Write("src/other", lines(9, "\r\n"))
		}
		c.reads("src/lf", lines(9, "\r\n"))
		c.noPhantoms(autocrlf)
		c.sh("touch src/lf bin") // stat alone
		c.Write("src/new", "a\r\nb\r\n")
		before := c.world()
		c.turn("T", func() { c.Write("src/lf", lines(9, "\r\n", "5:agent")); c.Write("src/new", "a\r\nagent\r\n") })
		if got := c.show("T", "1").names(); got != "src/lf modified, src/new modified" {
			b.t.Errorf("%s: %s", autocrlf, got)
		}
		c.rollback("latest", "--thread", "T")
		c.restored(before)
		c.same(before, "src/lf", "src/new")
		c.undo()
		c.reads("src/lf", lines(9, "\r\n", "5:agent"))
		c.ok("redo")
		c.restored(before)
		// Only the endings of an untracked file: git would store the same, and the
		// bytes are others.
		c.turn("T", func() { c.Write("src/new", "a\nb\n") })
		if got := c.show("T", "2").names(); got != "src/new modified" {
			b.t.Errorf("%s: endings alone: %s", autocrlf, got)
		}
		c.rollback("2", "--thread", "T")
		c.restored(before)
	}
}

// caseAlwaysModified: what git shows as modified for ever is in a turn only where
// its bytes changed.
func caseAlwaysModified(b *book) {
	const plain = "no pointer, but content\n"
	b.Write("crlf", lines(9, "\r\n"))
	b.Write("auto", lines(9, "\r\n"))
	b.Write("big.lfs", plain)
	b.Write("a", "a\n")
	b.Commit("base")
	rules := "crlf text eol=lf\nauto text=auto\n*.lfs filter=pointer\n"
	b.Git("config", "filter.pointer.clean", "sed 's/^/pointer of /'")
	b.Git("config", "filter.pointer.smudge", "sed 's/^pointer of //'")
	b.Write(".gitattributes", rules)
	b.Git("add", ".gitattributes")
	b.Git("commit", "-qm", "rules")
	b.sh("touch crlf auto big.lfs")
	if got := b.Git("status", "--porcelain"); !strings.Contains(got, "big.lfs") {
		b.t.Fatalf("git shows nothing as modified: %q", got)
	}
	before := b.world()
	empty := func(what string, work func()) {
		b.t.Helper()
		b.turn("T", work)
		turn := b.newest("T")
		if turn.names() != "" {
			b.t.Errorf("%s: the turn has %s", what, turn.names())
		}
		b.exits(2, "stage", "latest") // it changed nothing
	}
	empty("nothing", func() {})
	empty("stat", func() { b.sh("touch crlf auto big.lfs") })
	empty("the index", func() { b.Git("add", "--renormalize", "crlf", "auto", "big.lfs"); b.Git("reset", "-q") })
	b.restored(before)
	// The rules themselves come and go in turns: they change, and no other file.
	b.turn("T", func() { b.Remove(".gitattributes") })
	b.changed("without rules", ".gitattributes deleted")
	b.turn("T", func() { b.Write(".gitattributes", rules+"* text\n") })
	b.changed("with other rules", ".gitattributes added")
	if r := b.rollback("latest"); r.paths() != "deleted .gitattributes" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.Write(".gitattributes", rules)
	// And where the bytes do change, they are the ones that go back.
	b.turn("T", func() { b.Write("crlf", lines(9, "\n")); b.Write("big.lfs", plain+"agent\n") })
	b.changed("edited", "big.lfs modified", "crlf modified")
	b.rollback("latest")
	b.restored(before)
}

// caseAttributesInTheTurn: rules that the turn itself brought change nothing about
// how other files come back, whatever the order.
func caseAttributesInTheTurn(b *book) {
	names := strings.Fields("f0 f1 f2 f3 f4")
	for i, name := range names {
		b.Write(name, lines(9, []string{"\n", "\r\n", "\n", "\r\n", "\r"}[i]))
	}
	b.Write("other", lines(9, "\r\n"))
	b.Commit("base")
	before := b.world()
	for _, rule := range []string{"* text eol=crlf\n", "* text eol=lf\n", "* -text filter=none\n", "* ident\n"} {
		b.turn("T", func() {
			b.Write(".gitattributes", rule)
			for _, name := range names {
				b.Write(name, b.Read(name)+"agent\r\nagent\n")
			}
		})
		after := b.world()
		b.changed(rule, ".gitattributes added", "f0 modified", "f1 modified", "f2 modified", "f3 modified", "f4 modified")
		b.rollback("latest")
		b.restored(before)
		if rule != "* text eol=crlf\n" {
			continue
		}
		b.undo()
		b.restored(after)
		for _, order := range [][2][]string{{{".gitattributes"}, names}, {names, {".gitattributes"}}} {
			b.rollback("latest", append([]string{"--"}, order[0]...)...)
			b.rollback("latest", append([]string{"--"}, order[1]...)...)
			b.restored(before)
			b.undo()
			b.undo()
			b.restored(after)
		}
		b.rollback("latest")
		b.restored(before)
	}
	// The user's later edit, and a rule of the user's own, outside the tree.
	b.turn("T", func() { b.Write("f1", "agent\r\n"+b.Read("f1")) })
	b.Write(".git/info/attributes", "* text eol=lf\n")
	b.Write("f1", b.Read("f1")+"user\n")
	b.rollback("latest")
	b.reads("f1", lines(9, "\r\n")+"user\n")
	b.restored(before, "f1")
}
