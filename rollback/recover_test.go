//go:build linux || darwin

package rollback_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/rollback"
)

// TestMain puts the repositories of the tests into memory where there is a place
// for that: each of them syncs dozens of files. Benchmarks stay on the disk.
func TestMain(m *testing.M) {
	flag.Parse()
	const memory = "/dev/shm"
	if st, err := os.Stat(memory); err != nil || !st.IsDir() || flag.Lookup("test.bench").Value.String() != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp(memory, "rollback-test-")
	if err != nil {
		os.Exit(m.Run())
	}
	os.Setenv("TMPDIR", dir)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// crashJob is what a child does until it is killed.
type crashJob struct {
	Root, Verb, Expect, Way string
}

// TestCrashChild is the process that the crash tests kill. On its own it does the
// same on a repository of its own, to the end.
func TestCrashChild(t *testing.T) {
	job := crashJob{Verb: "rollback"}
	var w *world
	if text := os.Getenv("ROLLBACK_TEST_JOB"); text != "" {
		if err := json.Unmarshal([]byte(text), &job); err != nil {
			t.Fatal(err)
		}
		w = wire(t, gittest.New(t).At(job.Root))
	} else {
		w = newWorld(t)
		everyKind(w)
		w.turn(func() { changeEveryKind(w) })
		job.Expect = w.stage().Fingerprint
	}
	var err error
	switch job.Verb {
	case "rollback":
		_, err = w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: job.Expect})
	case "undo":
		_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	case "recover":
		_, err = w.engine.Recover(t.Context(), "", job.Way)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// killed runs a child on w's repository up to the fail point; false when it came
// to its end without passing there.
func (w *world) killed(job crashJob, point string) bool {
	w.t.Helper()
	job.Root = w.Root
	text, err := json.Marshal(job)
	w.must(err)
	child := exec.Command(os.Args[0], "-test.run=^TestCrashChild$", "-test.count=1")
	child.Env = append(os.Environ(), "ROLLBACK_TEST_JOB="+string(text), "OVERTURN_FAIL_POINT="+point, "GORACE=atexit_sleep_ms=0")
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if err != nil {
		w.t.Fatalf("the child failed at %s: %v\n%s", point, err, out)
	}
	return false
}

// scene is a repository with a staged turn, to be copied for each crash.
type scene struct {
	w             *world
	before, after map[string]string
	fingerprint   string
}

func newScene(t *testing.T) scene {
	w := newWorld(t)
	everyKind(w)
	s := scene{w: w, before: w.files()}
	w.turn(func() { changeEveryKind(w) })
	s.after = w.files()
	s.fingerprint = w.stage().Fingerprint
	return s
}

// copy gives the scene again, in a place of its own.
func (s scene) copy(t *testing.T) *world {
	t.Helper()
	root := filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("cp", "-a", s.w.Root, root).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	return wire(t, s.w.At(root))
}

// TestCrashAtEveryPointOfARollback: finish ends in the state before the turn,
// unwind in the state after it, to the byte and the mode, wherever it was killed.
func TestCrashAtEveryPointOfARollback(t *testing.T) {
	s := newScene(t)
	open := []string{
		"rollback.prepared", "restore.written:4", "rollback.beside", "restore.moved:2", "restore.exchanged:2",
		"rollback.swapped", "rollback.swapped:5", "rollback.marked:3", "rollback.marked:9", "rollback.marked:16", "rollback.kept", "rollback.applied",
	}
	for _, point := range open {
		for _, way := range []string{"finish", "unwind"} {
			t.Run(point+"/"+way, func(t *testing.T) {
				t.Parallel()
				w := s.copy(t)
				if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, point) {
					t.Fatalf("the child was not killed")
				}
				w.interrupted(s.fingerprint)
				w.recovers(way, s)
			})
		}
	}
	for point, want := range map[string]map[string]string{"rollback.safety": s.after, "rollback.verified": s.before} {
		w := s.copy(t)
		if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, point) {
			t.Fatalf("not killed at %s", point)
		}
		w.same(point, w.files(), want)
		r, err := w.engine.Recover(t.Context(), "", "finish")
		if err != nil || r.Found {
			t.Errorf("%s: there is something to recover: %+v, %v", point, r, err)
		}
	}
}

