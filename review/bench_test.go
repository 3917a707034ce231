package review_test

import (
	"fmt"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/review"
	"overturn/review/patch"
)

// changedFiles is the size of the change that the bars are set for.
const changedFiles = 20000

// bigTurn is a turn that changed 20,000 files of 40 lines each.
func bigTurn(b *testing.B) *fixture {
	b.Helper()
	f := newFixture(b, gittest.New(b, gittest.Unchecked()))
	write := func(round int) {
		for i := range changedFiles {
			f.Write(fmt.Sprintf("dir%03d/sub%d/file%05d.txt", i/100, i/20%5, i), fmt.Sprintf("file %d round %d\n", i, round)+lines(1, 40))
		}
	}
	write(0)
	f.Commit("first")
	f.turn("t", func() { write(1) })
	return f
}

// gitTime is how long `git diff-tree -r -p` takes between the sides: the bar is a
// tenth of it.
func gitTime(f *fixture) time.Duration {
	cs := f.compare("1")
	best := time.Hour
	for range 3 {
		began := time.Now()
		f.Git("diff-tree", "-r", "-p", cs.Base.Tree, cs.Target.Tree)
		best = min(best, time.Since(began))
	}
	return best
}

func BenchmarkCompare(b *testing.B) {
	f := bigTurn(b)
	benchAll(b, f, gitTime(f))
}

func benchAll(b *testing.B, f *fixture, git time.Duration) {
	scope := f.scope("1")
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(git), "of-git")
	}
	b.Run("List", func(b *testing.B) {
		for b.Loop() {
			cs, err := f.review.Compare(b.Context(), scope)
			if err != nil || len(cs.Files) != changedFiles {
				b.Fatal(len(cs.Files), err)
			}
		}
		report(b)
	})
	b.Run("FirstDiff", func(b *testing.B) {
		for b.Loop() {
			_, err := f.review.CompareFunc(b.Context(), scope, func(cs *review.ChangeSet, file *review.File) bool {
				if d, err := f.review.Diff(b.Context(), cs, file, patch.Options{}); err != nil || len(d.Hunks) != 1 {
					b.Fatal(err)
				}
				return false
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		report(b)
	})
	b.Run("ListAndOwners", func(b *testing.B) {
		for b.Loop() {
			cs, err := f.review.Compare(b.Context(), scope)
			if err != nil {
				b.Fatal(err)
			}
			for _, file := range cs.Files {
				if _, _, err = f.review.Owner(b.Context(), cs, file); err != nil {
					b.Fatal(err)
				}
			}
		}
		report(b)
	})
	b.Run("Fresh", func(b *testing.B) {
		for b.Loop() {
			again := newFixture(b, f.Repo)
			if _, err := again.review.Compare(b.Context(), scope); err != nil {
				b.Fatal(err)
			}
		}
		report(b)
	})
}
