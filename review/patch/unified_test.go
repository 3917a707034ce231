package patch

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"overturn/model"
)

// work is a repository with one commit; git runs the real program in it.
type work struct {
	t   testing.TB
	dir string
}

func newWork(t testing.TB, args ...string) work {
	w := work{t, t.TempDir()}
	w.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
	return w
}

func (w work) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	cmd.Env = append(gitEnv(w.dir), "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("git %v: %v %s", args, err, stderr.String())
	}
	return string(out)
}

func (w work) write(path, content string, perm os.FileMode) {
	w.t.Helper()
	full := filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), perm); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Chmod(full, perm); err != nil {
		w.t.Fatal(err)
	}
}

// entry is a path at one end of a comparison, "" for a mode when it is absent.
type entry struct{ mode, content string }

// names that git quotes, or that its patches treat in some special way.
func oddNames() []string {
	return []string{"plain", "with space", "tab\there", "new\nline", `quote"back\slash`, "caf\u00e9", "\xff\xfe", "a b/c b/d", "-f", ":x", "\x01\x7f", "-- b/x"}
}

func TestUnifiedHeadersAreGits(t *testing.T) {
	cases := []struct{ old, new entry }{
		{entry{"100644", "a\n"}, entry{"100644", "b\n"}},
		{entry{"100644", "a\n"}, entry{"100755", "b\n"}},
		{entry{"100644", "a\n"}, entry{"100755", "a\n"}},
		{entry{"100644", "a\n"}, entry{}},
		{entry{}, entry{"100755", "b"}},
		{entry{}, entry{"100644", ""}},
		{entry{"100644", ""}, entry{}},
		{entry{"100644", "a\x00"}, entry{"100644", "b\x00"}},
		{entry{"100644", "a\x00"}, entry{}},
		{entry{"120000", "here"}, entry{"120000", "there"}},
	}
	w := newWork(t)
	for _, name := range oddNames() {
		for i, c := range cases {
			if name != "plain" && i != 0 && i != 3 && i != 7 {
				continue // one name shows how modes are written
			}
			w.put(name, c.old)
			tree1 := w.git("write-tree")
			w.put(name, c.new)
			tree2 := w.git("write-tree")
			want := w.git("diff-tree", "-r", "-p", "--full-index", strings.TrimSpace(tree1), strings.TrimSpace(tree2))
			w.put(name, entry{})
			h := FileHeader{Path: model.Path(name), OldMode: c.old.mode, NewMode: c.new.mode, OldID: w.id(c.old), NewID: w.id(c.new)}
			old, new := []byte(c.old.content), []byte(c.new.content)
			h.Binary = IsBinary(old) || IsBinary(new)
			var got bytes.Buffer
			if err := Unified(&got, h, Compare(old, new, Options{})); err != nil {
				t.Fatal(err)
			}
			if got.String() != want {
				t.Errorf("%q case %d:\n got %q\nwant %q", name, i, got.String(), want)
			}
			files, err := Parse(got.Bytes())
			if err != nil || len(files) != 1 || files[0].Path != h.Path || files[0].OldPath != "" || files[0].Binary != h.Binary {
				t.Errorf("%q case %d: read back %+v, %v", name, i, files, err)
			}
		}
	}
}

func (w work) id(s entry) string {
	if s.mode == "" {
		return strings.Repeat("0", 40)
	}
	cmd := exec.Command("git", "hash-object", "-w", "--stdin")
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, gitEnv(w.dir), strings.NewReader(s.content)
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// put sets the index entry of name, without a file.
func (w work) put(name string, s entry) {
	w.t.Helper()
	mode := s.mode
	if mode == "" {
		mode = "0"
	}
	cmd := exec.Command("git", "update-index", "-z", "--index-info")
	cmd.Dir, cmd.Env = w.dir, gitEnv(w.dir)
	cmd.Stdin = strings.NewReader(mode + " " + w.id(s) + "\t" + name + "\x00")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("update-index: %v %s", err, out)
	}
}

func TestQuoteIsGits(t *testing.T) {
	w := newWork(t)
	for _, name := range oddNames() {
		w.put(name, entry{"100644", "x"})
	}
	want := strings.Split(strings.TrimSuffix(w.git("ls-files"), "\n"), "\n")
	var got []string
	for _, name := range strings.Split(strings.TrimSuffix(w.git("ls-files", "-z"), "\x00"), "\x00") {
		got = append(got, Quote(model.Path(name)))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func FuzzQuote(f *testing.F) {
	for _, name := range oddNames() {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		q := Quote(model.Path(name))
		if q == name {
			return
		}
		if back, rest, ok := Unquote(q); !ok || back != name || rest != "" {
			t.Fatalf("%q: %q comes back as %q, %q, %v", name, q, back, rest, ok)
		}
	})
}

func FuzzUnquote(f *testing.F) {
	f.Add(`"a\303\251" rest`)
	f.Add(`"\400"`)
	f.Add(`"open`)
	f.Fuzz(func(t *testing.T, s string) {
		if name, rest, ok := Unquote(s); ok && (len(name)+len(rest)+2 > len(s) || !strings.HasSuffix(s, rest)) {
			t.Fatalf("%q: %q, %q", s, name, rest)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	head := "diff --git a/x b/x\n--- a/x\n+++ b/x\n"
	for _, s := range []string{"@@ -1,2 +1 @@\n-a\n", "@@ -1 +1 @@\n*a\n", "@@ -1 +1 @@\n-a\n-b\n", "@@ -x +1 @@\n", "@@ -1 @@\n", "@@ -99999999999 +1 @@\n", "@@ -1 +1 @@\n\n"} {
		if files, err := Parse([]byte(head + s)); err == nil {
			t.Errorf("%q was read as %+v", s, files)
		}
	}
}

func TestParseRename(t *testing.T) {
	var b bytes.Buffer
	h := FileHeader{Path: "to b/x", OldPath: "from b/y", OldMode: "100644", NewMode: "100644", OldID: "1", NewID: "2", Similarity: 90}
	if err := Unified(&b, h, Compare([]byte("a\nb"), []byte("a\nc\n"), Options{})); err != nil {
		t.Fatal(err)
	}
	files, err := Parse(b.Bytes())
	if err != nil || len(files) != 1 || files[0].FileHeader != h {
		t.Fatalf("%+v, %v", files, err)
	}
	want := []PatchLine{{' ', []byte("a"), false}, {'-', []byte("b"), true}, {'+', []byte("c"), false}}
	if !reflect.DeepEqual(files[0].Hunks[0].Lines, want) {
		t.Errorf("%+v", files[0].Hunks[0].Lines)
	}
}

// FuzzParse: never a panic, and what was read holds the counts of its headers.
func FuzzParse(f *testing.F) {
	f.Add([]byte("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@ f\n-a\n b\n\\ No newline at end of file\n"))
	f.Add([]byte("diff --git \"a/\\303\" \"b/\\303\"\nold mode 100644\nnew mode 100755\n"))
	f.Add([]byte("@@ -1 +1 @@\ndiff --git a/x b/x\n@@ -1 +0,0 @@\n-a"))
	f.Fuzz(func(t *testing.T, patch []byte) {
		files, err := Parse(patch)
		if err != nil {
			return
		}
		for _, file := range files {
			for _, h := range file.Hunks {
				old, new := 0, 0
				for _, l := range h.Lines {
					if l.Kind != '+' {
						old++
					}
					if l.Kind != '-' {
						new++
					}
				}
				if old != h.OldLines || new != h.NewLines {
					t.Fatalf("%d and %d rows under %+v", old, new, h)
				}
			}
		}
	})
}
