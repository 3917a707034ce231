// Command capture measures whole captures: it finds the repository, captures,
// commits, flushes, moves a ref and saves the stat table, once, as the hook does.
// With -bench it runs itself N times against git, interleaved, and prints ratios of
// medians.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/pprof"
	"sort"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
)

func main() {
	debug.SetGCPercent(400) // as the product's main does
	dir := flag.String("C", ".", "repository")
	rounds := flag.Int("bench", 0, "rounds against git status")
	edits := flag.Int("edits", 0, "tracked files to change before each capture, with -bench and -profile")
	profile := flag.String("profile", "", "write a CPU profile of 20 captures")
	steps := flag.Bool("steps", false, "print the time of each step")
	flag.Parse()
	var err error
	switch {
	case *rounds > 0:
		err = bench(*dir, *rounds, *edits)
	case *profile != "":
		err = profiled(*dir, *profile, *edits)
	default:
		err = once(*dir, *steps)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func environment() gitops.Env {
	return gitops.Env{Getenv: os.Getenv, Environ: os.Environ(), Clock: time.Now}
}

func once(dir string, steps bool) error {
	ctx := context.Background()
	last := time.Now()
	step := func(name string) {
		if steps {
			fmt.Fprintf(os.Stderr, "%-8s %6.2f ms\n", name, float64(time.Since(last).Microseconds())/1000)
			last = time.Now()
		}
	}
	repo, err := gitops.Find(ctx, dir, environment())
	if err != nil {
		return err
	}
	step("find")
	objs, store := objects.Open(repo), refs.New(repo)
	defer objs.Close()
	eng := snapshot.New(repo, objs, store, snapshot.Options{Clock: time.Now})
	w := objs.NewWriter()
	snap, err := eng.Capture(ctx, w)
	if err != nil {
		return err
	}
	step("capture")
	commit, err := eng.WriteCommit(ctx, w, snap, snapshot.Trailers{Thread: "bench", Turn: 1, Boundary: "end"}, nil)
	if err != nil {
		return err
	}
	step("commit")
	if err := w.Flush(ctx); err != nil {
		return err
	}
	step("flush")
	const ref = "refs/overturn/threads/YmVuY2g/turn/1"
	old, err := store.Read(ctx, ref)
	if err != nil {
		return err
	}
	if err := store.Apply(ctx, []refs.Update{{Name: ref, Old: old, New: commit}}); err != nil {
		return err
	}
	step("ref")
	err = snap.Published(commit)
	step("table")
	return err
}

func profiled(dir, path string, edits int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	for round := range 20 {
		if err := edit(dir, edits, round); err != nil {
			return err
		}
		if err := once(dir, false); err != nil {
			return err
		}
	}
	return nil
}

// edit rewrites n tracked files.
func edit(dir string, n, round int) error {
	out, err := exec.Command("sh", "-c", fmt.Sprintf("cd '%s' && git ls-files | shuf -n %d --random-source=<(yes %d)", dir, n, round)).Output()
	if err != nil {
		out, err = exec.Command("bash", "-c", fmt.Sprintf("cd '%s' && git ls-files | shuf -n %d", dir, n)).Output()
	}
	if err != nil {
		return err
	}
	start := 0
	for i, c := range out {
		if c != '\n' {
			continue
		}
		path := dir + "/" + string(out[start:i])
		start = i + 1
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if err := os.WriteFile(path, append(data, fmt.Sprintf("edit %d %d\n", round, i)...), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// timed returns wall and processor time in milliseconds. The latter counts what
// the process and its children used, and stands when the machine is busy.
func timed(name string, args ...string) (wall, cpu float64, err error) {
	start := time.Now()
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err = cmd.Run(); err == nil {
		cpu = float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Microseconds()) / 1000
	}
	return float64(time.Since(start).Microseconds()) / 1000, cpu, err
}

const tempIndex = `cd "$1" && export GIT_INDEX_FILE=$(mktemp -u) GIT_AUTHOR_NAME=o GIT_AUTHOR_EMAIL=o@x GIT_COMMITTER_NAME=o GIT_COMMITTER_EMAIL=o@x && git read-tree HEAD && git add -A && t=$(git write-tree) && c=$(git commit-tree -m x $t) && git update-ref refs/bench/t3 $c; rm -f $GIT_INDEX_FILE`

func bench(dir string, rounds, edits int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	names := []string{"git status", "capture", "temp index"}
	times, cpus := make([][]float64, len(names)), make([][]float64, len(names))
	for round := range rounds {
		if err := edit(dir, edits, round); err != nil {
			return err
		}
		time.Sleep(150 * time.Millisecond) // past the grain of the clocks, as between turns
		for k := range names {
			var ms, cpu float64
			var err error
			switch k {
			case 0:
				ms, cpu, err = timed("git", "-C", dir, "--no-optional-locks", "status", "--porcelain")
			case 1:
				ms, cpu, err = timed(self, "-C", dir)
			case 2:
				if round > 2 {
					continue
				}
				ms, cpu, err = timed("sh", "-c", tempIndex, "sh", dir)
			}
			if err != nil {
				return err
			}
			times[k], cpus[k] = append(times[k], ms), append(cpus[k], cpu)
		}
	}
	base, baseCPU := median(times[0]), median(cpus[0])
	for k, name := range names {
		m, c := median(times[k]), median(cpus[k])
		fmt.Printf("%-12s wall %8.1f ms  %.2f of status   cpu %8.1f ms  %.2f of status\n", name, m, m/base, c, c/baseCPU)
	}
	fmt.Printf("capture is %.3f of the temp index\n", median(times[1])/median(times[2]))
	return nil
}

func median(list []float64) float64 {
	sort.Float64s(list)
	return list[len(list)/2]
}
