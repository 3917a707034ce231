package review_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review"
	"overturn/review/ledger"
)

// fixture is a real repository with the rooms below the review, and an agent that
// is played by the test.
type fixture struct {
	*gittest.Repo
	t      testing.TB
	repo   *gitops.Repo
	objs   *objects.Store
	refs   *refs.Store
	snaps  *snapshot.Engine
	ledger *ledger.Ledger
	review *review.Engine
	calls  int
}

func newFixture(t testing.TB, r *gittest.Repo) *fixture {
	t.Helper()
	f := &fixture{Repo: r, t: t, repo: r.Open()}
	f.objs, f.refs = objects.Open(f.repo), refs.New(f.repo)
	t.Cleanup(func() { _ = f.objs.Close() })
	f.snaps = snapshot.New(f.repo, f.objs, f.refs, snapshot.Options{Clock: time.Now})
	records, err := refstore.Open(checkpoint.Context{Repo: f.repo, Objects: f.objs, Refs: f.refs, Clock: time.Now})
	f.must(err)
	f.ledger = ledger.New(ledger.Deps{
		Repo: f.repo, Objects: f.objs, Refs: f.refs, Snapshots: f.snaps, Records: records,
		Clock: time.Now, IDs: model.NewIDSource(time.Now, rand.Reader),
		Owners: review.TurnOwners(f.objs, func(ctx context.Context, o ledger.Overlap) (review.Beside, error) {
			return review.BesideIn(ctx, f.ledger, o)
		}),
	})
	f.review = review.New(review.Deps{Repo: f.repo, Objects: f.objs, Refs: f.refs, Snapshots: f.snaps, Ledger: f.ledger, Clock: time.Now})
	return f
}

// start opens a turn of a thread whose agent reports its tools, or does not.
func (f *fixture) start(thread string, reports bool) {
	f.t.Helper()
	_, err := f.ledger.Start(f.t.Context(), ledger.StartEvent{Thread: model.ThreadID(thread), Agent: "claude-code", Prompt: "do it", ReportsTools: reports, At: time.Now()})
	f.must(err)
}

func (f *fixture) end(thread string) model.Turn {
	f.t.Helper()
	turn, err := f.ledger.End(f.t.Context(), ledger.EndEvent{Thread: model.ThreadID(thread), At: time.Now()})
	f.must(err)
	return turn
}

// turn is a turn of an agent that tells nothing of its tools.
func (f *fixture) turn(thread string, work func()) model.Turn {
	f.t.Helper()
	f.start(thread, false)
	work()
	return f.end(thread)
}

// tool is a tool call that names the paths it writes; a shell names none.
func (f *fixture) tool(thread string, paths []model.Path, work func()) {
	f.t.Helper()
	f.calls++
	ev := ledger.ToolEvent{Thread: model.ThreadID(thread), Phase: ledger.PhasePre, Tool: "Edit", CallID: fmt.Sprint("call-", f.calls), Paths: paths, At: time.Now()}
	f.must(f.ledger.Tool(f.t.Context(), ev))
	work()
	ev.Phase, ev.At = ledger.PhasePost, time.Now()
	f.must(f.ledger.Tool(f.t.Context(), ev))
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatalf("%v (hint: %s)", err, model.HintOf(err))
	}
}

// compare compares a scope as the command line spells it.
func (f *fixture) compare(scope string) *review.ChangeSet {
	f.t.Helper()
	cs, err := f.review.Compare(f.t.Context(), f.scope(scope))
	f.must(err)
	return cs
}

// scope parses "SCOPE" or "SCOPE@THREAD".
func (f *fixture) scope(text string) model.Scope {
	f.t.Helper()
	text, thread, _ := strings.Cut(text, "@")
	s, err := model.ParseScope(text)
	f.must(err)
	s.Thread = model.ThreadID(thread)
	return s
}

// rows spells a change set: a letter for the change, the path, the owner.
func (f *fixture) rows(cs *review.ChangeSet) string {
	f.t.Helper()
	var list []string
	for _, file := range cs.Files {
		owner, thread, err := f.review.Owner(f.t.Context(), cs, file)
		f.must(err)
		name := string(owner)
		if owner == model.OwnerAgent && thread != cs.Thread {
			name += "@" + string(thread)
		}
		list = append(list, fmt.Sprintf("%s %s %s", file.Change, file.Path, name))
	}
	return strings.Join(list, "\n")
}

// paths spells a change set without owners.
func (f *fixture) paths(cs *review.ChangeSet) string {
	var list []string
	for _, file := range cs.Files {
		list = append(list, fmt.Sprintf("%s %s", file.Change, file.Path))
	}
	return strings.Join(list, "\n")
}

// hunks spells the owners of the hunks of one file.
func (f *fixture) hunks(cs *review.ChangeSet, path model.Path) string {
	f.t.Helper()
	o, err := f.review.Owners(f.t.Context(), cs, f.file(cs, path))
	f.must(err)
	var list []string
	for _, h := range o.Hunks {
		list = append(list, fmt.Sprintf("%d %s %v", h.Number, h.Owner, h.Turns))
	}
	return strings.Join(list, "\n")
}

func (f *fixture) file(cs *review.ChangeSet, path model.Path) *review.File {
	f.t.Helper()
	for _, file := range cs.Files {
		if file.Path == path {
			return file
		}
	}
	f.t.Fatalf("%s is not among the files:\n%s", path, f.paths(cs))
	return nil
}

func equal(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}
