// Command bench prints how long overturn takes as ratios against plain git, all
// in one run and in turns, since other work on the machine would spoil a
// comparison of two runs. docs/bench/run starts it.
//
// It builds the program, makes its repositories in a folder
// that goes when it ends, and measures whole processes with all syncs on. Times
// of files move between rounds, and of ten changed files two are new.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

type bench struct {
	root     string // of the source
	dir      string // scratch
	overturn string
	rounds   int
	cgo      bool
	payloads []fired
}

func main() {
	rounds := flag.Int("rounds", 15, "rounds of each row")
	rows := flag.String("rows", "hook,capture,rollback,patch,screen,frame", "rows to measure, separated by commas; large is a repository of 100,000 files, growth what 1,000 turns take, turns a thread of 10,000, sync a push of 10,000 records")
	dir := flag.String("dir", "", "scratch folder (default: a new one, removed at the end)")
	binary := flag.String("overturn", "", "measure this program instead of building one")
	cgo := flag.Bool("cgo", false, "build with cgo where there is a C compiler, as a plain go build does; the release has none")
	flag.Parse()
	b := &bench{dir: *dir, rounds: *rounds, overturn: *binary, cgo: *cgo}
	if err := b.run(strings.Split(*rows, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(rows []string) error {
	var err error
	if b.root, err = os.Getwd(); err != nil {
		return err
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "overturn-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.dir)
	}
	if err := b.readPayloads(); err != nil {
		return fmt.Errorf("run it from the root of the source: %w", err)
	}
	if b.overturn == "" {
		b.overturn = filepath.Join(b.dir, "overturn")
		if err := b.build(b.overturn, "."); err != nil {
			return err
		}
	}
	known := map[string]func() error{
		"hook": b.hookRow, "capture": b.captureRows(10_000, 0.75), "large": b.captureRows(100_000, 0.85),
		"rollback": b.rollbackRow, "patch": b.patchRow, "screen": b.screenRow, "frame": b.frameRows,
		"growth": b.growthRow, "turns": b.longRow(10_000), "sync": b.syncRow,
	}
	fmt.Println(machine())
	fmt.Printf("%-58s %6s  %-22s %-22s %s\n", "row", "bar", "wall, median (quartiles)", "processor time", "medians, ms: wall  processor")
	for _, row := range rows {
		measure, ok := known[row]
		if !ok {
			return fmt.Errorf("there is no row %q", row)
		}
		if err := measure(); err != nil {
			return fmt.Errorf("row %s: %w", row, err)
		}
	}
	return nil
}

// build makes one program as "go build" does, without cgo: linking a C library
// that is never called costs each start as much as a Go program takes in all.
func (b *bench) build(out, what string) error {
	cmd := exec.Command("go", "build", "-o", out, what)
	cmd.Dir = b.root
	if !b.cgo {
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if words, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, words)
	}
	return nil
}

// environment is that of all programs that are measured: no configuration of the
// user takes part.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LANG=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=" + os.Getenv("HOME")}
}

func (b *bench) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	// A home for each repository: a session that all payloads name would stay bound
	// to the first.
	cmd.Dir, cmd.Env = dir, append(environment(), "HOME="+dir+"-home")
	return cmd
}

// machine says on what the figures were taken, and how busy it was.
func machine() string {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		load = []byte("unknown")
	}
	git, _ := exec.Command("git", "version").Output()
	return fmt.Sprintf("%s/%s, %d processors, %s, %s, load %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(),
		strings.TrimSpace(string(git)), strings.TrimSpace(string(load)))
}

// print writes one line of the table: ratios of a to the reference.
func (b *bench) print(name string, bar float64, a, reference []figure) {
	fmt.Printf("%-58s %6.2f  %-22s %-22s %.1f/%.1f  %.1f/%.1f\n", name, bar, over(a, reference, wall), over(a, reference, cpu),
		median(a, wall), median(reference, wall), median(a, cpu), median(reference, cpu))
}
