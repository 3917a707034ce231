//go:build unix

package durable_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"overturn/model/durable"
)

// Whatever stands in the place of a file of ours, reading comes back.
func TestReadingWaitsForNobody(t *testing.T) {
	dir := t.TempDir()
	fifo, link, file := filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	want := bytes.Repeat([]byte("line\n"), 5000)
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.Symlink(fifo, link), os.WriteFile(file, want, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, link, dir, os.DevNull} {
		if data, err := durable.ReadFile(path); err == nil {
			t.Errorf("%s was read: %q", path, data)
		}
		if lines, err := durable.ReadLines(path); err == nil {
			t.Errorf("%s was read: %q", path, lines)
		}
	}
	if data, err := durable.ReadFile(file); err != nil || !bytes.Equal(data, want) {
		t.Errorf("%d bytes, want %d: %v", len(data), len(want), err)
	}
	if data, err := durable.ReadFile("/proc/self/stat"); err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		t.Errorf("a file that does not know its size: %q, %v", data, err)
	}
	if _, err := durable.ReadFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}

// A file that is no file of ours, by its size, does not fill memory: it is told.
func TestReadingHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(path, []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, durable.Limit+1); err != nil { // a hole: it takes no room on disk
		t.Fatal(err)
	}
	if data, err := durable.ReadFile(path); err == nil || !strings.Contains(err.Error(), "larger than 1 GiB") || len(data) > 0 {
		t.Errorf("%d bytes were read: %v", len(data), err)
	}
	if lines, err := durable.ReadLines(path); err == nil || len(lines) > 0 {
		t.Errorf("%d lines were read: %v", len(lines), err)
	}
}
