//go:build unix

package casebook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/ui/cli/clitest"
)

// Group N: scale, cost and retention. Numbers of the book are scaled down: what is
// held is how things grow, not how long they take.
func TestCasebookN(t *testing.T) {
	runCases(t, []caseOf{
		{"N-01", caseHome}, {"N-02", caseGrowth}, {"N-03", caseLitter}, {"N-04", caseLargeTree}, {"N-06", caseHugeFile},
		{"N-08", caseOneLine}, {"N-10", caseManyUntracked}, {"N-12", caseNoMaintenance}, {"N-14", caseRefsGone}, {"N-16", caseWorkTreeAway},
	})
}

// sizeOf is the bytes of the files below a folder.
func (b *book) sizeOf(folder string) (n int64) {
	b.t.Helper()
	err := filepath.WalkDir(filepath.Join(b.GitDir(), folder), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// caseHome: a home, a folder for temporary files or of the system is not captured
// unless that is said to be meant.
func caseHome(b *book) {
	home := b.with("HOME=" + b.Root)
	b.Write(".cache/huge", "a cache\n")
	s := home.exits(5, "turn", "start", "--thread", "T")
	if !strings.Contains(s.stderr, "is a home") || !strings.Contains(s.stderr, "capture.anywhere") {
		b.t.Errorf("said: %s", s.stderr)
	}
	home.exits(5, "run", "--", "true")
	if s := home.fed(`{"event":"turn-start","thread":"T","turn_id":"1","prompt":"p"}`, "hook", "generic"); s.code != 0 || s.stdout != "" {
		b.t.Errorf("hook: %+v", s)
	}
	if refs := b.Git("for-each-ref", "refs/overturn"); refs != "" || b.Git("count-objects") != "0 objects, 0 kilobytes" {
		b.t.Errorf("captured: %s", refs)
	}
	var status struct{ Unprotected string }
	if home.json(0, &status, "status"); !strings.Contains(status.Unprotected, "is a home") {
		b.t.Errorf("status: %+v", status)
	}
	b.with("TMPDIR="+b.Root).exits(5, "turn", "start", "--thread", "T")
	home.with("OVERTURN_CAPTURE_ANYWHERE=true").turn("T", func() { b.Write("a", "meant\n") })
	b.turn("U", func() { b.Write("a", "a project\n") }) // and elsewhere nothing is asked
}

// caseGrowth: contents are stored once, the store of many turns of one large file stays
// far below its versions, and prune brings it down to what is kept.
func caseGrowth(b *book) {
	const turns, lines = 24, 8000
	rnd := rand.New(rand.NewPCG(1, 1))
	text := make([]string, lines)
	for i := range text {
		text[i] = fmt.Sprintf("%d %x", i, rnd.Uint64())
	}
	size := int64(len(strings.Join(text, "\n")))
	for n := range turns {
		b.turn("T", func() {
			text[n*97%lines] = fmt.Sprint("turn ", n)
			b.Write("large", strings.Join(text, "\n"))
		})
	}
	b.ok("diff", "thread", "--stat")
	var p pruned
	b.json(0, &p, "checkpoint", "prune", "--keep", fmt.Sprint(turns))
	if stored := b.sizeOf("objects"); len(p.Removed) > 0 || stored > 2*size {
		b.t.Errorf("%d turns of a file of %d bytes take %d", turns, size, stored)
	}
	b.json(0, &p, "checkpoint", "prune", "--keep", "5", "--now")
	b.Git("gc", "-q", "--prune=now")
	if stored := b.sizeOf("objects"); len(p.Removed) < turns || stored > size {
		b.t.Errorf("5 turns of a file of %d bytes take %d", size, stored)
	}
	b.ok("diff", fmt.Sprintf("%d..%d", turns-5, turns))
	var status struct {
		Storage struct{ Packs, Bytes int64 }
	}
	if b.json(0, &status, "status"); status.Storage.Packs == 0 || status.Storage.Bytes == 0 {
		b.t.Errorf("status tells no size: %+v", status)
	}
}

// caseLitter: what captures leave that are killed in the middle of a large file goes.
func caseLitter(b *book) {
	b.Write("small", "s\n")
	b.turn("T", func() {})
	large := make([]byte, 4<<20)
	for i := range large {
		large[i] = byte(rand.Uint32())
	}
	b.Write("large", string(large))
	before := b.sizeOf("objects")
	for range 10 {
		if s := b.with("OVERTURN_FAIL_POINT=objects.seal.write").overturn("turn", "start", "--thread", "T"); s.code == 0 {
			b.t.Fatal("it was not killed")
		}
		temps, err := filepath.Glob(b.Path(".git/objects/pack/tmp_*"))
		if err != nil || len(temps) == 0 {
			b.t.Fatalf("%v, %v: it was killed elsewhere", temps, err)
		}
		for _, temp := range temps { // a while ago
			at := time.Now().Add(-time.Minute)
			if err := os.Chtimes(temp, at, at); err != nil {
				b.t.Fatal(err)
			}
		}
		if len(temps) > 1 {
			b.t.Errorf("left over are %d files", len(temps))
		}
	}
	if now := b.sizeOf("objects"); now > before+int64(len(large))+1<<16 {
		b.t.Errorf("%d bytes, before %d", now, before)
	}
	b.ok("turns")
	if now := b.sizeOf("objects"); now > before+1<<16 {
		b.t.Errorf("after the next verb %d bytes, before %d", now, before)
	}
	b.Check()
}

// caseLargeTree: what the user's index knows is not read again, large media are left out
// and named, and the turn says what it holds.
func caseLargeTree(b *book) {
	for d := range 6 {
		for f := range 100 {
			b.Write(fmt.Sprintf("src/%d/%d.go", d, f), fmt.Sprint("package p", d, f, "\n"))
		}
	}
	b.Commit("large")
	stored := b.sizeOf("objects")
	b.Write("media/film", strings.Repeat("frame", 300<<10))
	b = b.with("OVERTURN_CAPTURE_MAX_FILE_SIZE=1m")
	b.turn("T", func() { b.Write("src/0/0.go", "package changed\n") })
	turn := b.turnList("T")[0]
	if turn.Status != model.StatusReady || len(turn.Files) != 1 || len(turn.LeftOut) != 1 || turn.LeftOut[0].Path != "media/film" {
		b.t.Errorf("%+v", turn)
	}
	// The blobs of 600 files are in the user's database already, and stay there alone.
	if now := b.sizeOf("objects"); now-stored > 200<<10 {
		b.t.Errorf("%d bytes more", now-stored)
	}
}

// caseHugeFile: a log of gigabytes that grows is left out, named, and never stored.
func caseHugeFile(b *book) {
	b.Write("a", "a\n")
	b.sh("truncate -s 3G log")
	b.turn("T", func() { b.Write("a", "0\n") })
	stored := b.sizeOf("objects")
	for n := range 10 {
		b.turn("T", func() {
			b.sh("truncate -s +1M log")
			b.Write("a", fmt.Sprint(n+1, "\n"))
		})
	}
	if grown := b.sizeOf("objects") - stored; grown > 100<<10 {
		b.t.Errorf("the store grew by %d bytes", grown)
	}
	turn := b.turnList("T")[10]
	if len(turn.LeftOut) != 1 || turn.LeftOut[0].Path != "log" {
		b.t.Errorf("%+v", turn.LeftOut)
	}
	b.ok("stage", "thread") // the helper would read the log
	b.ok("rollback", "--expect", b.plan().Fingerprint)
	if info, err := os.Stat(b.Path("log")); err != nil || info.Size() != 3<<30+10<<20 {
		b.t.Errorf("the log is %v, %v", info, err)
	}
}

// caseOneLine: a file of one long line that is rewritten costs a bounded multiple of
// its size in memory, and what is kept of it is objects and refs.
func caseOneLine(b *book) {
	const size = 24 << 20
	b.Write("one.json", strings.Repeat("[1,2,3],", size/8))
	b.turn("T", func() { b.Write("one.json", strings.Repeat("[1,2,4],", size/8)) })
	for _, args := range [][]string{{"diff", "latest", "--stat"}, {"show", "1"}, {"--json", "diff", "latest"}} {
		if rss := b.peak(args...); rss > 14*size {
			b.t.Errorf("%v took %d MiB", args, rss>>20)
		}
	}
	if n := b.sizeOf("overturn"); n > 100<<10 {
		b.t.Errorf("%d bytes beside the objects", n)
	}
}

// caseManyUntracked: what is written down of a turn does not grow with the untracked
// files that were there all along.
func caseManyUntracked(b *book) {
	const turns = 25 // what flushes stored as it is has been joined, and compressed, by then
	written := func(files int) int64 {
		c := bookOf(b.t, gittest.New(b.t))
		c.Write("a", "a\n")
		c.Commit("base")
		for f := range files {
			c.Write(fmt.Sprintf("out/%d/%d", f%50, f), "")
		}
		c.turn("T", func() { c.Write("a", "0\n") })
		before := c.sizeOf("overturn/ledger") + c.sizeOf("objects")
		for n := range turns {
			c.turn("T", func() { c.Write("a", fmt.Sprint(n+1, "\n")) })
		}
		return c.sizeOf("overturn/ledger") + c.sizeOf("objects") - before
	}
	few, many := written(400), written(1600)
	if many > few*3/2 || many > turns*(1<<20)/50 {
		b.t.Errorf("%d turns write %d bytes beside 400 untracked files, %d beside 1,600", turns, few, many)
	}
}

// caseNoMaintenance: whatever the user's settings ask for, no gc and no maintenance is
// started by what overturn runs.
func caseNoMaintenance(b *book) {
	for _, set := range []string{"gc.auto=1", "gc.autoPackLimit=1", "gc.autoDetach=true", "maintenance.auto=true", "maintenance.strategy=incremental"} {
		key, value, _ := strings.Cut(set, "=")
		b.Git("config", key, value)
	}
	log := filepath.Join(b.t.TempDir(), "argv")
	b = b.with("OVERTURN_ARGV_LOG=" + log)
	for n := range 21 {
		b.turn("T", func() { b.Write(fmt.Sprint("f", n%5), fmt.Sprint(n, "\n")) })
	}
	b.rollback("latest")
	b.ok("undo")
	b.ok("checkpoint", "prune", "--keep", "30")
	data, err := os.ReadFile(log)
	if err != nil {
		b.t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var args []string
		if err := json.Unmarshal(line, &args); err != nil {
			b.t.Fatal(err)
		}
		for _, arg := range args {
			if arg == "gc" || arg == "maintenance" || arg == "repack" || arg == "prune" || arg == "--auto" {
				b.t.Errorf("git %v was run", args)
			}
		}
	}
	if out := b.Git("count-objects", "-v"); !strings.Contains(out, "count: 0\n") {
		b.t.Errorf("loose objects were left for the user's gc: %s", out)
	}
	gittest.CheckArgv(b.t, log)
}

// caseRefsGone: refs that are deleted by hand are the truth: lists and sizes follow.
func caseRefsGone(b *book) {
	for n := range 4 {
		b.turn("T", func() { b.Write("a", fmt.Sprint(n, "\n")) })
	}
	b.Git("update-ref", "-d", "refs/overturn/threads/VA/turn/2")
	b.Git("update-ref", "-d", strings.Fields(b.Git("for-each-ref", "--format=%(refname)", "refs/overturn/checkpoints"))[0])
	var list struct{ Checkpoints []struct{ Turn int } }
	if b.json(0, &list, "checkpoint", "list"); len(list.Checkpoints) != 3 {
		b.t.Errorf("%+v", list)
	}
	turns := b.turnList("T")
	if len(turns) != 4 || turns[1].Status != model.StatusMissing || turns[2].Status != model.StatusMissing || turns[3].Status != model.StatusReady {
		b.t.Errorf("%+v", turns)
	}
	b = b.with(forOld)
	var p pruned
	b.json(0, &p, "checkpoint", "prune", "--keep", "1")
	b.json(0, &p, "checkpoint", "prune", "--keep", "1")
	if len(p.Removed) > 0 {
		b.t.Errorf("pruning does not come to an end: %+v", p)
	}
	b.turn("T", func() { b.Write("a", "next\n") })
	b.ok("diff", "latest")
	b.Check()
}

// caseWorkTreeAway: a work tree that is not where it was is no work tree that was
// removed. Its snapshots go when somebody says so, by the rule that holds for all.
func caseWorkTreeAway(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Git("worktree", "add", "-q", "../away", "-b", "away")
	away := *b
	away.dir = filepath.Join(filepath.Dir(b.Root), "away")
	for n := range 3 {
		away.turn("T", func() { away.sh(fmt.Sprintf("echo %d > a", n)) })
	}
	before := refsOf(b)
	hidden := away.dir + "-hidden"
	if err := os.Rename(away.dir, hidden); err != nil {
		b.t.Fatal(err)
	}
	b.turn("M", func() { b.Write("a", "main\n") })
	b.ok("threads")
	b.ok("checkpoint", "prune")
	if err := os.Rename(hidden, away.dir); err != nil {
		b.t.Fatal(err)
	}
	now := strings.Join(refsOf(b), " ")
	for _, ref := range before {
		if !strings.Contains(now, ref) {
			b.t.Errorf("%s is gone", ref)
		}
	}
	away.ok("diff", "thread")
	// Removed for good: on request, by age and number as everywhere.
	b.Git("worktree", "remove", "--force", away.dir)
	var p pruned
	b.with(forOld).json(0, &p, "checkpoint", "prune", "--keep", "1")
	if len(p.Removed) < 4 || !strings.HasSuffix(fmt.Sprint(p.Kept), "thread}]") {
		b.t.Errorf("%+v", p)
	}
	if gone := strings.Join(refsOf(b), " "); !strings.Contains(gone, "VA/turn/3") || strings.Contains(gone, "VA/turn/1") {
		b.t.Errorf("left are %s", gone)
	}
}

// peak is the most memory that a call of overturn had, in bytes.
func (b *book) peak(args ...string) int64 {
	b.t.Helper()
	cmd := exec.Command(clitest.Bin(), args...)
	cmd.Dir, cmd.Env = b.dir, b.env
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("%v: %v\n%s", args, err, out[:min(len(out), 1000)])
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}
