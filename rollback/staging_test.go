package rollback_test

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
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/rollback"
)

// staging is a real repository with every room below, and agents that the test
// plays, for what is staged and planned.
type staging struct {
	*gittest.Repo
	t      testing.TB
	repo   *gitops.Repo
	ledger *ledger.Ledger
	review *review.Engine
	engine *rollback.Engine
	calls  int
}

func newStaging(t testing.TB, opts ...gittest.Option) *staging {
	t.Helper()
	return openStaging(t, gittest.New(t, opts...))
}

func openStaging(t testing.TB, r *gittest.Repo) *staging {
	t.Helper()
	w := &staging{Repo: r, t: t, repo: r.Open()}
	objs, store := objects.Open(w.repo), refs.New(w.repo)
	t.Cleanup(func() { _ = objs.Close() })
	snaps := snapshot.New(w.repo, objs, store, snapshot.Options{Clock: time.Now})
	records, err := refstore.Open(checkpoint.Context{Repo: w.repo, Objects: objs, Refs: store, Clock: time.Now})
	w.must(err)
	ids := model.NewIDSource(time.Now, rand.Reader)
	w.ledger = ledger.New(ledger.Deps{
		Repo: w.repo, Objects: objs, Refs: store, Snapshots: snaps, Records: records, Clock: time.Now, IDs: ids,
		Owners: review.TurnOwners(objs, func(ctx context.Context, o ledger.Overlap) (review.Beside, error) {
			return review.BesideIn(ctx, w.ledger, o)
		}),
	})
	w.review = review.New(review.Deps{Repo: w.repo, Objects: objs, Refs: store, Snapshots: snaps, Ledger: w.ledger, Clock: time.Now})
	tree, err := worktree.Open(w.repo.Root)
	w.must(err)
	t.Cleanup(func() { _ = tree.Close() })
	w.engine = rollback.New(rollback.Deps{
		Repo: w.repo, Objects: objs, Refs: store, Snapshots: snaps, Review: rollback.FromReview(w.review, w.ledger),
		Tree: tree, Clock: time.Now, IDs: ids, Trace: trace.Discard{},
	})
	return w
}

func (w *staging) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v (hint: %s)", err, model.HintOf(err))
	}
}

// turn is one turn of an agent that does not report its tools.
func (w *staging) turn(thread string, work func()) model.Turn {
	w.t.Helper()
	w.start(thread, false)
	work()
	return w.end(thread)
}

func (w *staging) start(thread string, reports bool) {
	w.t.Helper()
	_, err := w.ledger.Start(w.t.Context(), ledger.StartEvent{Thread: model.ThreadID(thread), Agent: "claude-code", Prompt: "do it", ReportsTools: reports, At: time.Now()})
	w.must(err)
}

func (w *staging) end(thread string) model.Turn {
	w.t.Helper()
	turn, err := w.ledger.End(w.t.Context(), ledger.EndEvent{Thread: model.ThreadID(thread), At: time.Now()})
	w.must(err)
	return turn
}

// tool is a tool call that names the paths it writes; a shell names none.
func (w *staging) tool(thread string, paths []model.Path, work func()) {
	w.t.Helper()
	w.calls++
	ev := ledger.ToolEvent{Thread: model.ThreadID(thread), Phase: ledger.PhasePre, Tool: "Edit", CallID: fmt.Sprint("call-", w.calls), Paths: paths, At: time.Now()}
	w.must(w.ledger.Tool(w.t.Context(), ev))
	work()
	ev.Phase, ev.At = ledger.PhasePost, time.Now()
	w.must(w.ledger.Tool(w.t.Context(), ev))
}

func (w *staging) scope(text string) model.Scope {
	w.t.Helper()
	text, thread, _ := strings.Cut(text, "@")
	s, err := model.ParseScope(text)
	w.must(err)
	s.Thread = model.ThreadID(thread)
	return s
}

// request names files; a trailing slash makes a folder of one.
func (w *staging) request(scope string, paths ...string) rollback.StageRequest {
	w.t.Helper()
	r := rollback.StageRequest{Scope: w.scope(scope)}
	for _, p := range paths {
		name, folder := strings.CutSuffix(p, "/")
		r.Paths = append(r.Paths, rollback.PathArg{Path: model.Path(name), Folder: folder})
	}
	return r
}

func (w *staging) stage(scope string, paths ...string) *model.Plan {
	w.t.Helper()
	return w.stageWith(w.request(scope, paths...))
}

func (w *staging) stageWith(r rollback.StageRequest) *model.Plan {
	w.t.Helper()
	plan, err := w.engine.Stage(w.t.Context(), r)
	w.must(err)
	return plan
}

func (w *staging) unstage(paths ...string) *model.Plan {
	w.t.Helper()
	var list []model.Path
	for _, p := range paths {
		list = append(list, model.Path(p))
	}
	plan, err := w.engine.Unstage(w.t.Context(), list)
	w.must(err)
	return plan
}

func (w *staging) plan() (*model.Plan, *rollback.Prepared) {
	w.t.Helper()
	plan, prepared, err := w.engine.Plan(w.t.Context())
	w.must(err)
	return plan, prepared
}

// planned spells a plan: verdict, operation, path, hunks; then what stays.
func planned(p *model.Plan) string {
	var list []string
	for _, t := range p.Targets {
		line := fmt.Sprintf("%s %s %s", t.Verdict, t.Op, t.Path)
		if len(t.Hunks) > 0 {
			line += fmt.Sprint(" ", t.Hunks)
		}
		list = append(list, line)
	}
	for _, k := range p.Kept {
		list = append(list, fmt.Sprintf("kept %s: %s", k.Path, k.Reason))
	}
	return strings.Join(list, "\n")
}

func (w *staging) want(p *model.Plan, want ...string) {
	w.t.Helper()
	if got := planned(p); got != strings.Join(want, "\n") {
		w.t.Errorf("the plan is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

// after checks what one target will be.
func (w *staging) after(path, content, mode string) {
	w.t.Helper()
	_, prepared := w.plan()
	for _, target := range prepared.Targets {
		if string(target.Path) == path {
			if string(target.After) != content || target.To.Mode != mode {
				w.t.Errorf("%s will be %s %q, want %s %q", path, target.To.Mode, target.After, mode, content)
			}
			return
		}
	}
	w.t.Errorf("%s is no target", path)
}

// lines is the numbers 1 to n, one a line, with some replaced: "3=x" sets line 3.
func lines(n int, replace ...string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i + 1)
	}
	for _, r := range replace {
		var at int
		number, text, _ := strings.Cut(r, "=")
		if _, err := fmt.Sscan(number, &at); err == nil {
			list[at-1] = text
		}
	}
	return strings.Join(list, "\n") + "\n"
}
