package ignore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/ignore"
)

var pieces = []string{"a", "b", "ab", "abc", "a.o", "b.log", ".x", "é", "a b", "#h", "!e", "x-y", "A", "a.b.c", "[ab]"}

// rules makes a file of rules: plain ones, and now and then one that is not.
func rules(rnd *rand.Rand) string {
	var b strings.Builder
	if rnd.IntN(12) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range rnd.IntN(6) {
		if rnd.IntN(3) == 0 {
			b.WriteByte('!')
		}
		if rnd.IntN(4) == 0 {
			b.WriteByte('/')
		}
		if rnd.IntN(6) == 0 {
			b.WriteString("**/")
		}
		for i := range 1 + rnd.IntN(3) {
			if i > 0 && rnd.IntN(2) == 0 {
				b.WriteByte('/')
			}
			if rnd.IntN(3) == 0 {
				b.WriteString([]string{"*", "?", "*.o", "a*", "*b*", "?b", "*a?c*", "a?", "[ab]", "*.[ol]", "[!a]*", "[^b]", "*[a-c]", "[A-Zx]*[b-b]", "?[!a-b]*"}[rnd.IntN(15)])
			} else {
				b.WriteString(pieces[rnd.IntN(len(pieces))])
			}
		}
		if rnd.IntN(3) == 0 {
			b.WriteByte('/')
		}
		if rnd.IntN(60) == 0 {
			b.WriteString([]string{" ", "**", "[b-a]", "\\ ", "//", "\t", "**/a", "/**", "\x00", "[a", "[]a]", "[a-]", "[[:alpha:]]", "[é]", "[!]a]", "[]", "[!", "[\\a]", "[a/b]"}[rnd.IntN(19)])
		}
		b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\n\n", "\n# no\n"}[rnd.IntN(6)])
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n"}[rnd.IntN(2)])
}

// TestAgreesWithGit holds every plain answer against git's.
func TestAgreesWithGit(t *testing.T) {
	r := gittest.New(t)
	rnd := rand.New(rand.NewPCG(7, 7))
	answers, unplain, ignored := 0, 0, 0
	for range 250 {
		tree := grow(t, r, rnd)
		want := tree.git(t, r)
		stack := tree.stack(r)
		for i, path := range tree.paths {
			got, plain := stack.Ignored(path, tree.dirs[path])
			switch {
			case !plain:
				unplain++
				continue
			case got != want[i]:
				t.Fatalf("%q: ignored is %v, git says %v\n%s", path, got, want[i], tree.texts())
			}
			answers++
			if got {
				ignored++
			}
		}
		tree.fell(t, r)
	}
	t.Logf("%d plain answers, %d of them ignored; %d left to git", answers, ignored, unplain)
	if answers < 2000 || ignored < 400 || unplain < 100 {
		t.Errorf("%d plain answers, %d ignored, %d left to git: the generator is too tame", answers, ignored, unplain)
	}
}

// tree is a work tree with files of rules.
type tree struct {
	paths []string
	dirs  map[string]bool
	files map[string]string // rules by their file, from the root
}

func grow(t *testing.T, r *gittest.Repo, rnd *rand.Rand) *tree {
	w := &tree{dirs: map[string]bool{}, files: map[string]string{}}
	folders := []string{""}
	for range 1 + rnd.IntN(4) {
		dir := filepath.Join(folders[rnd.IntN(len(folders))], pieces[rnd.IntN(len(pieces))])
		if !w.dirs[dir] {
			w.dirs[dir] = true
			w.paths, folders = append(w.paths, dir), append(folders, dir)
		}
	}
	for range 15 {
		path := filepath.Join(folders[rnd.IntN(len(folders))], pieces[rnd.IntN(len(pieces))])
		if !w.dirs[path] {
			w.paths = append(w.paths, path)
		}
	}
	for _, dir := range folders {
		if rnd.IntN(2) == 0 {
			w.files[filepath.Join(dir, ".gitignore")] = rules(rnd)
		}
	}
	w.files[".git/info/exclude"] = rules(rnd)
	w.files["../home/.config/git/ignore"] = rules(rnd)
	for _, path := range w.paths {
		if w.dirs[path] {
			err(t, os.MkdirAll(filepath.Join(r.Root, path), 0o755))
		} else {
			w.write(t, r, path, "")
		}
	}
	for path, text := range w.files {
		w.write(t, r, path, text)
	}
	return w
}

func (w *tree) write(t *testing.T, r *gittest.Repo, path, text string) {
	err(t, os.MkdirAll(filepath.Dir(filepath.Join(r.Root, path)), 0o755))
	err(t, os.WriteFile(filepath.Join(r.Root, path), []byte(text), 0o644))
}

func (w *tree) fell(t *testing.T, r *gittest.Repo) {
	for path := range w.files {
		err(t, os.RemoveAll(filepath.Join(r.Root, path)))
	}
	for _, path := range w.paths {
		err(t, os.RemoveAll(filepath.Join(r.Root, path)))
	}
}

func (w *tree) texts() string {
	var b strings.Builder
	for path, text := range w.files {
		fmt.Fprintf(&b, "%s: %q\n", path, text)
	}
	return b.String()
}

// git asks git itself.
func (w *tree) git(t *testing.T, r *gittest.Repo) []bool {
	cmd := exec.Command("git", "check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching")
	cmd.Dir, cmd.Env = r.Root, r.Env.Environ
	cmd.Stdin = strings.NewReader("./" + strings.Join(w.paths, "\x00./") + "\x00")
	out, _ := cmd.Output()
	fields := bytes.Split(out, []byte{0})
	if len(fields) != 4*len(w.paths)+1 {
		t.Fatalf("git check-ignore answered %q for %q", out, w.paths)
	}
	list := make([]bool, len(w.paths))
	for i := range list {
		pattern := fields[4*i+2]
		list[i] = len(pattern) > 0 && pattern[0] != '!'
	}
	return list
}

func (w *tree) stack(r *gittest.Repo) *ignore.Stack {
	parse := func(dir, path string) (ignore.Rules, bool) {
		data, _ := os.ReadFile(filepath.Join(r.Root, path))
		return ignore.Parse(dir, data)
	}
	user, plainUser := parse("", "../home/.config/git/ignore")
	own, plainOwn := parse("", ".git/info/exclude")
	return &ignore.Stack{Outer: []ignore.Rules{user, own}, Read: func(dir string) (ignore.Rules, bool) {
		rules, plain := parse(dir, filepath.Join(dir, ".gitignore"))
		return rules, plain && plainUser && plainOwn
	}}
}

func err(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a", "*.o\n!b.o\n/c/\n", "\xef\xbb\xbfa\r\n", "a*b?c*\n", "#\n\n!\n/\n", "a/b\n**\n", "x \n", "[a]", "*.py[co]\n**/b/\n", "[!^a-z0]", "[a-", "[a-]", "[^]", "[]]", "[!-a]", "[z-a]", "a[b]c[", "/**/x"} {
		f.Add(seed, "dir/a.o")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		rules, plain := ignore.Parse("", []byte(text))
		stack := ignore.Stack{Read: func(string) (ignore.Rules, bool) { return rules, plain }}
		if _, answered := stack.Ignored(path, false); answered && !plain {
			t.Errorf("rules that are not plain gave an answer: %q", text)
		}
	})
}
