//go:build unix

package durable_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// TestMain lets the tests start this binary as a second process.
func TestMain(m *testing.M) {
	switch os.Getenv("DURABLE_CHILD") {
	case "":
		os.Exit(m.Run())
	case "lock":
		if _, err := durable.Acquire(context.Background(), os.Getenv("DURABLE_PATH"), "a long rollback"); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute)
	case "point":
		for range 3 {
			durable.Point("some.other")
			durable.Point("journal.mark")
			fmt.Println("passed")
		}
	case "append":
		for i := range 200 {
			if err := durable.AppendLine(os.Getenv("DURABLE_PATH"), bytes.Repeat([]byte{byte('a' + i%26)}, 300)); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
}

func child(mode string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "DURABLE_CHILD="+mode), env...)
	return cmd
}

func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	path := filepath.Join(dir, "f")
	for _, content := range []string{"one", "", "three"} {
		if err := durable.ReplaceFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("%q, %v; want %q", got, err, content)
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v under umask 077", info.Mode())
	}
	if err := os.Symlink("elsewhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := durable.ReplaceFile(filepath.Join(dir, "link"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "elsewhere")); err == nil {
		t.Error("the link was followed")
	}
	if err := durable.ReplaceFile(dir, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if lines, err := durable.ReadLines(path); lines != nil || err != nil {
		t.Errorf("absent: %q, %v", lines, err)
	}
	if err := os.WriteFile(path, []byte("one\n{\"to"), 0o600); err != nil {
		t.Fatal(err)
	}
	if lines, _ := durable.ReadLines(path); len(lines) != 1 || string(lines[0]) != "one" {
		t.Errorf("torn: %q", lines)
	}
	for _, line := range []string{"two", ""} {
		if err := durable.AppendLine(path, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if lines, _ := durable.ReadLines(path); fmt.Sprintf("%q", lines) != `["one" "{\"to" "two" ""]` {
		t.Errorf("healed: %q", lines)
	}
	if err := durable.AppendLine(path, []byte("a\nb")); err == nil {
		t.Error("a newline was taken")
	}
}

func TestLinesOfSeveralProcessesDoNotMix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if out, err := child("append", "DURABLE_PATH="+path).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		}()
	}
	wg.Wait()
	lines, err := durable.ReadLines(path)
	if err != nil || len(lines) != 600 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines {
		if len(line) != 300 || strings.Trim(string(line), string(line[:1])) != "" {
			t.Fatalf("mixed line %q", line)
		}
	}
}

func TestLockIsNamedAndEndsWithItsHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	cmd := child("lock", "DURABLE_PATH="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	for name, take := range map[string]func() (*durable.Lock, error){
		"try":  func() (*durable.Lock, error) { return durable.TryAcquire(path, "x") },
		"wait": func() (*durable.Lock, error) { return durable.Acquire(ctx, path, "x") },
	} {
		_, err := take()
		if model.CodeOf(err) != model.CodeLocked || !strings.Contains(err.Error(), "a long rollback") ||
			!strings.Contains(err.Error(), fmt.Sprint(cmd.Process.Pid)) || model.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	lock, err := durable.TryAcquire(path, "x")
	if err != nil {
		t.Fatalf("after its holder was killed: %v", err)
	}
	h, err := durable.ReadHolder(path)
	if err != nil || h.PID != os.Getpid() || h.What != "x" || time.Since(h.Started).Abs() > time.Minute {
		t.Errorf("holder %+v, %v", h, err)
	}
	if err := errors.Join(lock.Unlock(), lock.Unlock()); err != nil {
		t.Error(err)
	}
}

func TestLockExcludesWithinOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var wg sync.WaitGroup
	var inside, total atomic.Int32
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			lock, err := durable.Acquire(context.Background(), path, "count")
			if err != nil {
				t.Error(err)
				return
			}
			if inside.Add(1) != 1 {
				t.Error("two are inside")
			}
			time.Sleep(time.Millisecond)
			inside.Add(-1)
			total.Add(1)
			if err := lock.Unlock(); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if total.Load() != 8 {
		t.Errorf("%d of 8", total.Load())
	}
}

func TestPointKillsAtTheNamedPass(t *testing.T) {
	for value, want := range map[string]int{"journal.mark": 0, "journal.mark:1": 0, "journal.mark:3": 2} {
		cmd := child("point", "OVERTURN_FAIL_POINT="+value)
		out, err := cmd.Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Errorf("%s: ended with %v", value, err)
		}
		if got := strings.Count(string(out), "passed"); got != want {
			t.Errorf("%s: passed %d times, want %d", value, got, want)
		}
	}
	if out, err := child("point", "OVERTURN_FAIL_POINT=journal.mark:4").Output(); err != nil || strings.Count(string(out), "passed") != 3 {
		t.Errorf("a point that is not reached: %s %v", out, err)
	}
}

func TestPointWaitsForLeave(t *testing.T) {
	leave := filepath.Join(t.TempDir(), "leave")
	cmd := child("point", "OVERTURN_FAIL_POINT=journal.mark:2=wait:"+leave)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(leave + ".here"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || strings.Count(out.String(), "passed") != 3 {
		t.Errorf("%v: %s", err, &out)
	}
}

func TestPointsAreListed(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	if err := child("point", "OVERTURN_FAIL_POINT=list:"+list).Run(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(list)
	if want := strings.Repeat("some.other\njournal.mark\n", 3); err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb"), []byte("c"))
	f.Add([]byte(""), []byte(""))
	f.Fuzz(func(t *testing.T, before, line []byte) {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		old, err := durable.ReadLines(path)
		if err != nil {
			t.Fatal(err)
		}
		err = durable.AppendLine(path, line)
		if bytes.IndexByte(line, '\n') >= 0 {
			if err == nil {
				t.Fatal("a newline was taken")
			}
			return
		}
		now, rerr := durable.ReadLines(path)
		if err != nil || rerr != nil {
			t.Fatal(err, rerr)
		}
		if len(now) == 0 || !bytes.Equal(now[len(now)-1], line) || !bytes.Equal(bytes.Join(now[:len(old)], nil), bytes.Join(old, nil)) {
			t.Fatalf("%q + %q gave %q", before, line, now)
		}
	})
}
