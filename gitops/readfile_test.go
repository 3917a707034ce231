package gitops

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct{ data, want string }{
		{"", ""}, {"a", "a"}, {"a\n", "a\n"}, {"\nb", "\n"}, {"a\nb\n", "a\n"}, {long, long}, {long + "\n" + long, long + "\n"},
		{long[:4<<10] + "\nrest", long[:4<<10] + "\n"}, {long[:4<<10], long[:4<<10]}, {"a\n" + long, "a\n"},
	} {
		if err := os.WriteFile(file, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadLine(file); err != nil || string(got) != c.want {
			t.Errorf("%d bytes: %d read, want %d (%v)", len(c.data), len(got), len(c.want), err)
		}
		if got, err := ReadUpTo(file, 10_000); err != nil || (got == nil) != (len(c.data) > 10_000) || got != nil && string(got) != c.data {
			t.Errorf("%d bytes: %d read (%v)", len(c.data), len(got), err)
		}
		if got, err := ReadFile(file); err != nil || string(got) != c.data {
			t.Errorf("%d bytes: %d read (%v)", len(c.data), len(got), err)
		}
	}
	if _, err := ReadLine(filepath.Join(filepath.Dir(file), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for _, read := range []func(string) ([]byte, error){ReadFile, ReadLine} {
		if _, err := read(filepath.Dir(file)); err == nil || errors.Is(err, ErrNoFile) {
			t.Errorf("a folder: %v", err)
		}
	}
}
