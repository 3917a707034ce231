package t3_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/checkpoint/foreign/t3"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
)

const uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

// home is a folder of T3 Code's with the databases that testdata/make.py makes, the named
// one written last.
func home(t testing.TB, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "userdata")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile("testdata/home/userdata/" + name + end)
			if err != nil {
				continue
			}
			at := time.Unix(int64(1_700_000_000+i), 0)
			if os.WriteFile(filepath.Join(dir, name+end), data, 0o600) != nil || os.Chtimes(filepath.Join(dir, name+end), at, at) != nil {
				t.Fatal("cannot write the database")
			}
		}
	}
	return filepath.Dir(dir)
}

// named reads a home, and spells what is known of the threads that are there.
func named(t testing.TB, r *gittest.Repo, home string) string {
	t.Helper()
	repo := r.Open()
	objs := objects.Open(repo)
	defer objs.Close()
	read := t3.New(objs, refs.New(repo), home)
	threads, _, err := read.Threads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known, notes := read.Known(t.Context(), threads)
	var lines []string
	for _, th := range threads {
		k := known[th.ID]
		lines = append(lines, k.Title+"|"+k.Dir)
	}
	for _, n := range notes {
		if home != "" {
			n.Reason = strings.ReplaceAll(n.Reason, home, "HOME")
		}
		lines = append(lines, "! "+n.Reason)
	}
	return strings.Join(lines, "\n")
}

// Facts: t3code.md, 4.4. Nothing is made beside the databases.
func TestKnown(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	for _, ref := range []string{
		foreigntest.First(uuid, 0), foreigntest.First("elsewhere", 0), foreigntest.Second("later", 0), foreigntest.Second("no scope", 0), foreigntest.Second("unknown", 0),
	} {
		c.Capture(ref)
	}
	both := home(t, "state.sqlite", "statev2.sqlite")
	before := list(t, both)
	got := named(t, r, both)
	for _, want := range []string{
		"Fix the parser\x1b[31m|/code/repo", "In a work tree|/code/linked/sub", "The second generation|/code/repo/sub", "Found by its own id|/code/linked", "|",
	} {
		if !strings.Contains(got+"\n", want+"\n") {
			t.Errorf("%q is missing in\n%q", want, got)
		}
	}
	if after := list(t, both); after != before {
		t.Errorf("reading left\n%s\nwhere there was\n%s", after, before)
	}
	if got := named(t, r, home(t, "state.sqlite")); !strings.Contains(got, "Fix the parser") || strings.Contains(got, "second") {
		t.Errorf("the first alone: %q", got)
	}
	nothing := "|\n|\n|\n|\n|\n! titles are not known: there is no "
	equal(t, "no database", named(t, r, t.TempDir()), nothing+"database of T3 Code's below HOME")
	equal(t, "no home", named(t, r, ""), nothing+"home folder to look for T3 Code's database in")
	torn := home(t, "state.sqlite")
	if err := os.Truncate(torn+"/userdata/state.sqlite", 5000); err != nil {
		t.Fatal(err)
	}
	if got := named(t, r, torn); !strings.Contains(got, "! titles may be missing: HOME/userdata/state.sqlite: no SQLite database that can be read") {
		t.Errorf("torn: %q", got)
	}
}

// list is every file below a folder with its size and time.
func list(t testing.TB, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		lines = append(lines, path+" "+info.ModTime().String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
