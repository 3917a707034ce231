package recorders_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/review/recorders"
)

// fixture is a repository with a review over a book of our threads and others'.
type fixture struct {
	*gittest.Repo
	t      testing.TB
	repo   *gitops.Repo
	book   *recorders.Book
	review *review.Engine
}

func newFixture(t testing.TB, r *gittest.Repo) *fixture {
	t.Helper()
	f := &fixture{Repo: r, t: t, repo: r.Open()}
	objs, names := objects.Open(f.repo), refs.New(f.repo)
	t.Cleanup(func() { _ = objs.Close() })
	snaps := snapshot.New(f.repo, objs, names, snapshot.Options{Clock: time.Now})
	own := ledger.New(ledger.Deps{Repo: f.repo, Objects: objs, Refs: names, Snapshots: snaps, Clock: time.Now, IDs: model.NewIDSource(time.Now, rand.Reader)})
	f.book = recorders.NewBook(own, recorders.NewT3(f.repo, objs, names, r.Home+"/.t3", time.Now), recorders.NewEntire(f.repo, objs, names, time.Now))
	f.review = review.New(review.Deps{Repo: f.repo, Objects: objs, Refs: names, Snapshots: snaps, Ledger: f.book, Clock: time.Now})
	return f
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("%v (hint: %s)", err, model.HintOf(err))
	}
}

// threads spells the list, without our own work tree's name where it is the main one.
func (f *fixture) threads() string {
	f.t.Helper()
	list, odd, err := f.book.All(f.t.Context())
	f.must(err)
	var lines []string
	for _, t := range list {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s in %q: %d %s", t.Source, t.ID, t.WorkTree, t.Turns, t.Title)))
	}
	for _, n := range odd {
		lines = append(lines, "! "+n.Ref+": "+strings.ReplaceAll(n.Reason, f.Home, "HOME"))
	}
	return strings.Join(lines, "\n")
}

// turns spells the turns of a thread.
func (f *fixture) turns(thread string) string {
	f.t.Helper()
	turns, err := f.book.Turns(f.t.Context(), model.ThreadID(thread), 0)
	f.must(err)
	var lines []string
	for _, t := range turns {
		line := fmt.Sprintf("%d %s %s", t.Number, t.State, t.Status)
		if t.StatusReason != "" {
			line += " (" + t.StatusReason + ")"
		}
		for _, file := range t.Files {
			line += fmt.Sprintf(" | %s %s +%d -%d %s", file.Change, file.Path, file.Additions, file.Deletions, file.Owner)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// compare spells a comparison, "SCOPE@THREAD", or its error.
func (f *fixture) compare(text string) string {
	f.t.Helper()
	scope, thread, _ := strings.Cut(text, "@")
	s, err := model.ParseScope(scope)
	f.must(err)
	s.Thread = model.ThreadID(thread)
	cs, err := f.review.Compare(f.t.Context(), s)
	if err != nil {
		return fmt.Sprintf("%v: %v", model.CodeOf(err), err)
	}
	lines := []string{cs.Base.Label + " to " + cs.Target.Label}
	if cs.Foreign {
		lines[0] += ", elsewhere"
	}
	for _, file := range cs.Files {
		row, err := f.review.Row(f.t.Context(), cs, file)
		f.must(err)
		lines = append(lines, fmt.Sprintf("%s %s +%d -%d %s", row.Change, row.Path, row.Additions, row.Deletions, row.Owner))
	}
	for _, n := range cs.LeftOut {
		lines = append(lines, fmt.Sprintf("left out %s: %s", n.Path, n.Reason))
	}
	return strings.Join(lines, "\n")
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}
