//go:build unix

package gitops_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops"
	"overturn/gitops/gittest"
)

// sameHead holds Head against git's answer.
func sameHead(t *testing.T, when string, r *gittest.Repo) {
	t.Helper()
	commit, _ := r.GitMayFail("rev-parse", "-q", "--verify", "HEAD")
	branch, _ := r.GitMayFail("symbolic-ref", "-q", "HEAD")
	got, err := r.Open().Head(context.Background())
	if err != nil || got != (gitops.Head{Commit: commit, Branch: branch}) {
		t.Errorf("%s: %+v, %v; git says %q on %q", when, got, err, commit, branch)
	}
}

func TestHead(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, gittest.InitArgs("--object-format="+format))
		sameHead(t, "unborn", r) // F-06
		r.Write("a", "1")
		r.Commit("one")
		sameHead(t, "loose", r)
		r.Git("pack-refs", "--all", "--prune")
		sameHead(t, "packed", r)
		r.Git("checkout", "-q", "--detach")
		sameHead(t, "detached", r) // F-08
		r.Git("tag", "-m", "x", "v1")
		r.Git("checkout", "-q", "-b", "deep/er/branch")
		r.Git("pack-refs", "--all", "--prune") // with a peeled tag
		sameHead(t, "packed, deeper", r)
		r.Git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
		r.Git("symbolic-ref", "HEAD", "refs/heads/alias")
		head, err := r.Open().Head(context.Background())
		if err != nil || head.Branch != "refs/heads/alias" || head.Commit != r.Git("rev-parse", "HEAD") {
			t.Errorf("alias: %+v, %v", head, err)
		}
		r.Git("symbolic-ref", "HEAD", "refs/heads/deep") // a folder, no branch
		sameHead(t, "unborn where a folder is", r)
		r.Git("symbolic-ref", "HEAD", "refs/heads/main/x") // below a branch
		sameHead(t, "unborn below a branch", r)
		r.Git("symbolic-ref", "HEAD", "refs/heads/main")
		side := r.Worktree("side")
		sameHead(t, "linked work tree", side)
		sameHead(t, "and the main one", r)
	}
}

func TestDamagedHead(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	r.Commit("one")
	repo := r.Open()
	for _, damage := range [][2]string{ // the last takes the loose ref away for good
		{".git/HEAD", "garbage\n"}, {".git/refs/heads/main", "0123\n"}, {".git/packed-refs", "not an id refs/heads/main\n"},
	} {
		path, content := damage[0], damage[1]
		whole, err := os.ReadFile(r.Path(path))
		if path == ".git/packed-refs" {
			r.Remove(".git/refs/heads/main")
		} else if err != nil {
			t.Fatal(err)
		}
		r.Write(path, content)
		if head, err := repo.Head(context.Background()); err == nil {
			t.Errorf("%s %q: %+v", path, content, head)
		}
		r.Write(path, string(whole))
	}
	r.Write(".git/HEAD", "ref: refs/heads/../../../outside\n")
	if _, err := repo.Head(context.Background()); err == nil {
		t.Error("a name led out of the repository")
	}
	r.Write(".git/HEAD", "ref: refs/heads/ring\n")
	r.Write(".git/refs/heads/ring", "ref: refs/heads/ring\n")
	if _, err := repo.Head(context.Background()); err == nil {
		t.Error("a ring of refs has an end")
	}
}

func TestOperation(t *testing.T) { // F-03, F-04
	conflict := func(t *testing.T) *gittest.Repo {
		r := gittest.New(t)
		r.Write("f", "base\n")
		r.Commit("base")
		r.Git("checkout", "-q", "-b", "other")
		r.Write("f", "other\n")
		r.Commit("other")
		r.Git("checkout", "-q", "main")
		r.Write("f", "main\n")
		r.Commit("main")
		return r
	}
	for want, args := range map[string][]string{
		"merge": {"merge", "other"}, "rebase": {"rebase", "other"}, "cherry-pick": {"cherry-pick", "other"}, "revert": {"revert", "--no-edit", "HEAD~1"},
		"bisect": {"bisect", "start"}, "rebase apply": {"rebase", "--apply", "other"}, "": {"status"},
	} {
		r := conflict(t)
		before := r.Open().Operation()
		_, err := r.GitMayFail(args...)
		want, _, _ = strings.Cut(want, " ")
		if got := r.Open().Operation(); before != "" || got != want {
			t.Errorf("%v: before %q, after %q (%v)", args, before, got, err)
		}
	}
	r := conflict(t)
	patch := r.Git("format-patch", "-1", "--stdout", "other")
	r.Write("p", patch+"\n")
	if _, err := r.GitMayFail("am", "p"); err == nil {
		t.Fatal("am did not stop")
	}
	if got := r.Open().Operation(); got != "am" {
		t.Errorf("am: %q", got)
	}
	r.Git("am", "--abort")
}

func FuzzPackedRefs(f *testing.F) {
	id := strings.Repeat("ab", 20)
	f.Add([]byte("# pack-refs with: peeled fully-peeled sorted \n"+id+" refs/heads/main\n"+id+" refs/tags/v\n^"+id+"\n"), "refs/heads/main")
	f.Add([]byte(id+" refs/heads/a\n\n"+id+id[:24]+" refs/heads/b\n"), "refs/heads/b")
	f.Add([]byte("# "+id+" refs/x\n"), "refs/x")
	f.Add([]byte(id+" "+id+" refs/x\n"), "refs/x")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		all := map[string]string{}
		err := gitops.PackedRefs(data, func(name, oid string) bool {
			if _, twice := all[name]; !twice {
				all[name] = oid
			}
			return true
		})
		oid, lerr := gitops.LookupPacked(gitops.PackedOf(data), name)
		if head, _, _ := bytes.Cut(data, []byte("\n")); bytes.Contains(head, []byte(" sorted")) {
			return // it is taken at its word; TestLookupPackedSorted has those that keep it
		}
		if err == nil && !strings.Contains(name, "\n") && name != "" && (lerr != nil || oid != all[name]) {
			// A name that holds " name" at its end is met first, and is no name that git allows.
			for other := range all {
				if strings.HasSuffix(other, " "+name) {
					return
				}
			}
			t.Errorf("%q in %q: list %q, lookup %q, %v", name, data, all[name], oid, lerr)
		}
	})
}

