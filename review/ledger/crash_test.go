package ledger_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/ledger"
)

// TestMain is also the child of TestKilled: it records one event and is killed on
// the way by the fail point that it was given.
func TestMain(m *testing.M) {
	root, verb := os.Getenv("LEDGER_CHILD_ROOT"), os.Getenv("LEDGER_CHILD_VERB")
	if root == "" {
		os.Exit(m.Run())
	}
	os.Exit(childMain(root, verb))
}

func childMain(root, verb string) int {
	t := &childTB{}
	b := onRepo(t, &gittest.Repo{Root: root, Env: gittest.EnvOf(os.Environ())}, nil)
	defer t.done()
	switch verb {
	case "start":
		b.start(th, "y")
	case "end":
		b.end(th, "x")
	case "race":
		name := os.Getenv("LEDGER_CHILD_NAME")
		for range raceRounds {
			b.start(model.ThreadID(name), name)
			b.end(model.ThreadID(name), name)
			b.start(th, "shared")
		}
	}
	return t.code
}

const raceRounds = 3

// TestProcessesAtOnce: processes that record at the same moment, each in a thread
// of its own and all of them in one.
func TestProcessesAtOnce(t *testing.T) {
	b := newBench(t)
	names := []string{"p1", "p2", "p3"}
	var children []*exec.Cmd
	for _, name := range names {
		cmd := exec.Command(os.Args[0])
		cmd.Stderr = os.Stderr
		cmd.Env = append(b.Env.Environ, "LEDGER_CHILD_ROOT="+b.Root, "LEDGER_CHILD_VERB=race", "LEDGER_CHILD_NAME="+name)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	once := "completed/ready"
	for _, name := range names {
		want(t, name, b.states(model.ThreadID(name)), strings.Join([]string{once, once, once}[:raceRounds], " "))
	}
	want(t, "the thread of all", b.states(th), "open/ready")
}

// killAt runs verb in a child that is killed at the fail point; false when it
// never came there.
func killAt(t *testing.T, b *bench, verb, point string) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(b.Env.Environ, "LEDGER_CHILD_ROOT="+b.Root, "LEDGER_CHILD_VERB="+verb, "OVERTURN_FAIL_POINT="+point)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	if !strings.Contains(err.Error(), "killed") {
		t.Fatalf("child: %v\n%s", err, out)
	}
	return true
}

