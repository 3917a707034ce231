package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint/foreign/sqlite"
)

// rows reads a table, a line a row.
func rows(t testing.TB, path, table string, columns ...string) (lines []string, err error) {
	t.Helper()
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	err = db.Rows(table, columns, func(values []string) bool {
		lines = append(lines, strings.Join(values, "|"))
		return true
	})
	return lines, err
}

// The databases of testdata are made by make.py.
func TestRows(t *testing.T) {
	lines, err := rows(t, "testdata/plain.sqlite", "ODD name", "id, of it", "n", "LONG", "later", "none", "real", "blob")
	if err != nil || len(lines) != 121 {
		t.Fatalf("%d rows, %v", len(lines), err)
	}
	for n := range 120 {
		if want := fmt.Sprintf("id-%d|%d|%s||||", n, n*n*n*1000-5, strings.Repeat("x", n*9+1)); lines[n] != want {
			t.Fatalf("row %d: %s\nwant %s", n, lines[n], want)
		}
	}
	if want := "last||é|later|||"; lines[120] != want {
		t.Errorf("%s\nwant %s", lines[120], want)
	}
	for table, want := range map[string]string{"other": "", "nowhere": "", "empty_one": "", "strict_one": "form", "computed": "form"} {
		lines, err := rows(t, "testdata/plain.sqlite", table, "id")
		if len(lines) > 0 || (err != nil) != (want != "") || err != nil && !errors.Is(err, sqlite.ErrFormat) {
			t.Errorf("%s: %q, %v", table, lines, err)
		}
	}
}

// A reader that has enough is not handed more.
func TestEnough(t *testing.T) {
	db, err := sqlite.Open("testdata/plain.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := 0
	if err := db.Rows("odd name", []string{"n"}, func([]string) bool { n++; return n < 50 }); err != nil || n != 50 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// What the log has committed counts, and nothing that was cut short.
func TestLog(t *testing.T) {
	for _, name := range []string{"wal", "torn"} {
		lines, err := rows(t, "testdata/"+name+".sqlite", "t", "id", "title")
		if got := strings.Join(lines, "\n"); err != nil || got != "a|second\nb|in the log alone" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	dir := t.TempDir()
	place(t, dir, "wal.sqlite", "x")
	if lines, err := rows(t, dir+"/x", "t", "title"); err != nil || strings.Join(lines, " ") != "first" {
		t.Errorf("without the log: %q, %v", lines, err)
	}
	if err := os.WriteFile(dir+"/x-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if lines, err := rows(t, dir+"/x", "t", "title"); err != nil || strings.Join(lines, " ") != "first" {
		t.Errorf("with an empty log: %q, %v", lines, err)
	}
}

func place(t testing.TB, dir, from, to string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + from)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, to), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A log that was begun anew, or a database that was written, is told; one that only grew
// is not.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	place(t, dir, "wal.sqlite", "x")
	place(t, dir, "wal.sqlite-wal", "x-wal")
	db, err := sqlite.Open(dir + "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log, err := os.OpenFile(dir+"/x-wal", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	write := func(at int64) {
		if _, err := log.WriteAt([]byte("more"), at); err != nil {
			t.Fatal(err)
		}
	}
	if write(1 << 20); db.Changed() {
		t.Error("a log that grew counts as changed")
	}
	if write(16); !db.Changed() {
		t.Error("a log that was begun anew does not count as changed")
	}
	db, err = sqlite.Open("testdata/plain.sqlite")
	if err != nil || db.Changed() {
		t.Errorf("nothing was written: %v", err)
	}
	db.Close()
	place(t, dir, "plain.sqlite", "y")
	if db, err = sqlite.Open(dir + "/y"); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.Chtimes(dir+"/y", time.Time{}, time.Unix(1, 0)); err != nil || !db.Changed() {
		t.Errorf("a database that was written does not count as changed: %v", err)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	place(t, dir, "make.py", "text")
	if err := os.WriteFile(dir+"/short", []byte("SQLite"), 0o600); err != nil {
		t.Fatal(err)
	}
	place(t, dir, "plain.sqlite", "log of another")
	place(t, dir, "wal.sqlite-wal", "log of another-wal")
	for _, path := range []string{dir + "/text", dir + "/short", dir, "testdata/utf16.sqlite", dir + "/log of another"} {
		if _, err := rows(t, path, "t", "id"); !errors.Is(err, sqlite.ErrFormat) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := rows(t, dir+"/none", "t", "id"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// FuzzDatabase: whatever the bytes are, reading ends, with rows or an error.
func FuzzDatabase(f *testing.F) {
	for _, name := range []string{"wal.sqlite", "torn.sqlite", "utf16.sqlite"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		log, _ := os.ReadFile("testdata/" + name + "-wal")
		f.Add(data, log)
	}
	f.Fuzz(func(t *testing.T, data, log []byte) {
		path := filepath.Join(t.TempDir(), "x")
		if os.WriteFile(path, data, 0o600) != nil || os.WriteFile(path+"-wal", log, 0o600) != nil {
			t.Fatal("cannot write")
		}
		lines, err := rows(t, path, "t", "id", "title")
		if err == nil && len(lines) > len(data)+len(log) {
			t.Errorf("%d rows out of %d bytes", len(lines), len(data)+len(log))
		}
	})
}
