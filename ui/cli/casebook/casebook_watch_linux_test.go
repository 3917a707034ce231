package casebook_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"overturn/ui/cli/clitest"
)

// TestCasebookWatched: what a capture does to the work tree, as the kernel tells it.
func TestCasebookWatched(t *testing.T) {
	runCases(t, []caseOf{
		{"F-10", caseNothingLeavesTheDisk},
		{"G-02", caseWarmCapture},
		{"G-12", caseIndexOfTheWorkTree},
	})
}

// watched runs do and counts the events of mask in the folders of the work tree,
// .git aside.
func (b *book) watched(mask uint32, do func()) []string {
	b.t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		b.t.Fatal(err)
	}
	defer unix.Close(fd)
	folders := map[int32]string{}
	err = filepath.WalkDir(b.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		wd, err := unix.InotifyAddWatch(fd, name, mask)
		folders[int32(wd)] = strings.TrimPrefix(name, b.Root)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	do()
	return b.events(fd, folders)
}

func (b *book) events(fd int, folders map[int32]string) []string {
	b.t.Helper()
	var list []string
	buf := make([]byte, 1<<20)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EAGAIN || n == 0 {
			return list
		}
		if err != nil {
			b.t.Fatal(err)
		}
		for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			wd := int32(le32(rest[0:]))
			mask, size := le32(rest[4:]), le32(rest[12:])
			name := strings.TrimRight(string(rest[16:16+size]), "\x00")
			rest = rest[16+size:]
			if mask&unix.IN_Q_OVERFLOW != 0 {
				b.t.Fatal("more events than the kernel keeps")
			}
			if mask&unix.IN_ISDIR == 0 || mask&unix.IN_OPEN == 0 {
				list = append(list, fmt.Sprintf("%s/%s %#x", folders[wd], name, mask))
			}
		}
	}
}

func le32(p []byte) uint32 {
	return uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 | uint32(p[3])<<24
}

const written = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE |
	unix.IN_DELETE_SELF | unix.IN_MOVE_SELF

// caseNothingLeavesTheDisk: a capture takes nothing off the disk, not for a moment.
func caseNothingLeavesTheDisk(b *book) {
	b.Write("a", "a\n")
	b.Write("dir/b", "b\n")
	b.Write(".gitignore", "*.log\n")
	b.Commit("base")
	b.Write("dir/b", "dirty\n")
	b.Write("u", "untracked\n")
	b.Write("new/u", "untracked\n")
	b.Write("dir/x.log", "ignored\n")
	b.Symlink("a", "link")
	before := b.world()
	happened := b.watched(written, func() { b.start("T") })
	b.same(before)
	b.Write("a", "agent\n")
	b.Remove("u")
	happened = append(happened, b.watched(written, func() { b.end("T") })...)
	for _, args := range [][]string{{"diff", "working"}, {"diff", "latest"}, {"stage", "latest"}, {"plan"}} {
		happened = append(happened, b.watched(written, func() { b.ok(args...) })...)
	}
	if len(happened) > 0 {
		b.t.Errorf("in the work tree: %s", strings.Join(happened, "\n"))
	}
	// The watch itself sees what a rollback does.
	b.stage("latest")
	if seen := b.watched(written, func() { b.carry(0) }); len(seen) == 0 {
		b.t.Error("the rollback was not seen: the watch proves nothing")
	}
}

// many commits folders of equal files, of an hour ago: an entry as young as the
// index would be read again. Those of a folder are links of one file, which is
// made much faster; git and overturn see files. One in each, own, is not linked.
func (b *book) many(folders, files int) {
	b.t.Helper()
	then := time.Now().Add(-time.Hour)
	for i := range folders {
		first := b.Path(fmt.Sprintf("d%03d/f0000", i))
		b.Write(fmt.Sprintf("d%03d/f0000", i), "same\n")
		if err := os.Chtimes(first, then, then); err != nil {
			b.t.Fatal(err)
		}
		b.Write(fmt.Sprintf("d%03d/own", i), "same\n")
		if err := os.Chtimes(b.Path(fmt.Sprintf("d%03d/own", i)), then, then); err != nil {
			b.t.Fatal(err)
		}
		for k := 1; k < files; k++ {
			if err := os.Link(first, b.Path(fmt.Sprintf("d%03d/f%04d", i, k))); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	b.Commit("base")
}

// caseWarmCapture: a capture reads what changed. CPU time is held, not the clock:
// the machine that tests may be busy.
func caseWarmCapture(b *book) {
	b.many(34, 1000)
	b.start("T")
	for i := range 5 {
		b.Write(fmt.Sprintf("d%03d/own", i*6), "dirty\n")
	}
	var cpu time.Duration
	opened := b.watched(unix.IN_OPEN, func() {
		cmd := exec.Command(clitest.Bin(), "turn", "end", "--thread", "T")
		cmd.Dir, cmd.Env = b.dir, b.env
		if out, err := cmd.CombinedOutput(); err != nil {
			b.t.Fatalf("%v\n%s", err, out)
		}
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	})
	if len(opened) < 5 || len(opened) > 10 {
		b.t.Errorf("5 files changed, %d were opened: %q", len(opened), opened[:min(len(opened), 9)])
	}
	if cpu > time.Second {
		b.t.Errorf("the capture took %v of CPU time", cpu)
	}
	if got := len(b.show("T", "1").Files); got != 5 {
		b.t.Errorf("%d files", got)
	}
}

// caseIndexOfTheWorkTree: a linked work tree starts from its own index; its
// captures cost what they do in the main one.
func caseIndexOfTheWorkTree(b *book) {
	b.many(5, 100)
	b.Write("on", "main\n")
	b.Commit("main")
	linked := bookOf(b.t, b.Worktree("linked"))
	linked.Write("on", "linked\n")
	linked.Write("only", "here\n")
	linked.sh("find . -path './d*' -exec touch -d '1 hour ago' {} +; git add -A; git commit -qm linked; git update-index -q --refresh")
	linked.Write("d001/own", "dirty\n")
	before := linked.world()
	opened := linked.watched(unix.IN_OPEN, func() { linked.start("T") })
	if len(opened) > 8 {
		b.t.Errorf("the first capture opened %d files: %q", len(opened), opened[:min(len(opened), 9)])
	}
	linked.same(before)
	linked.Write("d002/own", "agent\n")
	opened = linked.watched(unix.IN_OPEN, func() { linked.end("T") })
	if len(opened) > 8 {
		b.t.Errorf("a warm capture opened %d files: %q", len(opened), opened[:min(len(opened), 9)])
	}
	ref := linked.show("T", "1").Ref
	if got := linked.Git("diff", "--name-only", "HEAD", ref); got != "d001/own\nd002/own" {
		b.t.Errorf("differs from HEAD: %q", got)
	}
	if got := linked.Git("show", ref+":on"); got != "linked" {
		b.t.Errorf("on is %q", got)
	}
	linked.rollback("latest")
	linked.same(before, "d002/own")
	linked.restored(before)
}
