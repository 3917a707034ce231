//go:build unix

package casebook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

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
