package gittest

import (
	"os"
	"syscall"
	"testing"
)

// Unprivileged has the whole process, threads and children, run as nobody until the
// test ends, where it runs as root: for root nothing is unreadable. Repositories that
// are made meanwhile are nobody's, and lie in memory where the system has a file
// system there. No other test may run beside it but its own subtests.
func Unprivileged(t testing.TB) {
	t.Helper()
	inMemory(t)
	if os.Geteuid() != 0 {
		return
	}
	const nobody = 65534
	become := func(uid, gid int) {
		t.Helper()
		for _, err := range []error{syscall.Setresuid(-1, 0, -1), syscall.Setresgid(gid, gid, 0), syscall.Setresuid(uid, uid, 0)} {
			if err != nil {
				t.Fatalf("cannot change the user: %v", err)
			}
		}
	}
	gid := os.Getegid()
	groups, err := syscall.Getgroups()
	if err == nil {
		err = syscall.Setgroups(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	become(nobody, nobody)
	t.Cleanup(func() {
		become(0, gid)
		if err := syscall.Setgroups(groups); err != nil {
			t.Error(err)
		}
	})
}

// inMemory has temporary folders made in memory until the test ends: a sync there
// costs nothing.
func inMemory(t testing.TB) {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || info.Mode()&(os.ModeDir|os.ModeSticky|0o777) != os.ModeDir|os.ModeSticky|0o777 {
		return
	}
	before, was := os.LookupEnv("TMPDIR")
	if err := os.Setenv("TMPDIR", memory); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if was {
			_ = os.Setenv("TMPDIR", before)
		} else {
			_ = os.Unsetenv("TMPDIR")
		}
	})
}
