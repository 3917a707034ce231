//go:build system && linux && amd64

package faulttest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"overturn/ui/cli/faulttest"
)

// script is what the tests of the supervisor watch: a shell, which starts others.
func script(t *testing.T, text string, decide func(*faulttest.Call) faulttest.Verdict) (faulttest.Said, string) {
	t.Helper()
	root := t.TempDir()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sh, "-c", text)
	cmd.Dir, cmd.Env = root, os.Environ()
	said, err := faulttest.Watch(cmd, root, decide)
	if err != nil {
		t.Fatal(err)
	}
	return said, root
}

// TestCallsAreSeen: each call, with its arguments, and none of what is elsewhere.
func TestCallsAreSeen(t *testing.T) {
	var seen []string
	said, root := script(t, "cd /; cd - >/dev/null; printf 'abc' > f; printf 'def' >> f; mkdir d; mv f d/g; ln -s x l; ln d/g h; chmod 700 h; rm l; sync -d d/g; echo out; echo elsewhere > /dev/null",
		func(c *faulttest.Call) faulttest.Verdict {
			seen = append(seen, c.String())
			return faulttest.Go()
		})
	got := strings.ReplaceAll(strings.Join(seen, "\n"), root+"/", "")
	want := "openat f\nwrite f 0+3\nopenat f\nwrite f 3+3\nmkdirat d\nrenameat2 f -> d/g\nsymlinkat l\nlinkat d/g -> h\nfchmod h\nunlinkat l\nfsync d/g\nreport "
	if said.Code != 0 || said.Stdout != "out\n" || !strings.HasPrefix(got, want) {
		t.Errorf("%+v: seen\n%s\nwant\n%s", said, got, want)
	}
}

// TestVerdicts: a call that fails, one that writes half, and a kill that reaches
// those whom the program started.
func TestVerdicts(t *testing.T) {
	on := func(name string, v faulttest.Verdict) func(*faulttest.Call) faulttest.Verdict {
		return func(c *faulttest.Call) faulttest.Verdict {
			if c.Name == name {
				return v
			}
			return faulttest.Go()
		}
	}
	if said, _ := script(t, "mkdir d", on("mkdirat", faulttest.Fail(unix.EROFS))); said.Code == 0 || !strings.Contains(said.Stderr, "Read-only file system") {
		t.Errorf("mkdir that fails: %+v", said)
	}
	halves := 0
	_, root := script(t, "printf 'abcdef' > f", func(c *faulttest.Call) faulttest.Verdict {
		if c.Name == "write" {
			halves++
			if halves == 1 {
				return faulttest.Short()
			}
		}
		return faulttest.Go()
	})
	if got, err := os.ReadFile(filepath.Join(root, "f")); err != nil || !slices.Contains([]string{"abc", "abcdef"}, string(got)) || halves == 0 {
		t.Errorf("half a write: %q, %v", got, err)
	}
	said, root := script(t, "(mkdir a; mkdir b; mkdir c); mkdir d", func(c *faulttest.Call) faulttest.Verdict {
		if c.Name == "mkdirat" && strings.HasSuffix(c.Path, "/b") {
			return faulttest.Kill()
		}
		return faulttest.Go()
	})
	left, err := os.ReadDir(root)
	if said.Code != -1 || err != nil || len(left) != 1 || left[0].Name() != "a" {
		t.Errorf("a kill: %+v, left %v, %v", said, left, err)
	}
}
