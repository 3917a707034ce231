//go:build unix

package snapshot_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
)

// BenchmarkCapture measures captures of a work tree of 10,000 files, each with a
// table loaded anew; whole processes are measured by docs/bench/capture.
func BenchmarkCapture(b *testing.B) {
	r := gittest.New(b, gittest.Unchecked())
	for i := range 10_000 {
		r.Write(fmt.Sprintf("d%d/e%d/f%d.go", i%40, i%900, i), fmt.Sprintf("package f%d\n", i))
	}
	r.Commit("all")
	c := newBench(b, r, snapshot.Options{})
	c.capture()
	for _, edits := range []int{0, 10, 1000} {
		b.Run(fmt.Sprintf("%d changed", edits), func(b *testing.B) {
			for round := range b.N {
				b.StopTimer()
				for i := range edits {
					r.Write(fmt.Sprintf("d%d/e%d/f%d.go", i%40, i%900, i), fmt.Sprintf("package f%d // %d %d\n", i, round, time.Now().UnixNano()))
				}
				time.Sleep(30 * time.Millisecond)
				b.StartTimer()
				w := c.objs.NewWriter()
				snap, err := c.eng.Capture(context.Background(), w)
				must(b, err)
				must(b, w.Flush(context.Background()))
				must(b, snap.Discarded())
			}
		})
	}
}
