package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"overturn/ui/uitest/ptytest"
)

// marker is in every change, and nowhere else on the screen.
const marker = "changed-by-the-turn"

// startLimit is how long the review may take to show what is waited for.
const startLimit = 2 * time.Minute

// patchRow measures the first patch on the screen of a turn that changed 20,000
// files, from the start of the program, against git printing all of it.
func (b *bench) patchRow() error {
	const files = 20_000
	r, err := newRepo(filepath.Join(b.dir, "patch"), files, 0)
	if err != nil {
		return err
	}
	err = b.turn(r, func() error {
		for _, name := range r.files {
			// about 75 lines each, all of them new
			if err := r.write(name, bytes.Repeat([]byte("\t"+marker+" index buffer handler request\n"), 75)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	refs, err := r.ask("for-each-ref", "--format=%(refname)", "refs/overturn/threads")
	if err != nil {
		return err
	}
	ends := strings.Fields(refs)
	figures, err := race(max(b.rounds/3, 3), []contender{
		{name: "review", measure: func() (figure, error) { return b.firstPatch(r) }},
		{name: "diff-tree", run: func() *exec.Cmd {
			return b.command(r.dir, "git", "diff-tree", "-r", "-p", ends[0], ends[len(ends)-1])
		}},
	})
	if err != nil {
		return err
	}
	b.print(fmt.Sprintf("first patch of %d files / diff-tree -r -p", files), 0.1, figures[0], figures[1])
	return nil
}

// turn records one turn that does what work does, of an agent that reports no
// tools: what changed meanwhile is its own.
func (b *bench) turn(r *repo, work func() error) error {
	if err := b.overturnQuietly(r, "turn", "start", "--thread", "bench"); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return b.overturnQuietly(r, "turn", "end", "--thread", "bench")
}

func (b *bench) review(r *repo) (*ptytest.Session, error) {
	env := append(environment(), "HOME="+r.dir+"-home", "TERM=xterm-256color")
	return ptytest.Start(ptytest.Options{Dir: r.dir, Env: env, Width: 160, Height: 50}, b.overturn)
}

func (b *bench) firstPatch(r *repo) (figure, error) {
	start := time.Now()
	s, err := b.review(r)
	if err != nil {
		return figure{}, err
	}
	defer s.Close()
	if err := s.Wait("@@ -", startLimit); err != nil {
		return figure{}, err
	}
	f := figure{wall: ms(time.Since(start)), cpu: used(s.PID())}
	if err := s.Send("q"); err != nil {
		return f, err
	}
	_, err = s.Exit(startLimit)
	return f, err
}

// screenRow opens one file of a million diff lines and lets the review lie.
func (b *bench) screenRow() error {
	r, err := newRepo(filepath.Join(b.dir, "screen"), 20, 0)
	if err != nil {
		return err
	}
	const lines = 1_000_000
	err = b.turn(r, func() error { return r.write("src/huge.go", huge(lines)) })
	if err != nil {
		return err
	}
	s, err := b.review(r)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Wait(marker, startLimit); err != nil {
		return err
	}
	// in the diff pane to its end and back, so that all of it was shown
	if err := s.Send("<enter>G"); err != nil {
		return err
	}
	if err := s.Wait(fmt.Sprint(marker, " ", lines-1), startLimit); err != nil {
		return err
	}
	if err := s.Send("g"); err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	const still = 5 * time.Second
	before, wrote := used(s.PID()), written(s.PID())
	time.Sleep(still)
	fmt.Printf("%-58s %6s  %.0f MB now, %.0f MB at most\n", fmt.Sprintf("resident memory, %d diff lines", lines), "150 MB",
		status(s.PID(), "VmRSS"), status(s.PID(), "VmHWM"))
	fmt.Printf("%-58s %6s  %.0f ms of processor time, %d bytes written in %v\n", "idle", "0", used(s.PID())-before, written(s.PID())-wrote, still)
	if err := s.Send("q"); err != nil {
		return err
	}
	_, err = s.Exit(startLimit)
	return err
}

func huge(lines int) []byte {
	var out bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&out, "\t%s %d\n", marker, i)
	}
	return out.Bytes()
}

// used is the processor time of a process that runs, in ms, to the tick of 10 ms;
// utime and stime of proc(5).
func used(pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if err != nil || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return float64(user+system) * 10
}

func written(pid int) int64 { return int64(field(fmt.Sprintf("/proc/%d/io", pid), "wchar")) }

// status is a size of /proc/PID/status, in MB.
func status(pid int, name string) float64 {
	return field(fmt.Sprintf("/proc/%d/status", pid), name) / 1024
}

func field(path, name string) float64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(data), "\n") {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return n
		}
	}
	return 0
}
