package casebook_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCasebookGitEntries: what happens to the .git of every repository in a tree,
// as the kernel tells it.
func TestCasebookGitEntries(t *testing.T) {
	runCases(t, []caseOf{{"H-01", caseGitEntriesStay}})
}

// gitEvents runs do and gives the events of writing at the name .git anywhere in the
// work tree, and at anything below one that is not the repository's own.
func (b *book) gitEvents(do func()) []string {
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
		wd, err := unix.InotifyAddWatch(fd, name, written|unix.IN_ONLYDIR)
		folders[int32(wd)] = strings.TrimPrefix(name, b.Root)
		if name == b.Path(".git") { // overturn's own state is in there
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	do()
	var list []string
	for _, event := range b.events(fd, folders) {
		path, _, _ := strings.Cut(event, " 0x")
		self := strings.HasSuffix(path, "/") && (strings.HasSuffix(event, " 0x400") || strings.HasSuffix(event, " 0x800"))
		if strings.HasSuffix(path, "/.git") || strings.Contains(path, "/.git/") && (self || !strings.HasPrefix(path, "/.git/")) {
			list = append(list, event)
		}
	}
	return list
}

// caseGitEntriesStay: no entry of the name .git is renamed, moved or written, of
// whichever kind it is, nor anything in a repository that lies inside.
func caseGitEntriesStay(b *book) {
	b.withSource().submodule("sub")
	b.Write(".gitignore", "ignored/\n")
	b.sh(`git add .gitignore; git commit -qm rules
	git worktree add -q -b x wt; git clone -q ../source nested; git init -q empty; mkdir ignored; git clone -q ../source ignored/repo
	mkdir -p stray/.git; echo x > stray/f; mkdir broken; echo 'gitdir: /nowhere' > broken/.git; echo x > broken/f; ln -s nested linked`)
	b.Write("dir/deep/f", "x\n")
	before := b.world()
	calls := func() {
		b.turn("T", func() { b.Write("a", "agent\n"); b.Write("stray/f", "agent\n"); b.Write("broken/f", "agent\n") })
		b.ok("diff", "working")
		b.ok("status")
		b.rollback("latest")
		b.undo()
		b.ok("redo")
	}
	if got := b.gitEvents(calls); len(got) > 0 {
		b.t.Errorf("at .git entries: %s", strings.Join(got, "\n"))
	}
	b.restored(before)
	if got := b.show("T", "1").names(); got != "a modified, broken/f modified, stray/f modified" {
		b.t.Errorf("files: %s", got)
	}
	if got := b.gitEvents(func() { b.sh("mv nested/.git nested/.git_; mv nested/.git_ nested/.git; touch sub/.git") }); len(got) < 3 {
		b.t.Errorf("the watch proves nothing: %q", got)
	}
}
