//go:build unix

package objects_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
)

func TestFlushThatCannotWrite(t *testing.T) {
	r := gittest.New(t)
	s := open(t, r)
	w := s.NewWriter()
	commit := snapshot(t, w, 1)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Flush(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if ok, err := s.Has(context.Background(), commit); ok || err != nil {
		t.Errorf("after a failed Flush: %v, %v", ok, err)
	}
	for _, n := range []int{1, 20} {
		w := s.NewWriter()
		snapshot(t, w, n)
		objectsDir := filepath.Join(r.Root, ".git/objects")
		if err := os.Rename(objectsDir, objectsDir+"-away"); err != nil {
			t.Fatal(err)
		}
		err := w.Flush(context.Background())
		if rerr := os.Rename(objectsDir+"-away", objectsDir); rerr != nil {
			t.Fatal(rerr)
		}
		if err == nil {
			t.Errorf("%d: stored into nothing", n)
		}
	}
	for _, name := range []string{"pack"} { // of the pack whose folder was away
		left, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects", name, "tmp_*"))
		for _, f := range left {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMain lets the tests start this binary as a process that is killed.
func TestMain(m *testing.M) {
	dir := os.Getenv("OBJECTS_CHILD")
	if dir == "" {
		os.Exit(m.Run())
	}
	repo, err := gitops.Find(context.Background(), dir, gittest.EnvOf(os.Environ()))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s := objects.Open(repo)
	switch {
	case os.Getenv("OBJECTS_JOIN") != "":
		fmt.Println(s.Join(context.Background()))
		os.Exit(1)
	case os.Getenv("OBJECTS_ROLL") != "":
		fmt.Println(s.RollUp(context.Background()))
		os.Exit(1)
	case os.Getenv("OBJECTS_RETIRE") != "":
		_, err := s.Retire(context.Background(), func(context.Context) (map[string]string, error) { return map[string]string{}, nil }, false)
		fmt.Println(err)
		os.Exit(1)
	}
	w := s.NewWriter()
	for i := range 20 {
		if _, err := w.Write(objects.TypeBlob, bytes.Repeat([]byte{byte(i)}, 1000)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if err := w.Flush(context.Background()); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func TestKilledAtEachStep(t *testing.T) {
	r := gittest.New(t)
	for i, point := range []string{"objects.flush.before", "objects.flush.after"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append([]string(nil), r.Env.Environ...), "OBJECTS_CHILD="+r.Root, "OVERTURN_FAIL_POINT="+point)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%s: %v %s", point, err, out)
		}
		r.Check()
		packs, _ := filepath.Glob(filepath.Join(r.Root, ".git/objects/pack/*.idx"))
		if len(packs) != i {
			t.Errorf("%s: packs %v", point, packs)
		}
	}
}
