//go:build linux

package rollback_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/rollback"
)

// TestDiskChild is run by the tests below as another user, or with a limit on the
// size of files; on its own it shows that without either all goes well.
func TestDiskChild(t *testing.T) {
	job := os.Getenv("ROLLBACK_TEST_DISK")
	if job == "" {
		w := newWorld(t)
		everyKind(w)
		w.turn(func() { changeEveryKind(w) })
		w.done(w.stage())
		return
	}
	var j struct {
		Root, Expect string
		Partial      bool
		Limit        uint64
	}
	if err := json.Unmarshal([]byte(job), &j); err != nil {
		t.Fatal(err)
	}
	w := wire(t, gittest.New(t).At(j.Root))
	if j.Limit > 0 {
		w.must(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: j.Limit, Max: j.Limit}))
	}
	r, err := w.engine.Execute(t.Context(), rollback.ExecuteOptions{Expect: j.Expect, Partial: j.Partial})
	report := map[string]any{"code": model.CodeOf(err), "result": r}
	if err == nil {
		report["code"] = ""
	} else {
		report["error"] = err.Error()
	}
	data, err := json.Marshal(report)
	w.must(err)
	w.must(os.WriteFile(filepath.Join(j.Root, ".git", "report"), data, 0o644))
}

type diskReport struct {
	Code   model.Code
	Error  string
	Result *model.Result
}

func (w *world) inChild(uid uint32, job map[string]any) diskReport {
	w.t.Helper()
	job["Root"] = w.Root
	text, err := json.Marshal(job)
	w.must(err)
	child := exec.Command(os.Args[0], "-test.run=^TestDiskChild$", "-test.count=1")
	child.Env = append(os.Environ(), "ROLLBACK_TEST_DISK="+string(text), "GORACE=atexit_sleep_ms=0")
	if uid != 0 {
		tmp, err := os.MkdirTemp("", "rollback-child-")
		w.must(err)
		defer os.RemoveAll(tmp)
		w.must(os.Chmod(tmp, 0o777))
		child.Env = append(child.Env, "TMPDIR="+tmp)
		child.Path = filepath.Join(tmp, "rollback.test") // that of go test lies where only root may look
		program, err := os.ReadFile(os.Args[0])
		w.must(err)
		w.must(os.WriteFile(child.Path, program, 0o755))
		child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	if out, err := child.CombinedOutput(); err != nil {
		w.t.Fatalf("child: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(w.Root, ".git", "report"))
	w.must(err)
	var r diskReport
	w.must(json.Unmarshal(data, &r))
	return r
}

// give makes everything of w the other user's, and lets them reach it.
func (w *world) give(uid int) {
	w.t.Helper()
	w.must(filepath.WalkDir(w.Root, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, uid, uid)
	}))
	for dir := filepath.Dir(w.Root); dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		w.must(os.Chmod(dir, 0o755))
	}
	w.must(os.Chmod(os.TempDir(), 0o755|os.ModeSticky|0o022))
}

// TestFolderThatForbidsNewFiles: a message for that path, the others done with
// partial, nothing written without.
func TestFolderThatForbidsNewFiles(t *testing.T) {
	nobody := uint32(0)
	if os.Getuid() == 0 { // root may write anywhere
		nobody = 65534
	}
	w := newWorld(t)
	w.Write("closed/f", "old\n")
	w.Write("open/f", "old\n")
	w.Commit("base")
	w.turn(func() {
		w.Write("closed/f", "new\n")
		w.Write("open/f", "new\n")
	})
	plan := w.stage()
	w.must(os.Chmod(w.Path("closed"), 0o555))
	if nobody != 0 {
		w.give(int(nobody))
		t.Cleanup(func() { w.give(0) })
	}
	before := w.files()
	r := w.inChild(nobody, map[string]any{"Expect": plan.Fingerprint})
	if r.Code == "" || !strings.Contains(r.Error, "closed") {
		t.Errorf("refused with %s: %s", r.Code, r.Error)
	}
	w.same("not partial", w.files(), before)
	r = w.inChild(nobody, map[string]any{"Expect": plan.Fingerprint, "Partial": true})
	if r.Code != "" || r.Result == nil || r.Result.Outcome != model.OutcomePartial || len(r.Result.Skipped) != 1 || r.Result.Skipped[0].Path != "closed/f" {
		t.Errorf("partial: %+v", r)
	}
	before["open/f"] = "-rw-r--r-- old\n"
	w.same("partial", w.files(), before)
}

// TestWriteThatFails: a file that cannot be written whole (as on a full disk)
// leaves every target as it was.
func TestWriteThatFails(t *testing.T) {
	w := newWorld(t)
	w.Write("small", "old\n")
	w.Write("zbig", strings.Repeat("old line of a big file\n", 100_000))
	w.Commit("base")
	w.turn(func() {
		w.Write("small", "new\n")
		w.Write("zbig", "new\n")
	})
	plan := w.stage()
	before := w.files()
	r := w.inChild(0, map[string]any{"Expect": plan.Fingerprint, "Limit": 1 << 20})
	if r.Code != model.CodeFailed || !strings.Contains(r.Error, "zbig") {
		t.Errorf("%s: %s", r.Code, r.Error)
	}
	w.same("write failed", w.files(), before)
	w.settled()
	w.done(plan)
}
