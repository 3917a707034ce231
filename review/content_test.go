package review_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review"
	"overturn/review/patch"
)

func TestKindsOfChange(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("a-mode", "1\n")
	f.Write("b-type", "target")
	f.Write("c-gone", "")
	f.Symlink("one", "d-link")
	f.Write("e-binary", "\x00one")
	f.Write("f-space", "a  b\nc\n")
	f.Write("g-dir/file", "1\n")
	f.Write("h-swap", "1\n")
	f.Commit("first")
	f.turn("t", func() {
		f.Chmod("a-mode", 0o755)
		f.Remove("b-type")
		f.Symlink("target", "b-type")
		f.Remove("c-gone")
		f.Remove("d-link")
		f.Symlink("two", "d-link")
		f.Write("e-binary", "\x00two")
		f.Write("f-space", "a b\nc\n")
		f.Remove("g-dir")
		f.Write("g-dir", "a file now\n")
		f.Remove("h-swap")
		f.Write("h-swap/deep/file", "1\n")
		f.Write("i-empty", "")
	})
	cs := f.compare("1")
	want := "mode a-mode\ntype b-type\ndeleted c-gone\nmodified d-link\nmodified e-binary\nmodified f-space\nadded g-dir\ndeleted g-dir/file\ndeleted h-swap\nadded h-swap/deep/file\nadded i-empty"
	equal(t, "rows", f.paths(cs), want)
	counts := map[model.Path]review.Counts{
		"a-mode": {}, "b-type": {}, "c-gone": {}, "i-empty": {}, "d-link": {Additions: 1, Deletions: 1},
		"e-binary": {Additions: -1, Deletions: -1, Binary: true}, "f-space": {Additions: 1, Deletions: 1}, "g-dir": {Additions: 1}, "g-dir/file": {Deletions: 1},
	}
	for path, want := range counts {
		got, err := f.review.Counts(t.Context(), cs, f.file(cs, path))
		f.must(err)
		if got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if d, err := f.review.Diff(t.Context(), cs, f.file(cs, "e-binary"), patch.Options{}); d != nil || err != nil {
		t.Errorf("a binary file is compared by lines: %v, %v", d, err)
	}
	hidden, err := f.review.HiddenSpace(t.Context(), cs, nil)
	f.must(err)
	equal(t, "hidden", fmt.Sprint(hidden), "[f-space]")
}

func TestContent(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("f", "one\n")
	f.Symlink("there", "link")
	f.Commit("first")
	f.turn("t", func() { f.Write("f", "two\n"); f.Chmod("f", 0o700); f.Remove("link"); f.Write("new", "\xff\x00raw") })
	cs := f.compare("1")
	for _, tc := range []struct {
		path  model.Path
		side  review.SideName
		state model.FileState
		data  string
	}{
		{"f", review.BaseSide, fileState("100644", "one\n"), "one\n"},
		{"f", review.TargetSide, fileState("100700", "two\n"), "two\n"},
		{"link", review.BaseSide, linkState("there"), "there"},
		{"link", review.TargetSide, model.Absent(), ""},
		{"new", review.BaseSide, model.Absent(), ""},
		{"new", review.TargetSide, fileState("100644", "\xff\x00raw"), "\xff\x00raw"},
	} {
		data, state, err := f.review.Content(t.Context(), cs, f.file(cs, tc.path), tc.side)
		f.must(err)
		if state != tc.state || string(data) != tc.data {
			t.Errorf("%s, side %d: %q %+v, want %q %+v", tc.path, tc.side, data, state, tc.data, tc.state)
		}
	}
}

func fileState(mode, data string) model.FileState {
	sum := sha256.Sum256([]byte(data))
	return model.FileState{Kind: model.KindFile, Mode: mode, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

func linkState(text string) model.FileState {
	s := fileState("120000", text)
	s.Kind = model.KindLink
	return s
}

// TestLineEndings: under autocrlf a clean tree has no rows, contents are those on
// disk, and an attribute that makes git store a file otherwise is no change of it (I-03).
func TestLineEndings(t *testing.T) {
	r := gittest.New(t)
	r.Git("config", "core.autocrlf", "true")
	r.Write("dos", "one\r\ntwo\r\n")
	r.Write("unix", "one\ntwo\n")
	r.Write("stored", "crlf\r\n")
	r.Git("-c", "core.autocrlf=false", "add", "stored")
	r.Commit("first")
	f := newFixture(t, r)
	equal(t, "clean", f.paths(f.compare("working")), "")
	f.turn("t", func() { f.Write("dos", "one\r\n2\r\n") })
	cs := f.compare("1")
	equal(t, "rows", f.paths(cs), "modified dos")
	for side, want := range map[review.SideName]string{review.BaseSide: "one\r\ntwo\r\n", review.TargetSide: "one\r\n2\r\n"} {
		data, _, err := f.review.Content(t.Context(), cs, cs.Files[0], side)
		f.must(err)
		equal(t, "content", fmt.Sprintf("%q", data), fmt.Sprintf("%q", want))
	}
	f.turn("t", func() { f.Write("dos", "one\n2\n") })
	cs = f.compare("2")
	equal(t, "line ends alone changed", f.rows(cs), "modified dos agent")
	f.Write(".gitattributes", "stored text eol=crlf\n")
	f.Commit("attribute")
	f.turn("t", func() {})
	equal(t, "an empty turn", f.paths(f.compare("3")), "")
	f.turn("t", func() { f.Write(".gitattributes", "stored -text\n") })
	equal(t, "attributes changed, files did not", f.paths(f.compare("4")), "modified .gitattributes")
}

func TestSubmoduleRow(t *testing.T) {
	sub := gittest.New(t)
	sub.Write("inner", "1\n")
	sub.Commit("first")
	f := newFixture(t, gittest.New(t))
	f.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.Root, "sub")
	f.Commit("with a submodule")
	f = newFixture(t, f.Repo)
	f.turn("t", func() {
		f.Write("top", "1\n")
		f.Write("sub/inner", "2\n")
		f.Git("-C", "sub", "commit", "-q", "-a", "-m", "inside")
	})
	cs := f.compare("1")
	equal(t, "rows", f.paths(cs), "modified sub\nadded top")
	row := f.file(cs, "sub")
	if !row.ReadOnly() || !strings.Contains(row.Note, "not captured") {
		t.Errorf("the row of a submodule can be acted on: %+v", row)
	}
	if d, err := f.review.Diff(t.Context(), cs, row, patch.Options{}); d != nil || err != nil {
		t.Errorf("diff of a submodule: %v, %v", d, err)
	}
	if len(cs.LeftOut) != 1 || cs.LeftOut[0].Path != "sub" {
		t.Errorf("left out: %+v", cs.LeftOut)
	}
	f.Commit("all of it")
	equal(t, "clean", f.paths(f.compare("working")), "")
	f.Write("sub/inner", "3\n")
	f.Write("another", "1\n")
	cs = f.compare("working")
	equal(t, "edits inside", f.paths(cs), "added another\nmodified sub")
	equal(t, "note", f.file(cs, "sub").Note, "submodule changed inside, not captured")
}

// TestLeftOut: what a capture left out is never a row.
func TestLeftOut(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("kept", "1\n")
	f.Commit("first")
	f.turn("t", func() {
		f.Write("kept", "2\n")
		f.Git("init", "-q", "vendored")
		f.Write("vendored/file", "1\n")
	})
	cs := f.compare("1")
	equal(t, "rows", f.paths(cs), "modified kept")
	if len(cs.LeftOut) != 1 || strings.TrimSuffix(string(cs.LeftOut[0].Path), "/") != "vendored" {
		t.Errorf("left out: %+v", cs.LeftOut)
	}
}

// TestOneAlignmentAFile: counts, owners and hunks of a file are read off one
// comparison, however it is shown; another file's is another.
func TestOneAlignmentAFile(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("a", "1\n2\n3\n")
	f.Write("b", "1\n2\n3\n")
	f.Commit("base")
	f.Write("a", "1\n2 \n3\n4\n")
	f.Write("b", "one\n2\n3\n")
	cs := f.compare("working")
	diff := func(i int, o patch.Options) *patch.Diff {
		t.Helper()
		d, err := f.review.Diff(t.Context(), cs, cs.Files[i], o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	exact := diff(0, patch.Options{})
	shown := diff(0, patch.Options{IgnoreSpace: true})
	if &exact.Exact()[0] != &shown.Exact()[0] || len(shown.Hunks) != 1 || shown.Adds != 1 || exact.Adds != 2 {
		t.Errorf("exact %+v, shown %+v", exact, shown)
	}
	if other := diff(1, patch.Options{}); other.Adds != 1 || other.Exact()[0].OldStart != 1 {
		t.Errorf("of the other file: %+v", other)
	}
	if again := diff(0, patch.Options{}); again.Adds != 2 {
		t.Errorf("again: %+v", again)
	}
}
