//go:build linux && system

package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/rollback/doctor"
)

// smallDisk puts the test's folders on a disk of its own.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	disk, err := os.MkdirTemp("", "doctor-disk-")
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(syscall.Unmount(disk, syscall.MNT_DETACH), os.Remove(disk)); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("TMPDIR", disk)
	return disk
}

func TestLittleSpace(t *testing.T) {
	smallDisk(t, "15m")
	p := newPatient(t, time.Now)
	p.bad("free-space", "free at "+p.Root)
}

// TestReadOnlyFileSystem: every check is made, and those that cannot be say why.
func TestReadOnlyFileSystem(t *testing.T) {
	disk := smallDisk(t, "50m")
	p := newPatient(t, time.Now)
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	list := doctor.Examine(t.Context(), p.deps)
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	var bad []string
	for _, f := range list {
		if !f.OK {
			bad = append(bad, f.Check)
		}
	}
	if got := strings.Join(bad, " "); got != "file-system" {
		t.Errorf("not well: %s\n%+v", got, list)
	}
	if last := list[len(list)-1].Check; last != "left-overs" {
		t.Errorf("the last check is %s", last)
	}
}

// TestDisplacedFileOfAnotherUser: what a rollback took out of the work tree is whose it was.
func TestDisplacedFileOfAnotherUser(t *testing.T) {
	p := newPatient(t, time.Now)
	if err := os.Chown(filepath.Join(p.deps.Repo.Root, "file"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	p.rolled(true)
	if f := p.finding("state-folder"); !f.OK {
		t.Errorf("%+v", f)
	}
}

// TestForeignOwner: a file that root left in the state folder is found, and so is one
// that root finds of another user's.
func TestForeignOwner(t *testing.T) {
	p := newPatient(t, time.Now)
	file := filepath.Join(p.deps.Repo.StateDir(), "trace.jsonl")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chown(file, 12345, 12345)); err != nil {
		t.Fatal(err)
	}
	p.bad("state-folder", "1 file of another user's: "+file)
}
