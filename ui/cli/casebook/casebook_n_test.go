//go:build unix

package casebook_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/model"
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
