package cli

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/review/recorders"
	"overturn/rollback"
	"overturn/rollback/revert"
)

// app is one run of the program: its streams and flags, and what is handed to
// the engines.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	dir     string
	json    bool
	noColor bool
	noMouse bool

	env gitops.Env
	ids *model.IDSource
	// opened is what close has to release.
	opened []io.Closer
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{
		stdin: stdin, stdout: stdout, stderr: stderr,
		dir: ".",
		env: gitops.Env{Getenv: os.Getenv, Environ: os.Environ(), Clock: time.Now},
		ids: model.NewIDSource(time.Now, rand.Reader),
	}
}

func (a *app) close() {
	for _, c := range a.opened {
		c.Close()
	}
}

// userDir is the folder of the user's own configuration.
func (a *app) userDir() string { return settings.UserDir(a.env.Getenv) }

// engines are the rooms of one work tree, wired together.
type engines struct {
	repo      *gitops.Repo
	settings  settings.Settings
	objects   *objects.Store
	refs      *refs.Store
	snapshots *snapshot.Engine
	records   *checkpoint.Topology
	ledger    *ledger.Ledger
	book      *recorders.Book // the ledger, with what other programs recorded beside it
	trace     *trace.File

	app      *app
	review   *review.Engine
	rollback *rollback.Engine
}

// open finds the repository that dir lies in and wires the engines that every
// verb needs; those of reading and writing come on demand.
func (a *app) open(ctx context.Context, dir string) (*engines, error) {
	repo, err := gitops.Find(ctx, dir, a.env)
	if err != nil {
		return nil, err
	}
	return a.wire(repo)
}

// openSettled is open for verbs that show turns: what waits in the inbox is
// recorded first, and turns whose agent is gone are closed. A failure is said and
// does not keep the verb from showing what is there.
func (a *app) openSettled(ctx context.Context) (*engines, error) {
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return nil, err
	}
	if err := e.ledger.Settle(ctx); err != nil && model.CodeOf(err) != model.CodeLocked {
		a.say("%s", safe(err.Error()))
	}
	if b, err := e.ledger.Backlog(); err == nil && len(b.Records) > 0 {
		a.say("%s without a record yet: %s", count(len(b.Records), "turn"), safe(b.Why))
	}
	return e, nil
}

// wire builds the engines of a repository that was found.
func (a *app) wire(repo *gitops.Repo) (*engines, error) {
	set, err := settings.Load(repo.Root, a.userDir(), a.env.Getenv)
	if err != nil {
		return nil, err
	}
	return a.wireWith(repo, set)
}

// wireWith is wire with settings that were read already.
func (a *app) wireWith(repo *gitops.Repo, set settings.Settings) (e *engines, err error) {
	objs := objects.Open(repo)
	a.opened = append(a.opened, objs)
	store := refs.New(repo)
	e = &engines{app: a, repo: repo, settings: set, objects: objs, refs: store}
	e.trace = trace.NewFile(filepath.Join(repo.StateDir(), traceName), a.env.Clock)
	e.snapshots = snapshot.New(repo, objs, store, snapshot.Options{MaxFileSize: set.MaxFileSize, Clock: a.env.Clock})
	e.records, err = openRecords(set.Checkpoints, a.recordContext(repo, objs, store, e.trace))
	if err != nil {
		return nil, err
	}
	e.ledger = ledger.New(ledger.Deps{
		Repo: repo, Objects: objs, Refs: store, Snapshots: e.snapshots, Records: e.records,
		Clock: a.env.Clock, IDs: a.ids, Trace: e.trace, Owners: review.TurnOwners(objs, e.beside),
		Refused: tooWide(repo, a.env, set), ShareSnapshots: set.ShareSnapshots,
	})
	e.book = a.newBook(e)
	return e, nil
}

// traceName is the file of events in the state folder.
const traceName = "trace.jsonl"

// reading is the engine of comparisons.
func (e *engines) reading() *review.Engine {
	if e.review == nil {
		e.review = review.New(review.Deps{
			Repo: e.repo, Objects: e.objects, Refs: e.refs, Snapshots: e.snapshots, Ledger: e.book, Clock: e.app.env.Clock,
		})
	}
	return e.review
}

// writing is the engine of rollbacks.
func (e *engines) writing() (*rollback.Engine, error) {
	if e.rollback != nil {
		return e.rollback, nil
	}
	tree, err := worktree.Open(e.repo.Root)
	if err != nil {
		return nil, err
	}
	e.app.opened = append(e.app.opened, tree)
	e.rollback = rollback.New(rollback.Deps{
		Repo: e.repo, Objects: e.objects, Refs: e.refs, Snapshots: e.snapshots,
		Review: rollback.FromReview(e.reading(), e.book), Witness: e.ledger, Tree: tree,
		Clock: e.app.env.Clock, IDs: e.app.ids, Trace: e.trace,
		Saga: revert.New(revert.Deps{
			Turns: e.ledger, Refs: e.refs, Agent: agentSet().Get, Runner: agentRunner{e.app.env}, Getenv: e.app.env.Getenv,
			Root: e.repo.Root, StateDir: e.repo.StateDir(),
		}),
	})
	return e.rollback, nil
}

// beside reads what is stored of a turn of another thread that ran at the same time.
func (e *engines) beside(ctx context.Context, o ledger.Overlap) (review.Beside, error) {
	return review.BesideIn(ctx, e.ledger, o)
}
