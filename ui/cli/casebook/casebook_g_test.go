package casebook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// TestCasebookG: indexes that trap whoever copies them or makes their own.
func TestCasebookG(t *testing.T) {
	runCases(t, []caseOf{
		{"G-01", caseWholeTree},
		{"G-04", caseHiddenByBits},
		{"G-06", caseSparseCheckout},
		{"G-07", caseSplitIndex},
		{"G-09", caseIndexVersion},
		{"G-11", caseStoreInsideTheTree},
	})
}

// holds is the sorted names of a snapshot or commit.
func (b *book) holds(rev string) []string {
	b.t.Helper()
	return strings.Fields(b.Git("ls-tree", "-r", "--name-only", rev))
}

// caseWholeTree: a snapshot holds all files, not those that changed.
func caseWholeTree(b *book) {
	for i := range 100 {
		b.Write(fmt.Sprintf("d%d/f%02d", i%7, i), "x\n")
	}
	b.Commit("base")
	b.Write("d1/f01", "dirty\n")
	b.turn("T", func() { b.Write("d2/f02", "agent\n") })
	for _, ref := range []string{b.show("T", "1").Start.Ref, b.show("T", "1").Ref} {
		if n := len(b.holds(ref)); n != 100 {
			b.t.Errorf("%s holds %d files", ref, n)
		}
		if d := b.Git("diff", "--name-status", "--diff-filter=D", "HEAD", ref); d != "" {
			b.t.Errorf("deleted in %s: %s", ref, d)
		}
	}
	// The user's index is gone, or holds one path: the work tree decides.
	index := b.Path(".git/index")
	for _, broken := range []func(){
		func() { b.sh("rm -f .git/index") },
		func() { b.sh("rm -f .git/index; git add d1/f01") },
		func() { b.sh("rm -rf .git/overturn/stat*; git read-tree --empty") },
	} {
		broken()
		before, _ := os.ReadFile(index)
		b.turn("T", func() { b.Write("d2/f02", fmt.Sprint("again ", len(before), "\n")) })
		if got := b.newest("T"); len(b.holds(got.Ref)) != 100 || got.names() != "d2/f02 modified" {
			b.t.Errorf("%d files, %s", len(b.holds(got.Ref)), got.names())
		}
		if after, _ := os.ReadFile(index); string(before) != string(after) {
			b.t.Error("the user's index changed")
		}
	}
}

// newest is the latest turn of a thread.
func (b *book) newest(thread string) turnOf {
	b.t.Helper()
	var list struct{ Turns []turnOf }
	if b.json(0, &list, "turns", "--limit", "1", "--thread", thread); len(list.Turns) != 1 {
		b.t.Fatalf("%d turns", len(list.Turns))
	}
	return list.Turns[0]
}

// caseHiddenByBits: assume-unchanged and skip-worktree hide no edit, and stay.
func caseHiddenByBits(b *book) {
	const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	for _, name := range []string{"a", "s"} {
		b.Write(name, base)
	}
	b.Write("b", "b\n")
	b.Commit("base")
	b.sh("git update-index --assume-unchanged a; git update-index --skip-worktree s")
	b.Write("a", "USER"+base[1:])
	b.Write("s", "USER"+base[1:])
	before := b.world()
	b.turn("T", func() {
		for _, name := range []string{"a", "s"} {
			b.Write(name, strings.Replace(b.Read(name), "9", "AGENT", 1))
		}
		b.Write("b", "agent\n")
	})
	turn := b.show("T", "1")
	if got := turn.names(); got != "a modified, b modified, s modified" {
		b.t.Errorf("files: %s", got)
	}
	for _, name := range []string{"a", "s"} {
		if got := b.Git("show", turn.Start.Ref+":"+name); got+"\n" != "USER"+base[1:] {
			b.t.Errorf("%s at the start: %q", name, got)
		}
	}
	b.rollback("latest")
	b.restored(before)
	b.same(before, "a", "s", "b")
	if got := b.Git("ls-files", "-v"); got != "h a\nH b\nS s" {
		b.t.Errorf("bits: %q", got)
	}
	// Gone from disk with the bit set: deleted by the turn, and back.
	b.turn("T", func() { b.Remove("a") })
	b.rollback("latest")
	b.restored(before)
}

// caseSparseCheckout: what the cone leaves out is neither deleted nor written.
func caseSparseCheckout(b *book) {
	for _, name := range []string{"in/f", "out/f", "out/deep/f", "top"} {
		b.Write(name, name+"\n")
	}
	b.Write(".gitignore", "*.log\n")
	b.Commit("base")
	for _, set := range []string{"set in", "set --sparse-index in"} {
		b.sh("git sparse-checkout " + set + " 2>/dev/null")
		b.gone("out/f", "out/deep/f")
		b.Write("out/x.log", "ignored\n")
		before := b.world()
		b.turn("T", func() { b.Write("in/f", "agent "+set+"\n") })
		var diff struct {
			Files []struct{ Path, Change string }
		}
		for _, scope := range []string{"latest", "working"} {
			if b.json(0, &diff, "diff", scope); len(diff.Files) != 1 || diff.Files[0].Path != "in/f" {
				b.t.Errorf("%s: %+v", scope, diff.Files)
			}
		}
		if r := b.rollback("latest"); r.paths() != "restored in/f" {
			b.t.Errorf("rollback: %s", r.paths())
		}
		b.same(before, "in/f")
		b.restored(before)
		b.undo()
		b.rollback("latest")
		b.restored(before)
	}
	// The cone moves during a turn: its paths come and go by the user's command,
	// and a rollback of the turn's own edit moves none of them.
	b.turn("T", func() { b.sh("git sparse-checkout set in out; echo agent > in/f") })
	b.stage("latest", "--", "in/f")
	before := b.world()
	b.carry(0)
	b.same(before, "in/f")
	b.reads("out/f", "out/f\n")
}

