package rollback_test

import (
	"fmt"
	"testing"
)

// BenchmarkStagePlan stages a turn that changed 1,000 files, and works it out.
func BenchmarkStagePlan(b *testing.B) {
	w := newStaging(b)
	for i := range 1000 {
		w.Write(fmt.Sprintf("d%d/f%d", i%20, i), lines(200, fmt.Sprintf("7=%d", i)))
	}
	w.Commit("first")
	w.start("t", false)
	for i := range 1000 {
		w.Write(fmt.Sprintf("d%d/f%d", i%20, i), lines(200, fmt.Sprintf("7=%d", i), "50=x", "150=y"))
	}
	w.end("t")
	b.Run("stage", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.engine.Stage(b.Context(), w.request("1")); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plan", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := w.engine.Plan(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