// sweep removes, before the repository is looked over, the locks that a killed
// process left on refs which nobody writes again: they are in nobody's way.
func sweep(t *testing.T, b *bench) {
	t.Helper()
	t.Cleanup(func() {
		err := filepath.WalkDir(b.Path(".git/refs/overturn"), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".lock") {
				err = os.Remove(path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func points() []string {
	return []string{
		"ledger.start.noted", "objects.flush.before", "objects.flush.after", "ledger.flushed",
		"refs.apply.locked", "refs.apply.renamed", "ledger.published", "ledger.end.noted",
	}
}

// TestKilled kills the recording at every point, and then records on: nothing is
// half there, no number is used twice, and what is said to be captured is.
func TestKilled(t *testing.T) {
	for _, verb := range []string{"start", "end"} {
		for _, point := range points() {
			t.Run(verb+" "+point, func(t *testing.T) {
				b := newBench(t)
				b.start(th, "x")
				b.Write("a.txt", "work of x\n")
				if verb == "start" {
					b.end(th, "x")
					b.Write("a.txt", "the user's\n")
				}
				if !killAt(t, b, verb, point) {
					t.Fatalf("the child did not come to %s", point)
				}
				sweep(t, b)
				readable(t, b)
				b.Write("more.txt", "further work\n")
				again := onRepo(t, b.Repo, nil)
				if verb == "end" {
					again.end(th, "x")
				} else {
					again.start(th, "y")
					again.end(th, "y")
				}
				again.start(th, "z")
				again.end(th, "z")
				readable(t, again)
				turns, err := again.l.Turns(t.Context(), th, 0)
				if err != nil {
					t.Fatal(err)
				}
				seen := map[string]int{}
				for i, turn := range turns {
					want(t, "number", turn.Number, i+1)
					seen[turn.TurnID]++
					if turn.State == model.TurnOpen {
						t.Errorf("turn %d is still open", turn.Number)
					}
				}
				if seen["x"] != 1 || seen["z"] != 1 {
					t.Errorf("ids are %v", seen)
				}
				if first := turns[0]; first.Status != model.StatusReady || first.End == nil {
					t.Errorf("turn 1 is %+v", first)
				}
			})
		}
	}
}

// readable holds every turn against its refs.
func readable(t *testing.T, b *bench) {
	t.Helper()
	side := onRepo(t, b.Repo, nil)
	turns, err := side.l.Turns(t.Context(), th, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, turn := range turns {
		for _, bound := range []*model.Boundary{turn.Start, turn.End} {
			if bound == nil || turn.Status != model.StatusReady {
				continue
			}
			if got := b.Git("rev-parse", bound.Ref); got != bound.Commit {
				t.Errorf("turn %d: %s holds %s, said is %s", turn.Number, bound.Ref, got, bound.Commit)
			}
			b.Git("rev-list", "--objects", bound.Commit)
		}
		if turn.Status == model.StatusReady && turn.Start == nil || turn.Status != model.StatusReady && turn.StatusReason == "" {
			t.Errorf("turn %d has no start and no reason: %+v", turn.Number, turn)
		}
	}
}

// TestKilledWhileClosingAnother kills a start that closes an open turn.
func TestKilledWhileClosingAnother(t *testing.T) {
	for _, point := range points() {
		t.Run(point, func(t *testing.T) {
			b := newBench(t)
			b.start(th, "x")
			b.Write("a.txt", "work of x\n")
			if !killAt(t, b, "start", point) {
				t.Fatalf("the child did not come to %s", point)
			}
			sweep(t, b)
			again := onRepo(t, b.Repo, nil)
			again.start(th, "z")
			readable(t, again)
			open, err := again.l.Open(t.Context())
			if err != nil || len(open) != 1 || open[0].TurnID != "z" {
				t.Errorf("open turns: %+v %v\n%s", open, err, again.states(th))
			}
			if first := again.turn(th, 1); first.State != model.TurnInterrupted {
				t.Errorf("turn 1 is %+v", first)
			}
		})
	}
}

func TestAbandoned(t *testing.T) {
	b := newBench(t)
	agent := exec.Command("sleep", "60")
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	pid := ledger.FindAgent(agent.Process.Pid)
	if _, err := b.l.Start(t.Context(), ledger.StartEvent{Thread: th, TurnID: "x", PID: pid}); err != nil {
		t.Fatal(err)
	}
	b.start("by hand", "h")
	b.Write("a.txt", "half done\n")
	settle := func(what, states string) {
		t.Helper()
		if err := b.l.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, what, b.states(th), states)
	}
	settle("while it lives", "open/ready")
	if err := agent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = agent.Wait() // its status is that it was killed
	settle("when it is gone", "interrupted/ready")
	settle("once more", "interrupted/ready")
	want(t, "one that has no process", b.states("by hand"), "open/ready")
	if b.ref(th, "turn/1") == "" || fmt.Sprint(b.turn(th, 1).Files[0].Path) != "a.txt" {
		t.Errorf("turn 1 is %+v", b.turn(th, 1))
	}
}

// TestKilledConversion: the folder in which a killed capture had git convert a file
// goes with the next verb that looks, once it is old.
func TestKilledConversion(t *testing.T) {
	b := newBench(t)
	b.Write("ends.txt", "one\r\ntwo\r\n")
	b.Commit("as it is")
	b.Write(".gitattributes", "*.txt text=auto ident\n")
	b.Write("ends.txt", "one\r\nthree\r\n")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(b.Env.Environ, "LEDGER_CHILD_ROOT="+b.Root, "LEDGER_CHILD_VERB=start", "OVERTURN_FAIL_POINT=snapshot.addbygit.remove")
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("the fail point was not met: %s", out)
	}
	left, err := filepath.Glob(filepath.Join(b.repo.StateDir(), "convert-*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("left over: %v, %v", left, err)
	}
	for _, age := range []time.Duration{0, time.Hour} {
		then := time.Now().Add(-age)
		if err := errors.Join(os.Chtimes(left[0], then, then), b.l.Settle(t.Context())); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(left[0]); (err == nil) != (age == 0) {
			t.Errorf("%v old: %v", age, err)
		}
	}
}