func TestLookupPackedSorted(t *testing.T) {
	for n := range 40 {
		data := "# pack-refs with: peeled fully-peeled sorted \n"
		name := func(i int) string { return fmt.Sprintf("refs/tags/%03d%s", i, strings.Repeat("x", i*7%23)) }
		id := func(i int) string { return fmt.Sprintf("%040x", i+1) }
		for i := range n {
			data += id(i) + " " + name(i) + "\n"
			if i*n%3 == 1 {
				data += "^" + id(900) + "\n"
			}
		}
		for i := range n {
			if oid, err := gitops.LookupPacked(gitops.PackedOf([]byte(data)), name(i)); err != nil || oid != id(i) {
				t.Errorf("%d of %d: %q, %v", i, n, oid, err)
			}
			for _, none := range []string{name(i) + "y", strings.TrimSuffix(name(i), "x") + "0", "refs/tags/", "refs/zz", "a"} {
				if oid, err := gitops.LookupPacked(gitops.PackedOf([]byte(data)), none); err != nil || oid != "" {
					t.Errorf("%q among %d: %q, %v", none, n, oid, err)
				}
			}
		}
	}
	head := "# pack-refs with: peeled fully-peeled sorted \n"
	for _, damaged := range []string{"nonsense\n", strings.Repeat("1", 40) + " refs/a", strings.Repeat("1", 40) + "refs/a\n"} {
		if oid, err := gitops.LookupPacked(gitops.PackedOf([]byte(head+damaged)), "refs/a"); err == nil {
			t.Errorf("%q: %q and no error", damaged, oid)
		}
	}
}

// TestPackedBelow: what lies below a prefix, and its folders, are the same whether the
// file says that it is sorted or not.
func TestPackedBelow(t *testing.T) {
	id := strings.Repeat("1", 40)
	names := []string{"refs/a", "refs/a-b/x", "refs/a/x/1", "refs/a/x/2", "refs/a/y", "refs/a/y0/1", "refs/a/z/1/2", "refs/a/z/1/3", "refs/a0/x", "refs/b/q/1"}
	for n := range len(names) + 1 {
		lines := ""
		for i, name := range names[:n] {
			lines += id + " " + name + "\n"
			if i%3 == 1 {
				lines += "^" + id + "\n"
			}
		}
		for _, prefix := range []string{"refs/", "refs/a", "refs/a/", "refs/a/x/", "refs/a/z/", "refs/b/", "refs/c/", "a/"} {
			var want, parts []string
			for _, name := range names[:n] {
				if below, ok := strings.CutPrefix(name, prefix); ok {
					want = append(want, name)
					if part, _, deeper := strings.Cut(below, "/"); deeper && !slices.Contains(parts, part) {
						parts = append(parts, part)
					}
				}
			}
			for _, head := range []string{"", "# pack-refs with: peeled fully-peeled sorted \n"} {
				var got, dirs []string
				err := gitops.PackedBelow(gitops.PackedOf([]byte(head+lines)), prefix, func(name, oid string) bool {
					got = append(got, name)
					return oid == id
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d, %q below %q: %q, %v; want %q", n, head, prefix, got, err, want)
				}
				if !strings.HasSuffix(prefix, "/") {
					continue
				}
				if err := gitops.PackedParts(gitops.PackedOf([]byte(head+lines)), prefix, func(part string) { dirs = append(dirs, part) }); err != nil || !slices.Equal(slices.Compact(dirs), parts) {
					t.Errorf("%d, folders of %q: %q, %v; want %q", n, prefix, dirs, err, parts)
				}
			}
		}
	}
	for _, damaged := range []string{"nonsense\n", id + " refs/a/x", id + "refs/a/x\n"} {
		data := gitops.PackedOf([]byte("# pack-refs with: sorted \n" + damaged))
		if gitops.PackedBelow(data, "refs/a/", func(string, string) bool { return true }) == nil || gitops.PackedParts(data, "refs/a/", func(string) {}) == nil {
			t.Errorf("%q: no error", damaged)
		}
	}
}

func TestPackedRefsEndEarly(t *testing.T) {
	id := strings.Repeat("1", 40)
	n := 0
	if err := gitops.PackedRefs([]byte(id+" refs/a\n"+id+" refs/b\nbroken"), func(string, string) bool { n++; return n < 1 }); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	if err := gitops.PackedRefs([]byte(id+" refs/a\nbroken\n"), func(string, string) bool { return true }); err == nil || !strings.Contains(fmt.Sprint(err), "line 2") {
		t.Errorf("%v", err)
	}
}

// TestMain lets the tests start this binary as another user.
func TestMain(m *testing.M) {
	dir := os.Getenv("GITOPS_CHILD")
	if dir == "" {
		os.Exit(m.Run())
	}
	repo, err := gitops.Find(context.Background(), dir, gittest.EnvOf(os.Environ()))
	if err != nil {
		fmt.Println(err)
		os.Exit(10)
	}
	if err := repo.EnsureStateDir(); err == nil {
		_, err = os.Create(filepath.Join(repo.StateDir(), "x"))
		fmt.Println("state folder:", err)
	} else {
		fmt.Println("state folder:", err)
	}
}
