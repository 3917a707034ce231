package checkpoint_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/filestore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
)

// rig is a topology on a repository, with the bare stores beside it.
type rig struct {
	*storetest.Bench
	top          *checkpoint.Topology
	refs, branch checkpoint.Store
	files        checkpoint.Store
	events       *events
	queued       *queue
}

type events struct {
	mu   sync.Mutex
	list []trace.Event
}

func (e *events) Record(list ...trace.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, list...)
}

func (e *events) outcomes() string {
	var list []string
	for _, ev := range e.list {
		list = append(list, ev.Outcome)
	}
	return strings.Join(list, ",")
}

// queue keeps what waits, and can fail.
type queue struct {
	refs []string
	err  error
}

func (q *queue) Enqueue(ctx context.Context, refs ...string) error {
	if q.err != nil {
		return q.err
	}
	q.refs = append(q.refs, refs...)
	return ctx.Err()
}

// flawed is a store whose reads or writes fail.
type flawed struct {
	checkpoint.Store
	err error
}

func (f *flawed) Read(ctx context.Context, id model.ID) (*checkpoint.Record, error) {
	if f.err != nil {
		return nil, f.err
	}
	return f.Store.Read(ctx, id)
}

func (f *flawed) Update(ctx context.Context, id model.ID, edit func(*checkpoint.Record) error) error {
	if f.err != nil {
		return f.err
	}
	return f.Store.Update(ctx, id, edit)
}

func (f *flawed) Create(ctx context.Context, w *objects.Writer, rec *checkpoint.Record) (checkpoint.Pending, error) {
	if f.err != nil {
		return checkpoint.Pending{}, f.err
	}
	return f.Store.Create(ctx, w, rec)
}

// newRig opens a topology; change alters its context, wrap a store that it opens.
func newRig(t *testing.T, set settings.Checkpoints, change func(*checkpoint.Context), wrap func(checkpoint.Store) checkpoint.Store) *rig {
	t.Helper()
	r := &rig{events: &events{}, queued: &queue{}}
	open := func(inner func(checkpoint.Context) (checkpoint.Store, error)) func(checkpoint.Context) (checkpoint.Store, error) {
		return func(c checkpoint.Context) (checkpoint.Store, error) {
			s, err := inner(c)
			if err == nil && wrap != nil {
				s = wrap(s)
			}
			return s, err
		}
	}
	registry := checkpoint.NewRegistry(map[string]checkpoint.Backend{
		checkpoint.TypeRefs:   {GitBacked: true, Open: open(refstore.Open)},
		checkpoint.TypeBranch: {GitBacked: true, Open: open(branchstore.Open)},
		checkpoint.TypeFiles:  {Open: open(filestore.Open)},
	})
	r.Bench = storetest.NewBench(t, func(c checkpoint.Context) (checkpoint.Store, error) {
		c.Trace, c.Queue = r.events, r.queued
		if change != nil {
			change(&c)
		}
		return registry.Topology(set, c)
	})
	r.top = r.Store.(*checkpoint.Topology)
	plain := r.Context
	plain.Mirror = true // the refs take any id: as after a migration
	r.refs, _ = refstore.Open(plain)
	r.branch, _ = branchstore.Open(plain)
	r.files, _ = filestore.Open(plain)
	return r
}

// lay puts a record into a bare store, with the words that tell where it was read.
func (r *rig) lay(t *testing.T, s checkpoint.Store, id model.ID, words string) {
	t.Helper()
	rec := r.Record(t, 1)
	rec.Turn.Checkpoint, rec.Turn.Prompt = id, words
	if err := checkpoint.CreateNow(t.Context(), r.Context, s, rec); err != nil {
		t.Fatal(err)
	}
}

func refsFirst() settings.Checkpoints   { return settings.Checkpoints{Primary: checkpoint.TypeRefs} }
func branchFirst() settings.Checkpoints { return settings.Checkpoints{Primary: checkpoint.TypeBranch} }