// interrupted checks what is told and refused before it is settled.
func (w *world) interrupted(fingerprint string) {
	w.t.Helper()
	i, err := w.engine.Interrupted(w.t.Context())
	if err != nil || i == nil || i.Of < 10 || i.Kind == "" || i.StartedAt.IsZero() {
		w.t.Fatalf("interrupted: %+v, %v", i, err)
	}
	before := w.files()
	_, err = w.engine.Execute(w.t.Context(), rollback.ExecuteOptions{Expect: fingerprint})
	refused(w.t, err, model.CodeFailed, "recover")
	_, err = w.engine.Undo(w.t.Context(), "", rollback.ExecuteOptions{})
	refused(w.t, err, model.CodeFailed, "recover")
	w.same("refused while interrupted", w.files(), before)
	_, err = w.engine.Recover(w.t.Context(), "", "")
	refused(w.t, err, model.CodeUsage, "--finish")
}

// recovers settles a rollback one way and then shows that life goes on.
func (w *world) recovers(way string, s scene) {
	t := w.t
	t.Helper()
	r, err := w.engine.Recover(t.Context(), "", way)
	w.must(err)
	want, outcome := s.before, model.OutcomeComplete
	if way == "unwind" {
		want, outcome = s.after, model.OutcomeUndone
	}
	if !r.Found || r.Outcome != outcome || r.Way != way {
		t.Errorf("recovered: %+v", r)
	}
	w.same(way, w.files(), want)
	w.settled()
	again, err := w.engine.Recover(t.Context(), "", way)
	if err != nil || again.Found {
		t.Errorf("a second recover: %+v, %v", again, err)
	}
	if way == "finish" {
		_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		w.must(err)
		w.same("undone after recover", w.files(), s.after)
		return
	}
	_, err = w.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
	refused(t, err, model.CodeUsage, "nothing to undo")
}

func TestCrashOfAnUndo(t *testing.T) {
	s := newScene(t)
	_, err := s.w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: s.fingerprint})
	s.w.must(err)
	for _, point := range []string{"undo.beside", "undo.swapped:3", "undo.marked:7", "undo.kept"} {
		for way, want := range map[string]map[string]string{"finish": s.after, "unwind": s.before} {
			t.Run(point+"/"+way, func(t *testing.T) {
				t.Parallel()
				w := s.copy(t)
				if !w.killed(crashJob{Verb: "undo"}, point) {
					t.Fatalf("not killed at %s", point)
				}
				r, err := w.engine.Recover(t.Context(), "", way)
				w.must(err)
				if !r.Found || len(r.Skipped) > 0 {
					t.Errorf("%s, %s: %+v", point, way, r)
				}
				w.same(point+" "+way, w.files(), want)
				w.settled()
			})
		}
	}
}

// TestCrashOfARecover: settling may be cut short too, and be done the other way.
func TestCrashOfARecover(t *testing.T) {
	s := newScene(t)
	other := map[string]string{"finish": "unwind", "unwind": "finish"}
	for first, then := range other {
		for _, point := range []string{"recover.tidied", "recover.marked", "recover.swapped", "recover.settled"} {
			t.Run(first+"/"+point, func(t *testing.T) {
				t.Parallel()
				w := s.copy(t)
				crash := "rollback.marked:6"
				if first == "unwind" { // once displaced files are kept, their bytes have to come from the objects
					crash = "rollback.kept"
				}
				if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, crash) {
					t.Fatal("not killed")
				}
				if !w.killed(crashJob{Verb: "recover", Way: first}, point) {
					t.Fatalf("%s: not killed at %s", first, point)
				}
				r, err := w.engine.Recover(t.Context(), "", then)
				w.must(err)
				want := s.before
				if then == "unwind" {
					want = s.after
				}
				if !r.Found {
					t.Errorf("%s at %s, then %s: nothing found", first, point, then)
				}
				w.same(first+" at "+point+", then "+then, w.files(), want)
				w.settled()
			})
		}
	}
}

// TestEditsAfterTheCrashStay: what someone did between crash and recover is in
// neither state of the plan.
func TestEditsAfterTheCrashStay(t *testing.T) {
	s := newScene(t)
	for _, way := range []string{"finish", "unwind"} {
		w := s.copy(t)
		if !w.killed(crashJob{Verb: "rollback", Expect: s.fingerprint}, "rollback.marked:9") {
			t.Fatal("not killed")
		}
		w.Write("edit", "edited after the crash\n")
		w.Write("gone", "made anew after the crash\n")
		r, err := w.engine.Recover(t.Context(), "", way)
		w.must(err)
		if r.Outcome != model.OutcomePartial || len(r.Skipped) != 2 {
			t.Errorf("%s: %+v", way, r)
		}
		want := clone(s.before)
		if way == "unwind" {
			want = clone(s.after)
		}
		want["edit"], want["gone"] = "-rw-r--r-- edited after the crash\n", "-rw-r--r-- made anew after the crash\n"
		w.same(way, w.files(), want)
		w.settled()
	}
}
