package gitops_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
)

func bytesOf(repo *gitops.Repo) (string, error) {
	refs, err := repo.PackedRefsData()
	if err != nil {
		return "", err
	}
	data, err := refs.Bytes()
	return string(data), err
}

// TestPackedRefsAreReadWhenTheyMove: whatever replaces the file, edits it in place or
// takes it away is seen at once, also where the stat is hard to tell from the last one.
func TestPackedRefsAreReadWhenTheyMove(t *testing.T) {
	r := gittest.New(t)
	one := r.Commit("one")
	two := r.Commit("two")
	repo := r.Open()
	file := r.Path(".git/packed-refs")
	line := func(id string) string { return "# pack-refs with: sorted \n" + id + " refs/x\n" }
	put := func(id string, age time.Duration) {
		t.Helper()
		at := time.Now().Add(-age)
		for _, err := range []error{os.WriteFile(file, []byte(line(id)), 0o644), os.Chtimes(file, at, at)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	holds := func(what, want string) {
		t.Helper()
		for range 2 {
			if data, err := bytesOf(repo); err != nil || data != want {
				t.Errorf("%s: it is %q, %v; want %q", what, data, err, want)
			}
		}
	}
	holds("none", "")
	put(one, time.Hour)
	holds("old", line(one))
	put(two, 2*time.Hour)
	holds("edited in place", line(two))
	put(one, 0)
	holds("young", line(one))
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	put(two, 0)
	if err := os.Chtimes(file, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	holds("edited within a tick", line(two))
	put(one, time.Hour)
	holds("old again", line(one))
	r.Git("pack-refs", "--all")
	if data, err := bytesOf(repo); err != nil || !strings.Contains(data, two+" refs/heads/main") {
		t.Errorf("replaced: it is %q, %v", data, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	holds("gone", "")
}
