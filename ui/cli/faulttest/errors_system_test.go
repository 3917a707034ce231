//go:build system && linux && amd64

package faulttest_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"overturn/ui/cli/faulttest"
	"overturn/ui/cli/trial"
)

// disaster is what goes wrong from call n on; reaches tells which calls it meets.
type disaster struct {
	name    string
	reaches func(c *faulttest.Call) bool
	once    bool
	verdict faulttest.Verdict
}

func disasters() []disaster {
	makes := func(c *faulttest.Call) bool {
		return c.Name == "write" || c.Name == "openat" || c.Name == "mkdirat" || c.Name == "symlinkat" || c.Name == "linkat"
	}
	return []disaster{
		{"the disk is full", makes, false, faulttest.Fail(unix.ENOSPC)},
		{"half a write, then the disk is full", makes, false, faulttest.Short()},
		{"the file system turns read-only", func(*faulttest.Call) bool { return true }, false, faulttest.Fail(unix.EROFS)},
		{"a sync fails", (*faulttest.Call).Syncs, true, faulttest.Fail(unix.EIO)},
		{"any call fails once", func(*faulttest.Call) bool { return true }, true, faulttest.Fail(unix.EIO)},
		{"the quota is used up", makes, true, faulttest.Fail(unix.EDQUOT)},
	}
}

// TestErrors makes the system calls of each call that writes fail, from any of them
// on. The program says so, or it was of no importance; afterwards, with the disk well
// again, everything is as before or as it was to be.
func TestErrors(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	for _, scene := range []string{"rollback", "undo", "unwind what was done", "first start", "end", "stage", "unstage", "disable"} {
		t.Run(strings.ReplaceAll(scene, " ", "_"), func(t *testing.T) {
			play(t, scene, func(c *trial.Crash) { failures(t, c) })
		})
	}
}

func failures(t *testing.T, c *trial.Crash) {
	total := 0
	c.Try(func(y *trial.Yard, args []string) {
		r, err := faulttest.Record(y.Command(y.Bin(), args...), y.Root)
		if err != nil {
			t.Fatal(err)
		}
		total = len(r.Calls)
	})
	const perScene = 24
	step := max(1, total/perScene)
	if os.Getenv("OVERTURN_TRIAL_ALL") != "" {
		step = 1
	}
	met, failed := 0, 0
	for n := 0; n < total; n += step {
		d := disasters()[n/step%len(disasters())]
		c.Play(fmt.Sprintf("when at call %d of %d %s", n, total, d.name), func(y *trial.Yard, args []string) bool {
			said, struck := d.strike(y, args, n)
			withoutGitsLock(y)
			if struck {
				met++
			}
			if said.Code != 0 {
				failed++
			}
			if said.Code == -1 || strings.Contains(said.Stderr, "panic") || said.Code != 0 && said.Stderr == "" {
				y.Faultf("%+v", said)
			}
			return said.Code == 0 && said.Stderr == "" // a turn may be recorded as one that could not be captured, which is said
		})
	}
	t.Logf("%d calls, %d disasters, %d times the program failed", total, met, failed)
	if met < min(perScene, total)/2 || failed == 0 {
		t.Errorf("only %d disasters were met, and %d times the program failed", met, failed)
	}
}

// strike runs the call with the disaster from call n on.
func (d disaster) strike(y *trial.Yard, args []string, n int) (said faulttest.Said, struck bool) {
	at := 0
	said, err := faulttest.Watch(y.Command(y.Bin(), args...), y.Root, func(c *faulttest.Call) faulttest.Verdict {
		at++
		if at <= n || c.Name == faulttest.Report || struck && d.once || !d.reaches(c) {
			return faulttest.Go()
		}
		first := !struck
		struck = true
		if d.verdict == faulttest.Short() && (!first || c.Name != "write") {
			return faulttest.Fail(unix.ENOSPC)
		}
		return d.verdict
	})
	if err != nil {
		y.Fail(err)
	}
	return said, struck
}

// TestNoExchange: a file system that cannot exchange names, or rename without
// replacing, gets the same rollback the plain way; one that keeps the git directory
// on another device gets copies.
func TestNoExchange(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	for name, fails := range map[string]func(c *faulttest.Call, root string) unix.Errno{
		"no exchange": func(c *faulttest.Call, _ string) unix.Errno {
			if c.Name == "renameat2" && c.Flags != 0 {
				return unix.EINVAL
			}
			return 0
		},
		"another device": func(c *faulttest.Call, root string) unix.Errno {
			inGit := func(path string) bool { return strings.HasPrefix(path, root+"/.git/") }
			if c.Name == "renameat2" && inGit(c.Path) != inGit(c.To) || c.Name == "linkat" && inGit(c.Path) != inGit(c.To) {
				return unix.EXDEV
			}
			return 0
		},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			play(t, "rollback", func(c *trial.Crash) { foreignSystem(t, c, fails) })
		})
	}
}

// foreignSystem rolls back on such a file system, whole, and killed at calls all the
// way through.
func foreignSystem(t *testing.T, c *trial.Crash, fails func(*faulttest.Call, string) unix.Errno) {
	met, total := 0, 1<<30
	run := func(y *trial.Yard, args []string, n int) bool {
		at := 0
		said, err := faulttest.Watch(y.Command(y.Bin(), args...), y.Root, func(call *faulttest.Call) faulttest.Verdict {
			if at++; at > n {
				return faulttest.Kill()
			}
			if errno := fails(call, y.Root); errno != 0 {
				met++
				return faulttest.Fail(errno)
			}
			return faulttest.Go()
		})
		if err != nil {
			y.Fail(err)
		}
		total = min(total, at)
		return said.Code == 0
	}
	c.Play("with nothing else wrong", func(y *trial.Yard, args []string) bool {
		if !run(y, args, total) {
			y.Faultf("the rollback failed")
			return false
		}
		return true
	})
	const kills = 24
	for n, last := 0, total; n < last; n += max(1, last/kills) {
		c.Play(fmt.Sprintf("when it was killed before call %d", n), func(y *trial.Yard, args []string) bool {
			defer withoutGitsLock(y)
			return run(y, args, n)
		})
	}
	if met < 8 {
		t.Errorf("only %d calls failed", met)
	}
}
