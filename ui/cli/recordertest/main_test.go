//go:build linux || darwin

package recordertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }

// house is a repository that overturn's binary is run in.
type house struct {
	*gittest.Repo
	t *testing.T
}

// run runs the binary and holds its exit code; out is what it printed.
func (h *house) run(code int, args ...string) (out, said string) {
	h.t.Helper()
	return h.start(code, "", args...)
}

// feed is run with a text on standard input.
func (h *house) feed(stdin string, args ...string) {
	h.t.Helper()
	h.start(0, stdin, args...)
}

func (h *house) start(code int, stdin string, args ...string) (out, said string) {
	h.t.Helper()
	cmd := exec.Command(clitest.Bin(), args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = h.Root, append(clitest.Hermetic(h.Home), "PATH="+os.Getenv("PATH"))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		h.t.Fatal(err)
	}
	if got != code {
		h.t.Fatalf("overturn %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, code, &stdout, &stderr)
	}
	return stdout.String(), stderr.String()
}

// object runs the binary with --json and reads what it printed.
func (h *house) object(into any, args ...string) {
	h.t.Helper()
	out, _ := h.run(0, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		h.t.Fatalf("overturn %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// sums is every file below a folder by its SHA-256; what is overturn's own is left out:
// its state, its refs, and the packs of its captures.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case rel == "overturn" || rel == "refs/overturn":
			return fs.SkipDir
		case d.IsDir() || ours(dir, rel):
			return nil
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		all[rel] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// ours tells whether a file is one of a pack that is kept as overturn's.
func ours(dir, rel string) bool {
	name, ok := strings.CutPrefix(rel, "objects/pack/")
	if !ok {
		return false
	}
	note, err := os.ReadFile(filepath.Join(dir, "objects", "pack", strings.TrimSuffix(name, filepath.Ext(name))+".keep"))
	return err == nil && strings.HasPrefix(string(note), "overturn")
}

func same(t *testing.T, what string, before, after map[string]string) {
	t.Helper()
	for name, sum := range before {
		if after[name] != sum {
			t.Errorf("%s: %s was changed, or is gone", what, name)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s: %s came", what, name)
		}
	}
}
