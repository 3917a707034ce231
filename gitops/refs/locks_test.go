//go:build unix

package refs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/refs"
	"overturn/model"
)

func TestLocks(t *testing.T) {
	r, s, id := three(t)
	apply(t, s, refs.Update{Name: ours + "1", New: id[0]})
	lock := filepath.Join(r.GitDir(), ours+"1.lock")
	touch := func(age time.Duration) {
		if err := os.WriteFile(lock, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(lock, time.Now().Add(-age), time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	move := func() error {
		return s.Apply(context.Background(), []refs.Update{{Name: ours + "0", New: id[0]}, {Name: ours + "1", Old: id[0], New: id[1]}})
	}
	touch(0)
	if err := move(); model.CodeOf(err) != model.CodeLocked || !strings.Contains(model.HintOf(err), lock) {
		t.Errorf("fresh lock: %v", err)
	}
	if _, err := os.Stat(lock); err != nil || read(t, s, ours+"0") != "" {
		t.Error("the lock of another was removed, or a ref moved")
	}
	f, err := os.Open(lock)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	touch(time.Hour)
	if err := move(); model.CodeOf(err) != model.CodeLocked {
		t.Errorf("old lock that is held: %v", err)
	}
	f.Close()
	if err := move(); err != nil || read(t, s, ours+"1") != id[1] {
		t.Errorf("old lock of a dead process: %v", err)
	}
	// A lock that goes in time is waited for; packed-refs.lock is nobody's concern here (O-11).
	touch(0)
	time.AfterFunc(50*time.Millisecond, func() { os.Remove(lock) })
	packed := filepath.Join(r.GitDir(), "packed-refs.lock")
	if err := os.WriteFile(packed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	apply(t, s, refs.Update{Name: ours + "1", Old: id[1], New: id[2]})
	if err := os.Remove(packed); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedRef(t *testing.T) {
	r, s, id := three(t, gittest.Unchecked())
	apply(t, s, refs.Update{Name: ours + "1", New: id[0]})
	for _, content := range []string{"", "garbage\n", id[0][:20], "ref: refs/heads/main\n"} {
		if err := os.WriteFile(filepath.Join(r.GitDir(), ours+"1"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(context.Background(), []refs.Update{{Name: ours + "1", New: id[1]}}); err == nil {
			t.Errorf("%q was overwritten", content)
		}
	}
}

// TestMain lets the tests start this binary as a second process.
func TestMain(m *testing.M) {
	dir := os.Getenv("REFS_CHILD")
	if dir == "" {
		os.Exit(m.Run())
	}
	repo, err := gitops.Find(context.Background(), dir, gittest.EnvOf(os.Environ()))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s, ids, won := refs.New(repo), strings.Fields(os.Getenv("REFS_IDS")), 0
	for won < 30 { // thirty moves, each from what it sees
		old, err := s.Read(context.Background(), ours+"race")
		next := ids[0]
		if old == ids[0] {
			next = ids[1]
		}
		if err == nil {
			err = s.Apply(context.Background(), []refs.Update{{Name: ours + "race", Old: old, New: next}})
		}
		switch {
		case err == nil:
			won++
		case !errors.Is(err, refs.ErrMoved):
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func child(r *gittest.Repo, id [3]string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(append([]string(nil), r.Env.Environ...), "REFS_CHILD="+r.Root, "REFS_IDS="+strings.Join(id[:], " ")), env...)
	return cmd
}

// TestTwoProcesses counts: an update that was overwritten unseen would leave the
// ref at the wrong one of two values.
func TestTwoProcesses(t *testing.T) { // E-05
	r, s, id := three(t)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if out, err := child(r, id).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		}()
	}
	packed := make(chan bool)
	go func() { // and the user's git packs refs meanwhile
		defer close(packed)
		for range 10 {
			if _, err := r.GitMayFail("pack-refs", "--all", "--prune"); err != nil {
				t.Log(err)
			}
		}
	}()
	wg.Wait()
	<-packed
	if got := read(t, s, ours+"race"); got != id[1] {
		t.Errorf("after 90 moves the ref holds %s, not %s", got, id[1])
	}
}

func TestKilledAtEachStep(t *testing.T) {
	for point, want := range map[string]int{"refs.lock.made": 0, "refs.apply.locked": 0, "refs.apply.renamed": 1} {
		r, s, id := three(t)
		err := child(r, id, "OVERTURN_FAIL_POINT="+point).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%s: %v", point, err)
		}
		list, err := s.List(context.Background(), "refs/overturn")
		if err != nil || len(list) != want {
			t.Errorf("%s: %v, %v", point, list, err)
		}
		if _, err := os.Stat(filepath.Join(r.GitDir(), ours+"race.lock")); (err == nil) != (point == "refs.apply.locked") {
			t.Errorf("%s: lock %v", point, err)
		}
		name := refs.Update{Name: ours + "race", New: id[2]}
		if want == 1 {
			name.Old = id[0]
		}
		apply(t, s, name) // E-03: what was left does not block, not even for a moment
		if said := r.Git("for-each-ref", "refs/overturn/threads/"); !strings.Contains(said, ours+"race") {
			t.Errorf("%s: git does not see the ref: %s", point, said)
		}
		if err := s.SweepAt(context.Background(), ours+"race"); err != nil {
			t.Errorf("%s: %v", point, err)
		}
		if left, err := filepath.Glob(filepath.Join(r.GitDir(), filepath.Dir(ours+"race"), "*.lock")); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", point, left, err)
		}
	}
}
