//go:build linux || darwin

package rollback_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/rollback"
)

// BenchmarkRollback is a durable rollback of N of 2,000 files, plan, safety
// snapshot, journal and reading back included, against `git checkout-index -f -z
// --stdin` of the same files in the same round; "ratio" is the median of the
// rounds.
func BenchmarkRollback(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchRollback(b, n) })
	}
}

func benchRollback(b *testing.B, n int) {
	w := newWorld(b)
	text := func(i int, what string) string {
		return strings.Repeat(fmt.Sprintf("%s line of file %d\n", what, i), 80)
	}
	var all []string
	for i := range 2000 {
		name := fmt.Sprintf("d%02d/e%d/file%d.go", i%40, i%3, i)
		all = append(all, name)
		w.Write(name, text(i, "old"))
	}
	w.Git("add", "-A")
	w.Commit("base")
	picked := all[:n]
	change := func() {
		for i, name := range picked {
			w.Write(name, text(i, "new"))
		}
	}
	w.turn(change)
	var ours, gits, ratios []time.Duration
	for b.Loop() {
		plan := w.stage()
		started := time.Now()
		if _, err := w.engine.Execute(b.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint}); err != nil {
			b.Fatal(err)
		}
		mine := time.Since(started)
		change()
		child := exec.Command("git", "checkout-index", "-f", "-z", "--stdin")
		child.Dir, child.Stdin = w.Root, strings.NewReader(strings.Join(picked, "\x00")+"\x00")
		child.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0")
		started = time.Now()
		if out, err := child.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		git := time.Since(started)
		if w.Read(picked[0]) != text(0, "old") {
			b.Fatal("git did not put the file back")
		}
		change()
		ours, gits, ratios = append(ours, mine), append(gits, git), append(ratios, 1000*mine/git)
	}
	median := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[len(d)/2]) }
	b.ReportMetric(median(ours)/1e6, "ms/rollback")
	b.ReportMetric(median(gits)/1e6, "ms/checkout-index")
	b.ReportMetric(median(ratios)/1000, "ratio")
}
