//go:build unix

package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// A repository that came from somewhere, .git and all, and wants to run code, to read
// or to write elsewhere, when it is looked at. (Settings that name programs are in
// ui/cli/housetest.)

// TestFiltersThatRun: of a filter that the configuration names, overturn runs what git
// add and git checkout would, and when: clean for a path that has it and that changed,
// smudge for what a commit of the project holds there; no look at turns runs either.
func TestFiltersThatRun(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("plain", "plain\n")
	b.Write("a.f", "one\n")
	b.Write("b.f", "one\n")
	log := filepath.Join(t.TempDir(), "ran")
	for _, way := range []string{"clean", "smudge"} {
		b.Git("config", "filter.f."+way, fmt.Sprintf("echo %s %%f >> %s; cat", way, log))
		b.Git("config", "filter.unused."+way, fmt.Sprintf("echo unused >> %s; cat", log))
	}
	b.Write(".gitattributes", "*.f filter=f\n")
	b.Commit("base")
	ran := func() string {
		t.Helper()
		data, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		os.Remove(log)
		return strings.Join(strings.Fields(string(data)), " ")
	}
	b.start("T")
	ran() // the first look at all files
	b.Write("a.f", "two\n")
	b.Write("plain", "two\n")
	b.end("T")
	if got := ran(); got != "clean a.f" {
		t.Errorf("the end of the turn ran %q", got)
	}
	for _, args := range readingCommands() {
		b.ok(args...)
		if got := ran(); strings.Contains(got, "unused") || strings.Contains(got, "b.f") || !strings.Contains(strings.Join(args, " "), "working") && args[0] != "plan" && got != "" {
			t.Errorf("overturn %q ran %q", args, got)
		}
	}
	b.rollback("latest")
	b.reads("a.f", "one\n")
	if got := ran(); strings.Contains(got, "unused") || strings.Contains(got, "b.f") {
		t.Errorf("the rollback ran %q", got)
	}
}

// TestPlantedLinks: .git/overturn, or a file in it, is a link to a file of the user's:
// nothing is written through it, and what cannot be recorded is said.
func TestPlantedLinks(t *testing.T) {
	t.Parallel()
	made := openBook(t, gittest.Unchecked())
	made.Write("a", "a\n")
	made.Commit("base")
	made.turn("T", func() { made.Write("a", "agent\n") })
	made.hook(event("turn-start", "H", "1"))
	made.Write("h", "agent\n")
	made.hook(event("turn-end", "H", "1"))
	made.rollback("1", "--thread", "T")
	made.stage("1", "--thread", "H")
	var own []string
	err := filepath.WalkDir(made.Path(".git/overturn"), func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			own = append(own, strings.TrimPrefix(name, made.Root+"/"))
		}
		return err
	})
	if err != nil || len(own) < 8 {
		t.Fatalf("files of overturn's own: %q, %v", own, err)
	}
	own = append(own, ".git/overturn")
	for _, name := range own {
		b := openBook(t, gittest.Unchecked())
		b.sh("rm -rf .git; cp -a '" + made.Root + "/.' .")
		precious := b.beside("precious", "#!/bin/sh\necho precious\n")
		b.sh("rm -rf '" + name + "'; ln -s ../../precious '" + name + "'")
		link := b.Path(name)
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(precious, link); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"status"}, {"turn", "start", "--thread", "T"}, {"turn", "touch", "--thread", "T", "a"}, {"turn", "end", "--thread", "T"}, {"stage", "1", "--thread", "T"},
			{"rollback", "--expect", strings.Repeat("0", 64)}, {"undo"}, {"redo"}} {
			if s := b.overturn(args...); strings.Contains(s.stdout+s.stderr, "broke down") {
				t.Errorf("%s: overturn %q: %+v", name, args, s)
			}
		}
		for _, kind := range []string{"turn-start", "post-tool", "turn-end"} {
			if s := b.call("hook", "generic")(event(kind, "H", "2")); s.code != 0 || s.stdout != "" {
				t.Errorf("%s: hook %s: %+v", name, kind, s)
			}
		}
		if got := b.readFile(precious); got != "#!/bin/sh\necho precious\n" {
			t.Errorf("through %s was written %q", name, got)
		}
		b.reads("a", "a\n")
	}
}