// caseSplitIndex: the link to a shared index is followed, and none is written.
func caseSplitIndex(b *book) {
	b.Git("config", "core.splitIndex", "true")
	for i := range 100 {
		b.Write(fmt.Sprintf("f%02d", i), "x\n")
	}
	b.Commit("base")
	shared := func() string {
		names, _ := filepath.Glob(b.Path(".git/sharedindex.*"))
		return strings.Join(names, " ")
	}
	was := shared()
	if was == "" {
		b.t.Fatal("the index is not split")
	}
	b.Write("f01", "user\n")
	b.Git("add", "f01")
	before, was := b.world(), shared()
	for i := range 24 { // with the two of the last turn, 50 captures
		b.turn("T", func() { b.Write("f02", fmt.Sprint(i, "\n")) })
	}
	b.Write("f02", "x\n")
	b.turn("T", func() { b.Write("f02", "agent\n") })
	if got := b.ok("diff", "latest", "--name-status"); !strings.Contains(got, "f02") {
		b.t.Errorf("diff: %s", got)
	}
	b.rollback("latest")
	b.reads("f02", "x\n")
	b.same(before, "f02")
	if now := shared(); now != was {
		b.t.Errorf("shared indexes: %s\nwere %s", now, was)
	}
}

// caseIndexVersion: the user's index stays in its version, even where a rollback
// takes back an entry that the turn staged.
func caseIndexVersion(b *book) {
	b.Write("long/folder/name/a", "a\n")
	b.Write("long/folder/name/b", "b\n")
	b.Commit("base")
	for _, version := range []byte{4, 2, 3} {
		b.Git("update-index", "--index-version", fmt.Sprint(version))
		if version == 3 { // git writes 3 only where a flag needs it
			b.sh("echo n > n; git add -N n")
		}
		staged := b.Git("ls-files", "--stage")
		before := b.world()
		b.turn("T", func() { b.Write("long/folder/name/a", fmt.Sprint("agent ", version, "\n")) })
		b.rollback("latest")
		b.same(before, "long/folder/name/a")
		b.undo()
		b.rollback("latest")
		b.restored(before)
		b.turn("T", func() { b.sh("echo staged >> long/folder/name/b; git add long/folder/name/b") })
		b.rollback("latest")
		b.restored(before)
		if now := b.Git("ls-files", "--stage"); now != staged {
			b.t.Errorf("index: %s\nwas %s", now, staged)
		}
		if now := b.Read(".git/index")[7]; now != version {
			b.t.Errorf("the index has version %d, was %d", now, version)
		}
	}
}

// caseStoreInsideTheTree: what is overturn's or git's own is no part of a
// snapshot, wherever it lies.
func caseStoreInsideTheTree(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.sh("mv .git store; echo 'gitdir: store' > .git")
	inside := b.with("OVERTURN_HOME=" + b.Path("conf/overturn"))
	hook := func(event, thread string) {
		b.t.Helper()
		inside.hook(fmt.Sprintf(`{"event":%q,"thread":%q,"turn_id":"1"}`, event, thread))
	}
	hook("turn-start", "T")
	hook("turn-end", "T")
	one := b.show("T", "1")
	hook("turn-start", "U") // the first event of a thread is noted in the user's folder
	hook("turn-end", "U")
	two := b.show("U", "1")
	if one.Start.Tree != one.End.Tree || one.End.Tree != two.Start.Tree || two.Start.Tree != two.End.Tree {
		b.t.Errorf("trees: %+v %+v", one, two)
	}
	if got := strings.Join(b.holds(two.Ref), " "); got != "a" {
		b.t.Errorf("captured: %s", got)
	}

	home := gittest.New(b.t)
	h := bookOf(b.t, home.At(home.Home)) // a repository that is the user's home
	h.sh("git init -q -b main; echo rc > .rc; git add .rc; git commit -qm rc")
	h = h.with("OVERTURN_HOME=", "OVERTURN_CAPTURE_ANYWHERE=true") // then it is the one below .config
	h.hook(`{"event":"turn-start","thread":"T","turn_id":"1"}`)
	h.Write("x", "agent\n")
	h.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	if got := h.show("T", "1").names(); got != "x added" {
		b.t.Errorf("files: %s", got)
	}
	if got := strings.Join(h.holds(h.show("T", "1").Ref), " "); got != ".rc x" {
		b.t.Errorf("captured of a home: %s", got)
	}
}
