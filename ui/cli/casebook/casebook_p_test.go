//go:build linux || darwin

package casebook_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestCasebookP: crashes, disks and time.
func TestCasebookP(t *testing.T) {
	runCases(t, []caseOf{
		{"P-01", caseWriteFails},
		{"P-02", caseKilledAnywhere},
		{"P-05", casePrivateStateDamaged},
		{"P-09", caseFailedCaptureKeepsTheLast},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// noise is text that does not compress.
func noise(n int) string {
	data := make([]byte, n)
	random := rand.NewChaCha8([32]byte{})
	if _, err := random.Read(data); err != nil {
		panic(err)
	}
	return string(data)
}

// limited runs overturn with a limit on the size of files, in KiB, as a quota or a
// full disk does in the middle of a write.
func (b *book) limited(kib int, args ...string) said {
	b.t.Helper()
	// dash counts in blocks of 512 bytes, bash in KiB.
	script := `ulimit -f $(($1 * 2)); test "$(ulimit -f)" = $(($1 * 2)) || exit 99; shift; exec "$@"`
	cmd := exec.Command("sh", append([]string{"-c", script, "sh", fmt.Sprint(kib), clitest.Bin()}, args...)...)
	cmd.Dir, cmd.Env = b.dir, b.env
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() < 0 {
		b.t.Fatalf("overturn %q: %v", args, err)
	}
	return said{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// caseWriteFails: a write that fails on the way is a failure that is reported, with
// the old content of every file in place; be it of the file itself, of the objects,
// or of the journal, and on the way back too.
func caseWriteFails(b *book) {
	b.Write("even", strings.Repeat("a line of 64 KiB\n", 4000)) // the file, not its object, is large
	b.Write("noise", noise(64<<10))
	b.Write("small", "old\n")
	b.Commit("base")
	b = b.inMemory()
	before := b.world()
	b.turn("T", func() { b.sh("echo agent > even; echo agent > noise; echo agent > small; echo new > new") })
	after := b.world()
	for _, c := range []struct {
		path string
		kib  int
	}{{"even", 32}, {"noise", 32}, {"even", 1}, {"small", 0}, {"new", 0}} {
		p := b.stage("latest", "--", c.path, "small")
		for _, flags := range [][]string{nil, {"--partial"}} {
			s := b.limited(c.kib, append([]string{"--json", "rollback", "--expect", p.Fingerprint}, flags...)...)
			if s.code == 3 && flags != nil && c.kib == 32 { // said, and the rest is done
				if !strings.Contains(s.stdout, `"skipped":[{"path":"`+c.path+`"`) || !strings.Contains(s.stdout, "file too large") {
					b.t.Errorf("%s at %d KiB: %+v", c.path, c.kib, s)
				}
				b.reads("small", "old\n")
				b.undo()
			} else if s.code != 1 || !strings.Contains(s.stderr, "file too large") {
				b.t.Errorf("%s at %d KiB, %q: %+v", c.path, c.kib, flags, s)
			}
			b.restored(after)
			if b.status().ID != "" {
				b.ok("recover", "--unwind")
				b.restored(after)
			}
		}
		b.quiet()
	}
	r := b.rollback("latest")
	b.restored(before)
	if s := b.limited(0, "undo", r.ID); s.code != 1 {
		b.t.Errorf("undo: %+v", s)
	}
	b.restored(before)
	if b.status().ID != "" {
		b.ok("recover", "--unwind")
	}
	b.undo()
	b.restored(after)
}

// caseKilledAnywhere: beside the fail points (crash_test.go), SIGKILL at whatever
// moment. The next start says what was cut short, either way out can be taken, also
// twice, and nothing that was left blocks what comes next.
func caseKilledAnywhere(b *book) {
	t, ok := b.t.(*testing.T)
	if !ok {
		return
	}
	s := newStaged(t)
	print := s.b.plan().Fingerprint
	began := time.Now()
	whole := s.b.copyOf(t)
	whole.ok("rollback", "--expect", print)
	took := time.Since(began)
	for i := range 4 {
		c := s.b.copyOf(t)
		cmd := exec.Command(clitest.Bin(), "rollback", "--expect", print)
		cmd.Dir, cmd.Env = c.dir, c.env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(i+1) / 6)
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		way, want := []string{"finish", "unwind"}[i%2], []ends{s.before, s.after}[i%2]
		if c.status().ID != "" {
			c.killed("recover.settled", "recover", "--"+way)
			c.ok("recover", "--"+way)
			c.ok("recover", "--"+way)
			c.stands(want, s.after)
		}
		c.quiet()
		if c.files()["edit"] == "" || strings.HasSuffix(c.Read("edit"), "four\n") { // it is not back yet
			c.ok("stage", "1")
			c.carry(0)
		}
		c.stands(s.before, s.after)
		c.goesOn("2")
	}
}

// casePrivateStateDamaged: what overturn keeps for itself can be made again. Zeroed,
// cut short or with a folder in its place, the next capture is right.
func casePrivateStateDamaged(b *book) {
	b.sh("mkdir d; for i in 1 2 3 4 5 6 7 8; do echo $i > d/$i; done; printf '*.o\n' > .gitignore; echo x > x.o")
	b.Commit("base")
	b = b.inMemory()
	n := 0
	cycle := func(what string) {
		b.t.Helper()
		n++
		b.turn("T", func() { b.Write("d/1", fmt.Sprint("of turn ", n, "\n")) })
		if turn := b.newest("T"); turn.Turn != n || turn.Status != "ready" || turn.names() != "d/1 modified" || len(b.holds(turn.Ref)) != 9 {
			b.t.Fatalf("%s: %+v", what, turn)
		}
	}
	cycle("at first")
	damages := map[string]func(name string) error{
		"zeroed": func(name string) error {
			info, err := os.Stat(name)
			if err == nil {
				err = os.WriteFile(name, make([]byte, info.Size()), 0o600)
			}
			return err
		},
		"cut": func(name string) error {
			info, err := os.Stat(name)
			if err == nil {
				err = os.Truncate(name, info.Size()*2/3)
			}
			return err
		},
		"empty": func(name string) error { return os.Truncate(name, 0) },
		"a folder": func(name string) error {
			if err := os.Remove(name); err != nil {
				return err
			}
			return os.MkdirAll(filepath.Join(name, "with"), 0o700)
		},
	}
	for how, damage := range damages {
		var files []string
		err := filepath.WalkDir(b.Path(".git/overturn"), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && !strings.HasSuffix(name, ".lock") {
				files = append(files, name)
			}
			return err
		})
		if err != nil || !slices.ContainsFunc(files, func(name string) bool { return filepath.Base(name) == "table" }) {
			b.t.Fatalf("%v, %v", files, err)
		}
		for _, name := range files { // what a capture leans on each by itself, the rest at once
			rel := strings.TrimPrefix(name, b.Path(".git/overturn")+"/")
			if rel == "trace.jsonl" {
				continue
			}
			if err := damage(name); err != nil {
				b.t.Fatal(err)
			}
			if rel == "table" || rel == "clock" {
				cycle(rel + ", " + how)
			}
		}
		cycle("all, " + how)
	}
	for i := 1; i <= n; i++ {
		if turn := b.show("T", fmt.Sprint(i)); turn.Status != "ready" {
			b.t.Errorf("turn %d: %+v", i, turn)
		}
	}
}

// caseFailedCaptureKeepsTheLast: an end that is taken again, and cannot be, leaves
// the one that was there; so does the next turn, whose capture fails.
func caseFailedCaptureKeepsTheLast(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.hook(`{"event":"turn-start","thread":"T","turn_id":"1","prompt":"x"}`)
	b.Write("a", "agent\n")
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	was, refs := b.show("T", "1"), b.Git("for-each-ref")
	b.Write("a", "agent, later\n")
	b.Write("noise", noise(64<<10))
	env := b.env
	failing := func(event string) {
		b.t.Helper()
		cmd := exec.Command("sh", "-c", `ulimit -f 16; exec "$1" hook generic`, "sh", clitest.Bin())
		cmd.Dir, cmd.Env, cmd.Stdin = b.dir, env, strings.NewReader(event)
		if out, err := cmd.Output(); err != nil || len(out) > 0 {
			b.t.Fatalf("hook: %v, %q", err, out)
		}
	}
	failing(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	if now := b.Git("for-each-ref"); now != refs {
		b.t.Errorf("refs were\n%s\nand are\n%s", refs, now)
	}
	if now := b.show("T", "1"); now.End.Tree != was.End.Tree || now.names() != "a modified" {
		b.t.Errorf("turn 1 became %+v", now)
	}
	failing(`{"event":"turn-start","thread":"T","turn_id":"2","prompt":"y"}`)
	b.sh("echo more >> a")
	failing(`{"event":"turn-end","thread":"T","turn_id":"2"}`)
	for _, line := range strings.Split(refs, "\n") {
		if !strings.Contains(b.Git("for-each-ref"), line) {
			b.t.Errorf("%s is gone", line)
		}
	}
	if turn := b.show("T", "2"); turn.Status == "ready" || turn.StatusReason == "" || turn.Files != nil {
		b.t.Errorf("turn 2: %+v", turn)
	}
	b.reads("a", "agent, later\nmore\n")
	b.turn("T", func() { b.sh("echo third >> a") })
	if turn := b.show("T", "3"); turn.Status != "ready" || turn.names() != "a modified" {
		b.t.Errorf("turn 3: %+v", turn)
	}
	b.rollback("3")
	b.reads("a", "agent, later\nmore\n")
}
