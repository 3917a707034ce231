//go:build linux || darwin

package worktree_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"overturn/gitops/worktree"
	"overturn/model"
)

// open makes an empty work tree.
func open(t *testing.T) (*worktree.Tree, string) {
	t.Helper()
	root := t.TempDir()
	tree, err := worktree.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree, root
}

func put(t *testing.T, root, name, data string, perm os.FileMode) {
	t.Helper()
	file := filepath.Join(root, name)
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(data), 0o600))
	must(t, unix.Chmod(file, uint32(perm)))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func TestStateTellsKindsAndModesByBytes(t *testing.T) {
	tree, root := open(t)
	put(t, root, "plain", "one\n", 0o644)
	put(t, root, "secret", "two\n", 0o600)
	put(t, root, "run", "", 0o755)
	put(t, root, "setuid", "three\n", 0o4755)
	put(t, root, "d/e/deep", "four", 0o664)
	put(t, root, "caf\xe9", "latin", 0o640)
	must(t, os.Symlink("nowhere/at/all", filepath.Join(root, "dangling")))
	must(t, unix.Mkfifo(filepath.Join(root, "fifo"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(root, "s"))
	must(t, err)
	defer socket.Close()

	for path, want := range map[model.Path]model.FileState{
		"plain":         {Kind: model.KindFile, Mode: "100644", Size: 4, SHA256: hash("one\n")},
		"secret":        {Kind: model.KindFile, Mode: "100600", Size: 4, SHA256: hash("two\n")},
		"run":           {Kind: model.KindFile, Mode: "100755", Size: 0, SHA256: hash("")},
		"setuid":        {Kind: model.KindFile, Mode: "104755", Size: 6, SHA256: hash("three\n")},
		"d/e/deep":      {Kind: model.KindFile, Mode: "100664", Size: 4, SHA256: hash("four")},
		"caf\xe9":       {Kind: model.KindFile, Mode: "100640", Size: 5, SHA256: hash("latin")},
		"dangling":      {Kind: model.KindLink, Mode: "120000", Size: 14, SHA256: hash("nowhere/at/all")},
		"fifo":          {Kind: model.KindOther, Mode: "010644"},
		"absent":        model.Absent(),
		"no/such/dir/f": model.Absent(),
	} {
		done := make(chan struct{})
		go func() {
			defer close(done)
			got, err := tree.State(path)
			if err != nil || got != want {
				t.Errorf("State(%q) = %+v, %v; want %+v", path, got, err, want)
			}
		}()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			t.Fatalf("State(%q) hangs", path)
		}
	}
	for _, path := range []model.Path{"d", "s"} {
		if got, err := tree.State(path); err != nil || got.Kind != model.KindOther {
			t.Errorf("State(%q) = %+v, %v; want kind other", path, got, err)
		}
	}
}

func TestReadGivesBytesWithinTheLimit(t *testing.T) {
	tree, root := open(t)
	put(t, root, "f", "0123456789", 0o644)
	must(t, os.Symlink("f", filepath.Join(root, "l")))
	for _, c := range []struct {
		path  model.Path
		limit int64
		want  string
		err   error
	}{
		{"f", 0, "0123456789", nil}, {"f", 10, "0123456789", nil}, {"f", 9, "", worktree.ErrTooLarge}, {"l", 0, "f", nil}, {"none", 0, "", nil},
	} {
		data, state, err := tree.Read(c.path, c.limit)
		if !errors.Is(err, c.err) || string(data) != c.want {
			t.Errorf("Read(%s, %d) = %q, %v; want %q, %v", c.path, c.limit, data, err, c.want, c.err)
		}
		if err == nil && state.Kind != model.KindAbsent && state.SHA256 != hash(c.want) {
			t.Errorf("Read(%s): state %+v does not speak of the bytes", c.path, state)
		}
	}
}

func TestNoPathLeadsOutOfTheTree(t *testing.T) {
	tree, root := open(t)
	outside := t.TempDir()
	put(t, outside, "t", "theirs", 0o644)
	must(t, os.Symlink(outside, filepath.Join(root, "link")))
	put(t, root, "file", "x", 0o644)
	for path, at := range map[model.Path]model.Path{"link/t": "link", "link/a/b": "link", "file/t": "file"} {
		_, err := tree.State(path)
		var in *worktree.Blocked
		if !errors.As(err, &in) || in.At != at || in.Path != path {
			t.Errorf("State(%q): %v; want a *Blocked at %s", path, err, at)
		}
		own := worktree.Beside(path, "01h00000000000000000000000", 0)
		if err := tree.Write(own, worktree.Content{Kind: model.KindFile, Perm: 0o644}); err == nil {
			t.Errorf("Write(%q) went through", own)
		}
	}
	for _, path := range []model.Path{"", "/etc/passwd", "../x", "a/../../x", ".git/config", "sub/.GIT/config", "a//b", "a\x00b"} {
		if _, err := tree.State(path); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("State(%q): %v; want a refusal", path, err)
		}
	}
	if names, err := os.ReadDir(outside); err != nil || len(names) != 1 {
		t.Errorf("the outside now holds %v, %v", names, err)
	}
}

func TestBesideNamesAreTold(t *testing.T) {
	id := model.ID("01h455vb4pex5vsknk084sn02q")
	for _, p := range []model.Path{"f", "a/b/c", "caf\xe9/x"} {
		own := worktree.Beside(p, id, 12)
		if !worktree.IsBeside(own) || worktree.Dir(own) != worktree.Dir(p) {
			t.Errorf("Beside(%q) = %q", p, own)
		}
	}
	for _, p := range []model.Path{"f", ".overturn-x", ".overturn-01h455vb4pex5vsknk084sn02q", ".overturn-01h455vb4pex5vsknk084sn02q-", ".overturn-01h455vb4pex5vsknk084sn02q--1",
		".overturn-01H455VB4PEX5VSKNK084SN02Q-1", ".overturn/settings.json", ".overturn-01h455vb4pex5vsknk084sn02q-1/f"} {
		if worktree.IsBeside(p) {
			t.Errorf("IsBeside(%q)", p)
		}
	}
}

func TestListNamesFilesNotFolders(t *testing.T) {
	tree, root := open(t)
	put(t, root, "d/a", "", 0o644)
	put(t, root, "d/sub/b", "", 0o644)
	put(t, root, "d/nested/.git/HEAD", "", 0o644)
	must(t, os.MkdirAll(filepath.Join(root, "d/empty/er"), 0o755))
	must(t, os.Symlink("..", filepath.Join(root, "d/up")))
	got, err := tree.List("d")
	want := []model.Path{"d/a", "d/nested/.git", "d/sub/b", "d/up"}
	if err != nil || !equal(got, want) {
		t.Errorf("List(d) = %q, %v; want %q", got, err, want)
	}
	if got, err := tree.List("d/a"); err != nil || !equal(got, []model.Path{"d/a"}) {
		t.Errorf("List(d/a) = %q, %v", got, err)
	}
	if got, err := tree.List("none/such"); err != nil || got != nil {
		t.Errorf("List(none/such) = %q, %v", got, err)
	}
}

func equal(a, b []model.Path) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
