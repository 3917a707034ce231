package casebook_test

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCasebookK: names of files are bytes.
func TestCasebookK(t *testing.T) {
	runCases(t, []caseOf{
		{"K-01", caseQuotedNamesRolledBack},
		{"K-02", caseQuotedNamesShown},
		{"K-04", caseNewlinesInNames},
		{"K-06", caseNamesLikeOptions},
		{"K-07", caseNamesNotUTF8},
	})
}

// names is the turn's files as overturn diff --json tells them, by their bytes.
func (b *book) names(scope string) map[string]string {
	b.t.Helper()
	var d struct {
		Files []struct {
			Path, Change string
			PathB64      string `json:"path_b64"`
			OldPath      string `json:"old_path"`
			OldPathB64   string `json:"old_path_b64"`
		}
	}
	b.json(0, &d, "diff", scope)
	found := map[string]string{}
	for _, f := range d.Files {
		found[b.bytesOf(f.Path, f.PathB64)] = strings.TrimSpace(f.Change + " " + b.bytesOf(f.OldPath, f.OldPathB64))
	}
	return found
}

// bytesOf is a path of the JSON as bytes: path_b64 where there is one.
func (b *book) bytesOf(path, b64 string) string {
	b.t.Helper()
	if b64 == "" {
		return path
	}
	raw, err := base64.StdEncoding.DecodeString(b64)
	if err != nil {
		b.t.Errorf("%q: %v", b64, err)
	}
	return string(raw)
}

// changes holds what the scope changed: path to change.
func (b *book) changes(scope string, want map[string]string) {
	b.t.Helper()
	got := b.names(scope)
	for path, change := range want {
		if got[path] != change {
			b.t.Errorf("%s: %q is %q, want %q", scope, path, got[path], change)
		}
		delete(got, path)
	}
	for path, change := range got {
		b.t.Errorf("%s: %q is %q, and nobody did that", scope, path, change)
	}
}

// cycle takes a turn back path by path and whole, and undoes each; before and
// after are the work tree around the turn.
func (b *book) cycle(scope string, before, after world, paths ...string) {
	b.t.Helper()
	for _, path := range paths {
		b.rollback(scope, "--", path)
		if !differs(after, b.world(), path) {
			b.t.Errorf("%q did not go back", path)
		}
		top, _, _ := strings.Cut(path, "/") // its folder may come or go with it
		b.restored(after, path, top)
		b.undo()
		b.restored(after)
	}
	b.rollback(scope)
	b.restored(before)
	b.undo()
	b.restored(after)
}

// differs tells whether a path is another in two worlds, times aside.
func differs(was, is world, path string) bool {
	a, _, _ := strings.Cut(was.files[path], " changed ")
	z, _, _ := strings.Cut(is.files[path], " changed ")
	return a != z
}

// write writes files whose content is their name, then text.
func (b *book) write(text string, paths ...string) {
	b.t.Helper()
	for _, path := range paths {
		b.Write(path, path+"\n"+text)
	}
}

// quotedNames are names that git quotes.
func quotedNames() []string {
	return []string{"说明.txt", "日本/ファイル.md", "say \"hi\" \\ there.txt", "é.txt"}
}

// caseQuotedNamesRolledBack: quoted or not, the names are the same files.
func caseQuotedNamesRolledBack(b *book) {
	paths := quotedNames()
	for _, quote := range []string{"true", "false"} {
		b.Git("config", "core.quotePath", quote)
		b.write("one\n", paths...)
		b.Commit("base")
		before := b.world()
		b.turn("T", func() { b.write("two\n", paths...) })
		want := map[string]string{}
		for _, p := range paths {
			want[p] = "modified"
		}
		b.changes("latest", want)
		after := b.world()
		b.cycle("latest", before, after)
		b.rollback("latest", "--", paths[0])
		b.restored(after, paths[0])
		b.undo()
	}
	b.cycle("latest", b.worldOf(func() { b.write("one\n", paths...) }), b.worldOf(func() { b.write("two\n", paths...) }), paths...)
}

// worldOf is the world once work is done.
func (b *book) worldOf(work func()) world {
	b.t.Helper()
	work()
	return b.world()
}

// caseQuotedNamesShown: lists, patches and the review show names and hunks.
func caseQuotedNamesShown(b *book) {
	paths := quotedNames()
	b.write("one\n", paths...)
	b.Commit("base")
	b.turn("T", func() { b.write("two\n", paths...) })
	b.Git("config", "core.quotePath", "true")
	list := b.ok("diff", "latest", "--name-status")
	for _, want := range []string{"\"\\350\\257\\264\\346\\230\\216.txt\"", "\"say \\\"hi\\\" \\\\ there.txt\""} {
		if !strings.Contains(list, want) {
			b.t.Errorf("%s is not in the list, as git quotes it:\n%s", want, list)
		}
	}
	if patch := b.ok("diff", "latest"); strings.Count(patch, "\n+two\n") != len(paths) {
		b.t.Errorf("the patch shows\n%s", patch)
	}
	// git takes the patch back: its headers name the same files.
	b.stage("latest")
	b.GitInput(b.ok("plan", "--patch"), "apply", "-")
	for _, p := range paths {
		b.reads(p, p+"\none\n")
	}
	s := b.review(100, 30)
	s.wait("说明.txt", "ファイル.md", "hi\" \\ there.txt", "é.txt")
	for range paths {
		s.wait("-one", "+two")
		s.keys(".")
	}
	s.quit()
}

