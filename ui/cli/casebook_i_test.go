package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"overturn/gitops/gittest"
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
	gittest.CheckArgv(t, theSuite().argvLog)
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
	if got := b.newest("T").names(); got != ".gitattributes deleted" {
		b.t.Errorf("without rules: %s", got)
	}
	b.turn("T", func() { b.Write(".gitattributes", rules+"* text\n") })
	if got := b.newest("T").names(); got != ".gitattributes added" {
		b.t.Errorf("with other rules: %s", got)
	}
	if r := b.rollback("latest"); r.paths() != "deleted .gitattributes" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.Write(".gitattributes", rules)
	// And where the bytes do change, they are the ones that go back.
	b.turn("T", func() { b.Write("crlf", lines(9, "\n")); b.Write("big.lfs", plain+"agent\n") })
	if got := b.newest("T").names(); got != "big.lfs modified, crlf modified" {
		b.t.Errorf("edited: %s", got)
	}
	b.rollback("latest")
	b.restored(before)
}

// lfs is a filter with git-lfs's ways: pointers in git, contents in a store, which
// lies beside the repository; ran tells which of its commands were called.
func (b *book) lfs() (ran func() string) {
	b.t.Helper()
	store := filepath.Join(filepath.Dir(b.Root), "store")
	script := b.beside("lfs", `#!/bin/sh
echo "$1" >> `+store+`/ran
tmp=`+store+`/tmp.$$
cat > "$tmp"
head -c 7 "$tmp" | grep -q '^version' && pointer=1
case "$1" in
clean) [ "$pointer" ] && exec cat "$tmp"
	oid=$(sha256sum < "$tmp" | cut -c 1-64)
	printf 'version lfs/v1\noid sha256:%s\nsize %s\n' "$oid" "$(wc -c < "$tmp")"
	mv "$tmp" `+store+`/"$oid" ;;
smudge) [ "$GIT_LFS_SKIP_SMUDGE" ] && exec cat "$tmp"
	cat `+store+`/"$(sed -n 's/^oid sha256://p' "$tmp")" ;;
esac
`)
	b.sh("mkdir -p " + store + "; chmod 755 " + script)
	b.sh("git config --global filter.lfs.clean '" + script + " clean %f'; git config --global filter.lfs.smudge '" + script + " smudge %f'; git config --global filter.lfs.required true")
	return func() string {
		data, err := os.ReadFile(filepath.Join(store, "ran"))
		if err != nil && !os.IsNotExist(err) {
			b.t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(store, "ran")); err != nil {
			b.t.Fatal(err)
		}
		return string(data)
	}
}

// caseSmudgeSkipped: pointers stay pointers and contents stay contents, with no
// filter asked and no network.
func caseSmudgeSkipped(b *book) {
	ran := b.lfs()
	b.Write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	for _, name := range []string{"one.bin", "two.bin", "real.bin", "away.bin"} {
		b.Write(name, "content of "+name+"\x00\r\n")
	}
	b.Commit("base")
	where := filepath.Join(filepath.Dir(b.Root), "clone")
	b.sh("GIT_LFS_SKIP_SMUDGE=1 git clone -q . " + where)
	c := bookOf(b.t, b.At(where))
	c.Write("real.bin", "content of real.bin\x00\r\n") // as git lfs pull would bring it
	if p := c.Read("one.bin"); !strings.HasPrefix(p, "version lfs") {
		b.t.Fatalf("one.bin is %q", p)
	}
	b.sh("rm -f ../store/[0-9a-f]*") // the server is away
	c.noPhantoms("pointers")
	before := c.world()
	edit := func() {
		c.Write("one.bin", "the agent's content\x00")
		c.Write("real.bin", "content of real.bin\x00, by the agent\r\n")
		c.Write("two.bin", strings.Replace(c.Read("two.bin"), "size", "size 1", 1)) // a broken pointer
		c.Remove("away.bin")
	}
	c.turn("T", edit)
	if got := c.show("T", "1").names(); got != "away.bin deleted, one.bin modified, real.bin modified, two.bin modified" {
		b.t.Errorf("turn: %s", got)
	}
	after := c.world()
	c.stage("latest", "--thread", "T")
	ran()
	c.carry(0)
	if got := ran(); strings.Contains(got, "smudge") {
		b.t.Errorf("the rollback asked the filter: %s", got)
	}
	c.restored(before)
	c.undo()
	c.restored(after)
	c.ok("redo")
	c.restored(before)
	// The filter is not installed at all, or fails: the same.
	for _, broken := range []string{"git config --global --unset filter.lfs.clean; git config --global --unset filter.lfs.smudge", "git config --global filter.lfs.clean false; git config --global filter.lfs.smudge false"} {
		c.sh(broken)
		c.turn("T", edit)
		if got := c.newest("T"); got.Status != "ready" || !strings.Contains(got.names(), "real.bin modified") {
			b.t.Errorf("%s: %s %s", broken, got.Status, got.names())
		}
		c.rollback("latest", "--thread", "T")
		c.restored(before)
	}
}

