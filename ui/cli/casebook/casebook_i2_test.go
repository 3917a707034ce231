package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

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
