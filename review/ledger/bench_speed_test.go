package ledger_test

import (
	"fmt"
	"os/exec"
	"testing"
)

// BenchmarkTurn measures one start and one end on 300 files, 3 of them changed in
// between, each on handles of its own as a hook has them; beside it what git
// status costs there.
func BenchmarkTurn(b *testing.B) {
	bench := newBench(b)
	for i := range 300 {
		bench.Write(fmt.Sprintf("src/%02d/file%03d.txt", i%20, i), fmt.Sprintf("content %d\n", i))
	}
	bench.Commit("three hundred")
	b.Run("git-status", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command("git", "--no-optional-locks", "status", "--porcelain")
			cmd.Dir, cmd.Env = bench.Root, bench.Env.Environ
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v %s", err, out)
			}
		}
	})
	n := 0
	for _, verb := range []string{"start", "end"} {
		b.Run(verb, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				n++
				id := fmt.Sprint(n)
				if verb == "end" {
					bench.start(th, id)
				}
				for i := range 3 {
					bench.Write(fmt.Sprintf("src/%02d/file%03d.txt", i, i), "changed in "+id+"\n")
				}
				side := onRepo(b, bench.Repo, nil)
				b.StartTimer()
				if verb == "start" {
					side.start(th, id)
				} else {
					side.end(th, id)
				}
			}
		})
	}
}