// caseNewlinesInNames: one path is one path, whatever it holds.
func caseNewlinesInNames(b *book) {
	odd := []string{"new\nline", "tab\there", "quote\"d", "back\\slash", "a -> b", "\n", " lead", "trail ", "cr\r", "dir\n/in\tside"}
	b.write("one\ntwo\nthree\nfour\n", odd...)
	b.write("to be renamed\nwith\nsome\nlines\n", "old\nname -> x", "gone\nnow")
	b.write("user\n", "new", "line", "a", "b", "tab", "here") // what splitting would make of them
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		b.write("one\nTWO\nthree\nfour\n", odd...)
		b.rename("old\nname -> x", "new\tname -> \"y\"\n")
		b.Remove("gone\nnow")
		b.Write("made\n -> \\", "made\n")
	})
	want := map[string]string{"new\tname -> \"y\"\n": "added", "old\nname -> x": "deleted", "gone\nnow": "deleted", "made\n -> \\": "added"}
	for _, p := range odd {
		want[p] = "modified"
	}
	b.changes("latest", want)
	list := b.ok("diff", "latest", "--name-status")
	if want := `renamed  "old\nname -> x" -> "new\tname -> \"y\"\n"`; !strings.Contains(list, want+"\n") {
		b.t.Errorf("the rename is not shown as %s:\n%s", want, list)
	}
	if got := strings.Count(list, "\n"); got != len(want)-1 {
		b.t.Errorf("%d rows for %d files:\n%s", got, len(want)-1, list)
	}
	b.cycle("latest", before, b.world(), "new\nline", "\n", "trail ", "made\n -> \\", "gone\nnow", "dir\n/in\tside")
}

// rename moves a file.
func (b *book) rename(from, to string) {
	b.t.Helper()
	if err := os.Rename(b.Path(from), b.Path(to)); err != nil {
		b.t.Fatal(err)
	}
}

// caseNamesLikeOptions: names are never options, revisions or patterns.
func caseNamesLikeOptions(b *book) {
	odd := []string{"-f", "--", "HEAD", ":x", ":(top)y", "main", "*", "[a]", "-", "@", "--hard", ":!x", "a", "x", "refs/heads/main", "1..2", "latest"}
	b.write("one\n", odd...)
	b.Git("add", "--", ".")
	b.Git("commit", "-q", "-m", "base")
	before := b.world()
	touched := odd[:len(odd)-5] // not a, x and what is below
	b.turn("T", func() {
		b.write("two\n", touched...)
		b.sh("rm -- --hard")
		b.Write("--force", "made\n")
	})
	want := map[string]string{"--force": "added"}
	for _, p := range touched {
		want[p] = "modified"
	}
	want["--hard"] = "deleted"
	b.changes("latest", want)
	after := b.world()
	b.cycle("latest", before, after, "-f", "--", "HEAD", ":x", ":(top)y", "main", "*", "--hard", "--force")
	// A pattern is a name: "*" is one file, ":(top)y" is not y.
	if p := b.stage("latest", "--", "*", "[a]"); p.verdicts() != "* write clean, [a] write clean" {
		b.t.Errorf("staged %s", p.verdicts())
	}
	for _, none := range []string{"?", ":(glob)**", "y", ":(top)x", "refs/heads/mai"} {
		b.exits(2, "stage", "latest", "--", none)
	}
}

// caseNamesNotUTF8: such names are kept byte for byte, also in what is recorded.
func caseNamesNotUTF8(b *book) {
	latin, lone := "caf\xe9.txt", "\xff"
	b.write("one\ntwo\nthree\n", latin, lone, "r\xe9name", "d\xfe/gone", "plain")
	b.Commit("base")
	before := b.world()
	b.turn("T", func() {
		b.write("one\nTWO\nthree\n", latin, lone)
		b.rename("r\xe9name", "r\xe8name")
		b.Remove("d\xfe")
		b.Write("\xc3\x28/made", "made\n") // a broken sequence
	})
	want := map[string]string{
		latin: "modified", lone: "modified", "r\xe9name": "deleted", "r\xe8name": "added", "d\xfe/gone": "deleted", "\xc3\x28/made": "added",
	}
	b.changes("latest", want)
	if list := b.ok("diff", "latest", "--name-status"); !strings.Contains(list, `renamed  "r\351name" -> "r\350name"`) {
		b.t.Errorf("the list is\n%s", list)
	}
	if shown := b.ok("show", "1") + b.ok("status"); !utf8.ValidString(shown) {
		b.t.Errorf("bytes reach the terminal as they are: %q", shown)
	}
	after := b.world()
	b.cycle("latest", before, after, latin, lone, "d\xfe/gone", "r\xe8name")
	r := b.rollback("latest", "--", lone)
	if len(r.Restored) != 1 {
		b.t.Errorf("rollback of a name that is one byte: %+v", r)
	}
	if patch := b.ok("history", r.ID, "--patch"); !strings.Contains(patch, `"a/\377"`) {
		b.t.Errorf("the patch that was confirmed is\n%s", patch)
	}
	b.undo()
	b.restored(after)
}
