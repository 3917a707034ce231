//go:build linux || darwin

package machine_test

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/snapshot/treetest"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/rollback"
)

// world is an ugly work tree with engines over it, as ui/cli wires them.
type world struct {
	*treetest.Maker
	t      *testing.T
	repo   *gitops.Repo
	ledger *ledger.Ledger
	source rollback.Source
	engine *rollback.Engine
	close  func()
}

func newWorld(t *testing.T, m *treetest.Maker) *world {
	w := &world{Maker: m, t: t, close: func() {}}
	for _, feature := range features() {
		m.Counts()[feature] = 0
	}
	t.Cleanup(func() { w.close() })
	return w
}

// again wires all engines anew, as each start of the program does: settings of git
// are read once.
func (w *world) again() {
	w.t.Helper()
	w.close()
	var err error
	w.repo, err = gitops.Find(w.t.Context(), w.Root, w.Env)
	w.must(err)
	tree, err := worktree.Open(w.repo.Root)
	w.must(err)
	objs, names := objects.Open(w.repo), refs.New(w.repo)
	w.close = func() {
		w.must(objs.Close())
		w.must(tree.Close())
		w.close = func() {}
	}
	w.must(w.repo.EnsureStateDir())
	ids := model.NewIDSource(time.Now, rand.Reader)
	sink := trace.NewFile(w.repo.StateDir()+"/trace.jsonl", time.Now)
	snaps := snapshot.New(w.repo, objs, names, snapshot.Options{Clock: time.Now})
	w.ledger = ledger.New(ledger.Deps{Repo: w.repo, Objects: objs, Refs: names, Snapshots: snaps, Clock: time.Now, IDs: ids, Trace: sink})
	reviews := review.New(review.Deps{Repo: w.repo, Objects: objs, Refs: names, Snapshots: snaps, Ledger: w.ledger, Clock: time.Now})
	w.source = rollback.FromReview(reviews, w.ledger)
	w.engine = rollback.New(rollback.Deps{
		Repo: w.repo, Objects: objs, Refs: names, Snapshots: snaps, Review: w.source, Tree: tree, Clock: time.Now, IDs: ids, Trace: sink,
	})
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v (%s)", err, model.HintOf(err))
	}
}

// turn records what work does as one turn.
func (w *world) turn(work func()) {
	w.t.Helper()
	w.again()
	_, err := w.ledger.Start(w.t.Context(), ledger.StartEvent{Thread: "t1", Agent: "generic", Prompt: "do it"})
	w.must(err)
	work()
	w.again()
	turn, err := w.ledger.End(w.t.Context(), ledger.EndEvent{Thread: "t1", Agent: "generic"})
	w.must(err)
	if turn.Status != model.StatusReady {
		w.t.Fatalf("the turn is %s: %s", turn.Status, turn.StatusReason)
	}
}

// latest is the turn; other threads may have had others since.
func latest() model.Scope { return model.Scope{Kind: model.ScopeTurn, Turn: 1, Thread: "t1"} }

// stage has exactly these paths of the turn staged (none: all that is the agent's) and
// returns the plan.
func (w *world) stage(paths ...model.Path) (*model.Plan, *rollback.Prepared) {
	w.t.Helper()
	_, err := w.engine.Unstage(w.t.Context(), nil)
	w.must(err)
	r := rollback.StageRequest{Scope: latest()}
	for _, p := range paths {
		r.Paths = append(r.Paths, rollback.PathArg{Path: p})
	}
	_, err = w.engine.Stage(w.t.Context(), r)
	w.must(err)
	return w.plan()
}

func (w *world) plan() (*model.Plan, *rollback.Prepared) {
	w.t.Helper()
	plan, prepared, err := w.engine.Plan(w.t.Context())
	w.must(err)
	return plan, prepared
}

// some is about half of the plan's paths.
func (w *world) some(plan *model.Plan) []model.Path {
	var list []model.Path
	for _, t := range plan.Targets {
		if w.Pick(2) == 0 {
			list = append(list, t.Path)
		}
	}
	return list
}

func writes(p *rollback.Prepared) []rollback.PreparedTarget {
	return slices.DeleteFunc(slices.Clone(p.Targets), func(t rollback.PreparedTarget) bool { return !t.Writes() })
}
