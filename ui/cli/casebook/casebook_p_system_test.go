//go:build system && linux

package casebook_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestCasebookSpace: disks of a known size. These tests mount, and so need root.
func TestCasebookSpace(t *testing.T) {
	runCases(t, []caseOf{{"P-07", caseNoRoom}})
}

// caseNoRoom: what does not fit is refused before the first write, on the file
// system where it would have to stand: that of the repository, or one that is
// mounted within the work tree.
func caseNoRoom(b *book) {
	t, ok := b.t.(*testing.T)
	if !ok {
		return
	}
	big := strings.Repeat("\x00", 20<<20) // 20 MB, of which git stores little
	b.Write("big", big)
	b.Write("sub/big", big)
	b.Write("sub/small", "old\n")
	b.Commit("base")
	b.turn("T", func() { b.sh("rm big sub/big; echo new > sub/small") })
	refused := func(b *book, path string) {
		t.Helper()
		p := b.stage("1", "--", path, "sub/small")
		before := b.world()
		for _, flags := range [][]string{nil, {"--partial"}} {
			s := b.exits(1, append([]string{"--json", "rollback", "--expect", p.Fingerprint}, flags...)...)
			b.explained(s, "not enough space", []string{"rollback"})
			b.same(before)
		}
		b.stage("1", "--", "sub/small")
		b.carry(0)
		b.reads("sub/small", "old\n")
		b.undo()
		b.restored(before)
		b.quiet()
	}
	refused(b.mounted(t, "8m"), "big")

	mounted := b.Path("sub")
	if err := syscall.Mount("tmpfs", mounted, "tmpfs", 0, "size=8m"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Unmount(mounted, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	if err := os.WriteFile(mounted+"/small", []byte("new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(b, "sub/big")
	b.rollback("1", "--", "big") // which stands where there is room
	b.reads("big", big)
}
