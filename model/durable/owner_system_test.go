//go:build system && unix

package durable_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"overturn/model/durable"
)

// TestAReplacedFileKeepsItsOwner is for root alone: a file of a user's that is replaced
// by root is the user's still, whatever its mode; a new one is of who made it.
func TestAReplacedFileKeepsItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	for _, owner := range []int{os.Getuid(), 65534} {
		if owner != os.Getuid() {
			if err := os.Chown(path, owner, owner); err != nil {
				t.Fatal(err)
			}
		}
		if err := durable.ReplaceFile(path, []byte("new\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != owner || int(st.Gid) != owner || info.Mode() != 0o600 {
			t.Errorf("it is of %d:%d with mode %s, want %d", st.Uid, st.Gid, info.Mode(), owner)
		}
	}
}