// encodings are one text in each of several encodings.
func encodings(text string) map[string]string {
	latin, le, be := "", "\xff\xfe", "\xfe\xff"
	for _, r := range text {
		latin += string([]byte{byte(r)})
	}
	for _, u := range utf16.Encode([]rune(text)) {
		le += string([]byte{byte(u), byte(u >> 8)})
		be += string([]byte{byte(u >> 8), byte(u)})
	}
	return map[string]string{
		"utf8": text, "bom": "\ufeff" + text, "latin1": latin, "utf16le": le, "utf16be": be, "utf16none": le[2:],
		"nul": strings.ReplaceAll(text, " ", "\x00"), "cut": text + "\xc3", "lone": text + "\xed\xa0\x80\n", "long": strings.Repeat(text, 2000),
	}
}

// caseEncodings: nothing between disk and object decodes a text.
func caseEncodings(b *book) {
	write := func(text string) {
		for name, data := range encodings(text) {
			b.Write("plain/"+name, data)
			if name == "utf8" || name == "utf16le" || name == "latin1" {
				b.Write("enc/"+name, data)
			}
		}
	}
	b.Write(".gitattributes", "enc/utf16le working-tree-encoding=UTF-16\nenc/latin1 working-tree-encoding=ISO-8859-1\nenc/utf8 ident text\n")
	write("Grüße an alle\nzweite Zeile ÿ\n\ndritte: $Id$\n4\n5\n6\n7\n8\nende\n")
	b.Commit("base")
	b.Write("plain/untracked", "\xff\xfe\x00\xd8\n")
	before := b.world()
	b.turn("T", func() {
		write("Grüße an ALLE\nzweite Zeile ÿ\n\ndritte: $Id$\n4\n5\n6\n7\n8\nENDE\n")
		b.Write("plain/untracked", "\xff\xfe\x01\xd8\n")
		b.Write("enc/bad", "no such text\xff\n")
		b.Write(".gitattributes", b.Read(".gitattributes")+"enc/bad working-tree-encoding=UTF-16\n")
	})
	after := b.world()
	if n := len(b.show("T", "1").Files); n != 16 {
		b.t.Errorf("%d files: %s", n, b.show("T", "1").names())
	}
	for range 2 {
		b.rollback("latest")
		b.restored(before)
		b.undo()
		b.restored(after)
	}
	b.ok("unstage")
	for _, name := range []string{"plain/utf8", "plain/bom", "plain/latin1", "plain/cut", "enc/utf8", "enc/latin1"} {
		b.ok("stage", "latest", "--hunk", "2", "--", name)
	}
	b.carry(0)
	for name, want := range encodings("Grüße an ALLE\nzweite Zeile ÿ\n\ndritte: $Id$\n4\n5\n6\n7\n8\nende\n") {
		if name == "utf8" || name == "bom" || name == "latin1" || name == "cut" {
			b.reads("plain/"+name, want)
		}
		if name == "utf8" || name == "latin1" {
			b.reads("enc/"+name, want)
		}
	}
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
	for _, rule := range []string{"* text eol=crlf\n", "* text eol=lf\n", "* text=auto\n", "* -text filter=none\n", "* ident\n"} {
		b.turn("T", func() {
			b.Write(".gitattributes", rule)
			for _, name := range names {
				b.Write(name, b.Read(name)+"agent\r\nagent\n")
			}
		})
		after := b.world()
		if got := b.newest("T").names(); got != ".gitattributes added, f0 modified, f1 modified, f2 modified, f3 modified, f4 modified" {
			b.t.Errorf("%q: %s", rule, got)
		}
		b.rollback("latest")
		b.restored(before)
		b.undo()
		b.restored(after)
		orders := [][]string{append([]string{".gitattributes"}, names...), append(append([]string{}, names...), ".gitattributes")}
		if rule != "* text eol=crlf\n" {
			orders = orders[:1]
		}
		for _, order := range orders {
			for _, path := range [][]string{order[:1], order[1:5], order[5:]} {
				b.rollback("latest", append([]string{"--"}, path...)...)
			}
			b.restored(before)
			for range 3 {
				b.undo()
			}
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
	if s := fmt.Sprint(b.exits(0, "diff", "working")); s == "" {
		b.t.Error("no comparison")
	}
}
