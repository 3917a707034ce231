package t3_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/checkpoint/foreign/foreigntest"
	"overturn/gitops/checkpoint/foreign/t3"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

func reader(t testing.TB, r *gittest.Repo) *t3.Reader {
	t.Helper()
	repo := r.Open()
	objs := objects.Open(repo)
	t.Cleanup(func() { _ = objs.Close() })
	return t3.New(objs, refs.New(repo), "")
}

// spell lists threads and what is odd, a line each.
func spell(t testing.TB, r *t3.Reader) string {
	t.Helper()
	threads, odd, err := r.Threads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, th := range threads {
		if _, err := model.ParseThreadID(string(th.ID)); err != nil {
			t.Errorf("the id %q is none: %v", th.ID, err)
		}
		lines = append(lines, fmt.Sprintf("%s to %d: %v", th.ID, th.Newest(), th.Turns()))
	}
	for _, n := range odd {
		lines = append(lines, "! "+n.Ref+": "+n.Reason)
	}
	return strings.Join(lines, "\n")
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// An id that cannot be shown, or does not come back, has another name that always does.
func TestIDs(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	long := strings.Repeat("x", 181)
	segment := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, id := range []string{"plain", "with\nnewline", "not\xffUTF-8", "v2:disguised", long} {
		c.Capture(foreigntest.First(id, 1))
	}
	c.Capture("refs/t3/checkpoints/AB/turn/1") // stray bits: not the spelling of any id
	got := spell(t, reader(t, r))
	for _, want := range []string{
		"t3:plain to 1: [1]", "t3:v1:" + segment("with\nnewline") + " to 1: [1]", "t3:v1:" + segment("not\xffUTF-8") + " to 1: [1]",
		"t3:v1:" + segment("v2:disguised") + " to 1: [1]", "t3:v1:AB to 1: [1]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 6 {
		t.Errorf("%d threads, want 6:\n%s", n, got)
	}
}

// Facts: t3code.md, 4.1 to 4.3: gaps, refs of no known form, commits that are none of T3
// Code's, copies, tags, refs that are broken or whose object is gone.
func TestIrregularities(t *testing.T) {
	r := gittest.New(t, gittest.Unchecked())
	r.Write("a", "1\n")
	r.Commit("first")
	c := foreigntest.NewT3(t, r, "")
	at := func(n int) string { return foreigntest.First("x", n) }
	c.Capture(at(0))
	copied := c.Capture(at(3))
	r.Git("update-ref", at(4), copied)
	r.Git("update-ref", at(5), r.Git("rev-parse", "HEAD"))
	r.Git("tag", "-a", "-m", "tag", "v1")
	r.Git("update-ref", at(6), r.Git("rev-parse", "v1"))
	r.Git("update-ref", at(7), r.Git("rev-parse", "HEAD:a"))
	parent := c.WithEnv("GIT_AUTHOR_NAME=T3 Code", "GIT_AUTHOR_EMAIL=t3code@users.noreply.github.com").
		Git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "t3 checkpoint ref="+at(8))
	r.Git("update-ref", at(8), parent)
	r.Write(".git/"+at(9), "")
	r.Write(".git/"+at(10), strings.Repeat("ab", 20)+"\n")
	r.Git("update-ref", "refs/t3/other/thing", "HEAD")
	r.Git("update-ref", "refs/t3/checkpoints/eA/turn/x", "HEAD")

	read := reader(t, r)
	equal(t, "the list", spell(t, read), "t3:x to 10: [3 4 5 6 7 8 9 10]\n! "+at(9)+": it is empty: its writer was cut short, or it is no ref\n"+
		"! refs/t3/: 2 of the refs below it are of no form that is known of T3 Code, the first refs/t3/checkpoints/eA/turn/x")
	threads, _, err := read.Threads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{
		0: "", 3: "", 4: "its commit names another ref: it was copied or renamed", 5: "its commit was not made by T3 Code",
		6: "error", 7: "error", 8: "its commit has parents, which no checkpoint of T3 Code has", 9: "error", 10: "error",
	} {
		snap, err := read.Snapshot(t.Context(), threads[0].Ends[n])
		if (err != nil) != (want == "error") || err == nil && snap.Note != want {
			t.Errorf("%d: %q, %v; want %q", n, snap.Note, err, want)
		}
	}
	if b, ok := threads[0].Before(3); ok {
		t.Errorf("a boundary that was never captured is %+v", b)
	}
	if b, ok := threads[0].Before(1); !ok || b.Ref != at(0) {
		t.Errorf("the baseline is before turn 1: %+v", b)
	}
}

// Cancelled is not the same as unreadable.
func TestCancelled(t *testing.T) {
	r := gittest.New(t)
	r.Write("a", "1\n")
	r.Commit("first")
	foreigntest.NewT3(t, r, "").Capture(foreigntest.First("x", 0))
	read := reader(t, r)
	threads, _, err := read.Threads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := read.Threads(ctx); err == nil {
		t.Error("it goes on though it was cancelled")
	}
	if _, err := read.Snapshot(t.Context(), threads[0].Ends[0]); err != nil {
		t.Error(err)
	}
}

// SHA-256 repositories, packed refs, an unborn branch.
func TestOtherRepositories(t *testing.T) {
	r := gittest.New(t, gittest.InitArgs("--object-format=sha256"))
	c := foreigntest.NewT3(t, r, "")
	c.Capture(foreigntest.First("x", 0)) // the empty tree
	r.Write("a", "1\n")
	c.Capture(foreigntest.First("x", 1))
	r.Git("pack-refs", "--all", "--prune")
	read := reader(t, r)
	equal(t, "threads", spell(t, read), "t3:x to 1: [1]")
	threads, _, _ := read.Threads(t.Context())
	for n, b := range threads[0].Ends {
		if snap, err := read.Snapshot(t.Context(), b); err != nil || snap.Note != "" || snap.At.IsZero() {
			t.Errorf("%d: %+v, %v", n, snap, err)
		}
	}
}