// TestForeignGitFile: a folder with a .git file that names the user's repository, or a
// submodule whose .git file does, moves nothing of that repository's files, index and
// refs: what is recorded there is beside.
func TestForeignGitFile(t *testing.T) {
	t.Parallel()
	victim := openBook(t)
	victim.Write("a", "base\n")
	victim.Write("private", "private\n")
	victim.Commit("base")
	victim.sh("echo staged > a; git add a; echo unstaged > a; echo u > u")
	victim.turn("V", func() { victim.Write("private", "by the victim's agent\n") })
	victim.ok("stage", "latest")
	print := victim.plan().Fingerprint
	before := victim.world()

	b := openBook(t, gittest.Unchecked())
	b.sh("rm -rf .git; printf 'gitdir: %s\n' '" + victim.Path(".git") + "' > .git; echo trap > private; echo here > a")
	b.overturn("turn", "start", "--thread", "T")
	b.Write("a", "agent\n")
	b.overturn("turn", "end", "--thread", "T")
	for _, args := range [][]string{{"status"}, {"diff", "working"}, {"diff", "1", "--thread", "V"}, {"recover"}, {"undo"}, {"rollback", "--expect", print}, {"stage", "1", "--thread", "V"}, {"unstage"}} {
		b.overturn(args...)
	}
	victim.same(before)
	victim.ok("unstage")
	victim.ok("stage", "1", "--thread", "V")
	victim.carry(0)
	victim.reads("private", "private\n")
	victim.same(before, "private")
	victim.reads("a", "unstaged\n")
}

// TestMegabytes: lines of a megabyte, paths of thousands of bytes and prompts of a
// megabyte, all with what terminals obey in the middle: printed and drawn, never
// obeyed; each is still recorded to the byte.
func TestMegabytes(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Commit("base")
	const evil = "\x1b]0;owned\a\u202e\x1b[2J\x9b31m"
	line := strings.Repeat("x", 1<<20) + evil + strings.Repeat("y", 1<<20)
	b.Write("big", "first\n"+line+"\nlast\n")
	deep := strings.Repeat(strings.Repeat("d", 200)+"\u202e\x1b[31m/", 15) + "leaf\x1b]0;owned\a"
	b.ok("turn", "start", "--thread", "T", "--prompt", strings.Repeat("p", 1<<16)+evil)
	b.Write("big", "first\n"+strings.ToUpper(line)+"\nlast\n"+line)
	b.Write(deep, line)
	b.end("T")
	turn := b.show("T", "1")
	if got := b.Git("cat-file", "blob", turn.Ref+":big"); got != "first\n"+strings.ToUpper(line)+"\nlast\n"+line {
		t.Errorf("stored are %d bytes", len(got))
	}
	for _, args := range [][]string{{"status"}, {"turns"}, {"threads"}, {"show", "1"}, {"diff", "latest", "--stat"}, {"diff", "latest", "--name-status"}, {"stage", "latest"}, {"plan"}, {"--json", "diff", "latest"}, {"--json", "turns"}} {
		s := b.exits(0, args...)
		if i := strings.IndexFunc(s.stdout+s.stderr, func(c rune) bool { return c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c == 0x202e }); i >= 0 && args[0] != "--json" {
			t.Errorf("overturn %q prints %.80q", args, (s.stdout + s.stderr)[i:])
		} else if strings.Contains(s.stdout, "\x1b") {
			t.Errorf("overturn %q prints an escape", args)
		}
	}
	s := b.review(100, 30)
	s.wait("big", "1 R ready")
	s.press("<enter>", "xxxx")
	for _, keys := range []string{"w", "G", "g", "s", "w", "$l", "<c-d>", ".", ",", "P"} {
		s.keys(keys)
		s.rest()
	}
	s.keys("<esc>")
	s.quit()
}
