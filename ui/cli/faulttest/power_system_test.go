//go:build system && linux && amd64

package faulttest_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/ui/cli/faulttest"
	"overturn/ui/cli/trial"
)

// keeps are the disks that a power cut may leave: what was promised and nothing
// else; what a kill leaves, but with bytes that never came; a journal cut somewhere,
// anything.
func keeps(seed uint64) []faulttest.Keep {
	return []faulttest.Keep{
		{Names: faulttest.NoNames, Bytes: faulttest.OldBytes},
		{Names: faulttest.AllNames, Bytes: faulttest.OldBytes},
		{Names: faulttest.AllNames, Bytes: faulttest.ZeroBytes},
		{Names: faulttest.FirstNames, Bytes: faulttest.SomeBytes, Seed: seed},
		{Names: faulttest.NoNames, Bytes: faulttest.AllBytes},
		{Names: faulttest.SomeNames, Bytes: faulttest.SomeBytes, Seed: seed},
		{Names: faulttest.AllNames, Bytes: faulttest.HalfBytes},
	}
}

// TestPowerCut records what each call that writes does to the disk, cuts the power
// before any of its system calls, and lets the program put in order what a disk may
// have kept. Nothing is lost, and what was reported as done is done.
func TestPowerCut(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	for _, scene := range []string{
		"rollback", "undo", "redo", "finish what was being written", "unwind what was being swapped", "unwind what was done",
		"first start", "later start", "end", "end that joins packs", "stage", "unstage", "enable", "disable", "prune",
	} {
		t.Run(strings.ReplaceAll(scene, " ", "_"), func(t *testing.T) {
			play(t, scene, func(c *trial.Crash) { powerCuts(t, c) })
		})
	}
}

// withoutGitsLock does what git asks the user to do when one of its own processes was
// cut short.
func withoutGitsLock(y *trial.Yard) {
	for _, lock := range []string{".git/index.lock", ".git/packed-refs.lock"} {
		if err := os.Remove(y.Path(lock)); err != nil && !os.IsNotExist(err) {
			y.Fail(err)
		}
	}
	err := filepath.WalkDir(y.Path(".git/refs"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			err = os.Remove(name)
		}
		return err
	})
	if err != nil {
		y.Fail(err)
	}
}

func powerCuts(t *testing.T, c *trial.Crash) {
	var r *faulttest.Recording
	c.Try(func(y *trial.Yard, args []string) {
		var err error
		if r, err = faulttest.Record(y.Command(y.Bin(), args...), y.Root); err != nil || r.Said.Code != 0 {
			t.Fatalf("%v: %+v", err, r)
		}
	})
	played := 0
	cut := func(n int, keep faulttest.Keep) {
		played++
		before := "the end"
		if n < len(r.Calls) {
			before = strings.ReplaceAll(r.Calls[n].String(), r.Root+"/", "")
		}
		c.Play(fmt.Sprintf("when the power went before call %d of %d, %s, keeping %+v", n, len(r.Calls), before, keep), func(y *trial.Yard, _ []string) bool {
			if err := r.Cut(n, keep, y.Root); err != nil {
				y.Fail(err)
			}
			withoutGitsLock(y)
			return r.Reported(n)
		})
	}
	const perScene = 28
	step := max(1, len(r.Calls)/perScene)
	everything := os.Getenv("OVERTURN_TRIAL_ALL") != ""
	if everything {
		step = 1
	}
	for n := 0; n < len(r.Calls); n += step {
		all := keeps(uint64(n))
		if everything {
			for _, keep := range all {
				cut(n, keep)
			}
			continue
		}
		at := n + rand.New(rand.NewPCG(uint64(n), 3)).IntN(step)
		cut(min(at, len(r.Calls)-1), all[n/step%len(all)])
	}
	for n := len(r.Calls); n > 0 && r.Reported(n); n-- { // nothing may be lost that was reported
		for _, keep := range keeps(uint64(n)) {
			cut(n, keep)
		}
	}
	t.Logf("%d calls, power cut %d times", len(r.Calls), played)
}
