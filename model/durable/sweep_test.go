package durable_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/model/durable"
)

// TestSweepTemps: what a killed call left goes, and nothing else.
func TestSweepTemps(t *testing.T) {
	dir := t.TempDir()
	names := []string{".f.tmp-123", "f", ".f.tmp", ".ff.tmp-1", "f.tmp-9"}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".f.tmp-folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	durable.SweepTemps(filepath.Join(dir, "f"))
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != len(names) {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, names[0])); !os.IsNotExist(err) {
		t.Error("the temporary file stays")
	}
}

// TestSweepStale: files and folders of killed processes go, by their names and age.
func TestSweepStale(t *testing.T) {
	dir, old := t.TempDir(), time.Now().Add(-time.Hour)
	stays := map[string]bool{"table-1.tmp": false, "convert-2.tmp/index": false, "table": true, "table-3": true, "other-4.tmp": true, "young": true, "convert-5.tmp/index": true}
	for name := range stays {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		aged, _, _ := strings.Cut(name, "/")
		if name == "convert-5.tmp/index" {
			continue
		}
		if err := os.Chtimes(filepath.Join(dir, aged), old, old); err != nil {
			t.Fatal(err)
		}
	}
	durable.SweepStale(dir, time.Now().Add(-time.Minute), "table-", "convert-")
	for name, want := range stays {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v, stays %v", name, err, want)
		}
	}
}
