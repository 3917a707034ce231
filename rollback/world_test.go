//go:build linux || darwin

package rollback_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/agents"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/revert"
)

// world is a repository with a whole engine on it, as ui/cli wires it.
type world struct {
	*gittest.Repo
	t      testing.TB
	repo   *gitops.Repo
	tree   *worktree.Tree
	objs   *objects.Store
	refs   *refs.Store
	ledger *ledger.Ledger
	engine *rollback.Engine
	trace  string
	talks  agents.Agent  // of the agent "talker"; nil: there is none
	tick   func()        // called whenever the rollback engine asks for the time
	ahead  time.Duration // of the rollback engine's clock
}

func newWorld(t testing.TB, opts ...gittest.Option) *world {
	t.Helper()
	return wire(t, gittest.New(t, opts...))
}

// wire builds the engines on a repository.
func wire(t testing.TB, r *gittest.Repo) *world {
	t.Helper()
	w := &world{Repo: r, t: t}
	var err error
	w.repo, err = gitops.Find(t.Context(), r.Root, r.Env)
	w.must(err)
	w.tree, err = worktree.Open(w.repo.Root)
	w.must(err)
	w.objs, w.refs = objects.Open(w.repo), refs.New(w.repo)
	t.Cleanup(func() {
		if err := w.objs.Close(); err != nil {
			t.Error(err)
		}
		if err := w.tree.Close(); err != nil {
			t.Error(err)
		}
	})
	w.trace = filepath.Join(w.repo.StateDir(), "trace.jsonl")
	w.must(w.repo.EnsureStateDir())
	w.engines()
	return w
}

func (w *world) engines() {
	ids := model.NewIDSource(func() time.Time { return time.Now().Add(w.ahead) }, rand.Reader)
	sink := trace.NewFile(w.trace, time.Now)
	snaps := snapshot.New(w.repo, w.objs, w.refs, snapshot.Options{Clock: time.Now})
	w.ledger = ledger.New(ledger.Deps{Repo: w.repo, Objects: w.objs, Refs: w.refs, Snapshots: snaps, Clock: time.Now, IDs: ids, Trace: sink})
	reviews := review.New(review.Deps{Repo: w.repo, Objects: w.objs, Refs: w.refs, Snapshots: snaps, Ledger: w.ledger, Clock: time.Now})
	w.engine = rollback.New(rollback.Deps{
		Repo: w.repo, Objects: w.objs, Refs: w.refs, Snapshots: snaps, Review: rollback.FromReview(reviews, w.ledger),
		Tree: w.tree, Clock: w.now, IDs: ids, Trace: sink,
		Saga: revert.New(revert.Deps{Turns: w.ledger, Refs: w.refs, Agent: w.agent, Root: w.repo.Root, StateDir: w.repo.StateDir()}),
	})
}

func (w *world) agent(name string) (agents.Agent, error) {
	if name == "talker" && w.talks != nil {
		return w.talks, nil
	}
	return nil, model.Usagef("no agent %q", name)
}

func (w *world) now() time.Time {
	if w.tick != nil {
		w.tick()
	}
	return time.Now().Add(w.ahead)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// turn records one turn whose agent does what work does.
func (w *world) turn(work func()) {
	w.t.Helper()
	_, err := w.ledger.Start(w.t.Context(), ledger.StartEvent{Thread: "t1", Agent: "generic", Prompt: "do it"})
	w.must(err)
	work()
	turn, err := w.ledger.End(w.t.Context(), ledger.EndEvent{Thread: "t1", Agent: "generic"})
	w.must(err)
	if turn.Status != model.StatusReady {
		w.t.Fatalf("the turn is %s: %s", turn.Status, turn.StatusReason)
	}
}

// stage stages paths (none: all) of the latest turn and returns the plan.
func (w *world) stage(paths ...string) *model.Plan {
	w.t.Helper()
	return w.stageBy(rollback.StageRequest{}, paths...)
}

func (w *world) stageBy(r rollback.StageRequest, paths ...string) *model.Plan {
	w.t.Helper()
	r.Scope = model.Scope{Kind: model.ScopeLatest}
	for _, p := range paths {
		r.Paths = append(r.Paths, rollback.PathArg{Path: model.Path(p)})
	}
	plan, err := w.engine.Stage(w.t.Context(), r)
	w.must(err)
	return plan
}

// execute confirms the plan as it was shown.
func (w *world) execute(plan *model.Plan) (*model.Result, error) {
	return w.engine.Execute(w.t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint})
}

// done is execute where it has to succeed.
func (w *world) done(plan *model.Plan) *model.Result {
	w.t.Helper()
	r, err := w.execute(plan)
	w.must(err)
	if r.Outcome != model.OutcomeComplete || !r.Verified {
		w.t.Fatalf("outcome %s, verified %v, skipped %v", r.Outcome, r.Verified, r.Skipped)
	}
	return r
}

// files is the work tree by bytes and modes: path to "mode content".
func (w *world) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	w.must(filepath.WalkDir(w.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(w.Root, name)
		if rel == ".git" {
			return fs.SkipDir
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			all[rel] = st.Mode().String()
		case st.Mode()&fs.ModeSymlink != 0:
			text, err := os.Readlink(name)
			all[rel] = "-> " + text
			return err
		case st.Mode().IsRegular():
			data, err := os.ReadFile(name)
			all[rel] = st.Mode().String() + " " + string(data)
			return err
		default:
			all[rel] = st.Mode().String()
		}
		return nil
	}))
	return all
}

// same compares two states of the work tree.
func (w *world) same(what string, got, want map[string]string) {
	w.t.Helper()
	for name := range want {
		if got[name] != want[name] {
			w.t.Errorf("%s: %q is %q, want %q", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			w.t.Errorf("%s: %q is there: %q", what, name, got[name])
		}
	}
}

// settled checks that a rollback left nothing of its own behind.
func (w *world) settled() {
	w.t.Helper()
	for name := range w.files() {
		if strings.Contains(name, ".overturn-") {
			w.t.Errorf("left in the work tree: %s", name)
		}
	}
	if i, err := w.engine.Interrupted(context.Background()); err != nil || i != nil {
		w.t.Errorf("interrupted: %+v, %v", i, err)
	}
}

func (w *world) link(path, text string) {
	w.t.Helper()
	name := w.Path(path)
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.RemoveAll(name))
	w.must(os.Symlink(text, name))
}

func clone(m map[string]string) map[string]string {
	c := make(map[string]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// refused checks how an error is told.
func refused(t testing.TB, err error, code model.Code, words ...string) {
	t.Helper()
	if model.CodeOf(err) != code || err == nil {
		t.Fatalf("error %v of kind %s, want %s", err, model.CodeOf(err), code)
	}
	said := fmt.Sprint(err, " ", model.HintOf(err))
	for _, word := range words {
		if !strings.Contains(said, word) {
			t.Errorf("%q does not say %q", said, word)
		}
	}
}
