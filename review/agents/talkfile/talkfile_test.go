package talkfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents/talkfile"
)

const childEnv = "TALKFILE_CHILD"

// TestMain plays the process that is killed: it replaces the file that is named.
func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		f, _, err := talkfile.Take(path, filepath.Join(filepath.Dir(path), "kept"))
		if err == nil {
			err = f.Replace([]byte("one\n"))
		}
		if err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// beside lists what lies beside the file, hidden or not.
func beside(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestReplaceKeepsACopyAndTheMode(t *testing.T) {
	dir := t.TempDir()
	path, link, kept := filepath.Join(dir, "talk"), filepath.Join(dir, "link"), filepath.Join(dir, "kept")
	write(t, path, "one\ntwo\n")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	f, copy, err := talkfile.Take(link, kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Replace([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if read(t, path) != "one\n" || read(t, copy) != "one\ntwo\n" || beside(t, path) != "kept link talk" {
		t.Errorf("file %q, copy %q, folder %s", read(t, path), read(t, copy), beside(t, path))
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	again, copy2, err := talkfile.Take(path, kept)
	if err != nil || string(again.Data) != "one\n" || copy2 == copy {
		t.Errorf("taken again: %q as %s, %v", again.Data, copy2, err)
	}
}

func TestReplaceRefusesWhatWasWrittenMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk")
	write(t, path, "one\ntwo\n")
	f, _, err := talkfile.Take(path, filepath.Join(filepath.Dir(path), "kept"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "one\ntwo\nthree\n")
	if err := f.Replace([]byte("one\n")); model.CodeOf(err) != model.CodeRefused || model.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	if read(t, path) != "one\ntwo\nthree\n" || beside(t, path) != "kept talk" {
		t.Errorf("%q in %s", read(t, path), beside(t, path))
	}
}

// TestKilledAtEveryPoint: whatever point a replacement is killed at, the file is as it
// was or as it was to be, its copy is there once it is not as it was, and the next
// replacement leaves nothing beside it.
func TestKilledAtEveryPoint(t *testing.T) {
	for _, point := range []string{"talkfile.keep.mkdir", "durable.replacefile.create:1", "durable.replacefile.rename:1",
		"talkfile.replace.link", "durable.replacefile.create:2", "durable.replacefile.rename:2", "talkfile.remove.remove"} {
		path := filepath.Join(t.TempDir(), "talk")
		write(t, path, "one\ntwo\n")
		child := func(env ...string) error {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(append(os.Environ(), childEnv+"="+path), env...)
			return cmd.Run()
		}
		if err := child("OVERTURN_FAIL_POINT=" + point); err == nil {
			t.Errorf("%s: it was not killed", point)
		}
		switch read(t, path) {
		case "one\ntwo\n":
		case "one\n":
			copies, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "kept", "*-talk"))
			if len(copies) != 1 || read(t, copies[0]) != "one\ntwo\n" {
				t.Errorf("%s: replaced, and the copies are %v", point, copies)
			}
			write(t, path, "one\nmore\n") // the agent goes on with it
		default:
			t.Errorf("%s: %q", point, read(t, path))
		}
		if err := child(); err != nil {
			t.Errorf("%s: run again: %v", point, err)
		}
		if read(t, path) != "one\n" || beside(t, path) != "kept talk" {
			t.Errorf("%s: run again: %q in %s", point, read(t, path), beside(t, path))
		}
	}
}

// TestWhatAReplacedFileHoldsMore stays, and is named.
func TestWhatAReplacedFileHoldsMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk")
	was := filepath.Join(filepath.Dir(path), ".overturn-talk.was")
	write(t, path, "one\n")
	write(t, was, "one\ntwo\nthree\n")
	_, _, err := talkfile.Take(path, filepath.Join(filepath.Dir(path), "kept"))
	if model.CodeOf(err) != model.CodeRefused || !strings.Contains(err.Error(), was) {
		t.Errorf("%v", err)
	}
	if read(t, path) != "one\n" || read(t, was) != "one\ntwo\nthree\n" {
		t.Error("something was written")
	}
}

func TestMakeAndUnmake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new")
	text := []byte("text\n")
	for range 2 {
		if err := talkfile.Make(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := talkfile.Make(path, []byte("other\n"), 0o600); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("over another: %v", err)
	}
	write(t, path, "text\nmore\n")
	if gone, err := talkfile.Unmake(path, talkfile.Sum(text)); gone || err != nil {
		t.Errorf("one that went on: %v, %v", gone, err)
	}
	write(t, path, "text\n")
	for range 2 {
		if gone, err := talkfile.Unmake(path, talkfile.Sum(text)); !gone || err != nil {
			t.Errorf("%v, %v", gone, err)
		}
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it is still there")
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := talkfile.Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	if _, err := talkfile.Read(dir); err == nil {
		t.Error("a folder was read")
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := bytes.Join(talkfile.Lines(data), nil); !bytes.Equal(got, data) {
			t.Errorf("%q became %q", data, got)
		}
	})
}
