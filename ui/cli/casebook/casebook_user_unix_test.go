//go:build unix

package casebook_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestCasebookUnreadable: what the user cannot read. Root can read everything, so
// overturn runs as another user then.
func TestCasebookUnreadable(t *testing.T) {
	runCases(t, []caseOf{
		{"C-02", caseEmptyTree},
		{"C-03", caseOneUnreadablePath},
	})
}

// asUser hands everything to another user where root runs the tests, and gives a
// book whose programs run as that user.
func (b *book) asUser() *book {
	b.t.Helper()
	if os.Geteuid() != 0 {
		return b
	}
	const nobody = 65534
	top := filepath.Dir(b.Root)
	config := filepath.Join(b.Home, ".gitconfig")
	err := os.WriteFile(config, []byte("[safe]\n\tdirectory = *\n"), 0o644) // for root's own look afterwards
	for dir := top; err == nil && dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		err = os.Chmod(filepath.Dir(clitest.Bin()), 0o755)
	}
	if err == nil {
		err = filepath.WalkDir(top, func(name string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(name, nobody, nobody)
		})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	c := *b.with("OVERTURN_ARGV_LOG=" + filepath.Join(b.Home, "argv"))
	c.attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return &c
}

// caseEmptyTree: a file that cannot be read in a fresh store leaves that file out,
// not all.
func caseEmptyTree(b *book) {
	b.Write("s", "secret\n")
	b.Write("b", "b\n")
	b.Write("dir/c", "c\n")
	b.Chmod("s", 0)
	b = b.asUser()
	b.start("T")
	turn := b.show("T", "1")
	if got := strings.Join(b.holds(turn.Start.Ref), " "); turn.Status != "ready" || got != "b dir/c" {
		b.t.Errorf("%s, captured %q", turn.Status, got)
	}
	b.end("T")
	if got := b.show("T", "1").LeftOut; len(got) != 1 || got[0] != (noted{"s", "unreadable"}) {
		b.t.Errorf("left out: %+v", got)
	}
	// An empty tree is what an empty work tree gives, and nothing else.
	b.sh("chmod 644 s; rm -rf s b dir")
	b.turn("T", func() { b.sh("true") })
	if got := b.show("T", "2"); got.Start.Tree != b.Git("hash-object", "-t", "tree", os.DevNull) {
		b.t.Errorf("of nothing: %+v", got.Start)
	}
}

// caseOneUnreadablePath: it is skipped, listed and left alone; the rest is
// protected, now and in later turns.
func caseOneUnreadablePath(b *book) {
	b.Write("s", "tracked secret\n")
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("u", "untracked secret\n")
	b.Write("shut/f", "f\n")
	for _, name := range []string{"s", "u", "shut"} {
		b.Chmod(name, 0)
	}
	b = b.asUser()
	before := b.world()
	for _, agent := range []string{"one\n", "two\n"} {
		b.start("T")
		b.sh("printf '%s' '" + agent + "' > a; echo n > n")
		b.end("T")
		turn := b.newest("T")
		var out []string
		for _, n := range turn.LeftOut {
			out = append(out, n.Path+" "+n.Reason)
		}
		if got := strings.Join(out, ", "); turn.Status != "ready" || got != "s unreadable, shut unreadable, u unreadable" {
			b.t.Errorf("%s, left out: %s", turn.Status, got)
		}
		if got := turn.names(); got != "a modified, n added" {
			b.t.Errorf("files: %s", got)
		}
		if got := b.ok("turns"); !strings.Contains(got, "[3 paths left out]") {
			b.t.Errorf("turns: %s", got)
		}
		for _, path := range []string{"s", "u", "shut", "shut/f"} {
			if s := b.overturn("stage", "latest", "--", path); s.code != 2 {
				b.t.Errorf("stage %s: %+v", path, s)
			}
		}
		b.rollback("latest")
		b.restored(before)
		b.same(before, "a", "n")
	}
	// Readable at the start and not at the end: what became of it is not known, so
	// it is not a change, and stays.
	b.sh("chmod 644 s")
	b.start("T")
	b.sh("echo agent > s; chmod 0 s; echo agent > a")
	b.end("T")
	if got := b.newest("T").names(); got != "a modified" {
		b.t.Errorf("files: %s", got)
	}
	b.rollback("latest")
	b.sh("chmod 644 s")
	b.reads("s", "agent\n")
	b.sh("chmod 755 shut")
}
