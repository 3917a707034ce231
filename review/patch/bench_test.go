package patch

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"
)

// bigPair is a source-like text of n lines, and the same with a part of its lines
// replaced.
func bigPair(n int, part float64) (old, new []byte) {
	r := rand.New(rand.NewSource(5))
	line := func() string {
		if r.Intn(5) == 0 {
			return []string{"", "\t}", "\treturn nil", "}"}[r.Intn(4)]
		}
		return fmt.Sprintf("\tvalue%d := compute(ctx, index, %d)", r.Intn(1<<30), r.Intn(10))
	}
	a := make([]string, n)
	for i := range a {
		a[i] = line()
	}
	b := append([]string(nil), a...)
	for i := range b {
		if r.Float64() < part {
			b[i] = line()
		}
	}
	return []byte(strings.Join(a, "\n") + "\n"), []byte(strings.Join(b, "\n") + "\n")
}

// BenchmarkCompare reports the time of a comparison as a part of what `git diff`
// takes on the same texts in the same run (issue 2 asks for 0.6 at 200,000 lines).
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		lines int
		part  float64
	}{{200000, 0.01}, {20000, 0.5}, {20000, 0.01}} {
		old, new := bigPair(c.lines, c.part)
		dir := b.TempDir()
		gitDiff(b, dir, old, new)
		b.Run(fmt.Sprintf("lines=%d/changed=%g", c.lines, c.part), func(b *testing.B) {
			b.ReportAllocs()
			var ours, git time.Duration
			for b.Loop() {
				start := time.Now()
				Compare(old, new, Options{})
				ours += time.Since(start)
				b.StopTimer()
				start = time.Now()
				gitDiff(b, dir, old, new)
				git += time.Since(start)
				b.StartTimer()
			}
			b.ReportMetric(float64(ours)/float64(git), "of-git-diff")
		})
	}
}

// BenchmarkMerge is a merge of two texts of 200,000 lines that both changed.
func BenchmarkMerge(b *testing.B) {
	base, ours := bigPair(200000, 0.001)
	theirs := append([]byte("first\n"), base...)
	b.ReportAllocs()
	for b.Loop() {
		Merge(base, ours, theirs)
	}
}
