package outgoing_test

import (
	"path/filepath"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/redact"
)

// BenchmarkRecords redacts 500 records in which nothing is found, for the first time and
// with the cache, as each push of a queue does.
func BenchmarkRecords(b *testing.B) {
	bench := storetest.NewBench(b, refstore.Open)
	var tips []string
	w := bench.Context.Objects.NewWriter()
	for n := range 500 {
		rec := bench.Record(b, n+1)
		tree, err := checkpoint.WriteTree(w, rec, nil)
		if err != nil {
			b.Fatal(err)
		}
		tip, err := w.WriteCommit(objects.Commit{Tree: tree, Message: "Checkpoint " + string(rec.ID()) + "\n"})
		if err != nil {
			b.Fatal(err)
		}
		tips = append(tips, tip)
	}
	if err := w.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	redactor, err := redact.New(redact.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all := func(cache string) {
		out := outgoing.New(outgoing.Options{Objects: bench.Context.Objects, Redactor: redactor, Cache: cache})
		for _, tip := range tips {
			if _, _, err := out.Outgoing(b.Context(), tip); err != nil {
				b.Fatal(err)
			}
		}
		if err := out.Save(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			all("")
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(tips)), "µs/record")
	})
	b.Run("cached", func(b *testing.B) {
		cache := filepath.Join(b.TempDir(), "outgoing")
		all(cache)
		for b.Loop() {
			all(cache)
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(tips)), "µs/record")
	})
}
