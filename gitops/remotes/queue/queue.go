package queue

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

// Queue is the push queue of one repository. It is safe for several goroutines and
// several processes.
type Queue struct {
	common string
	refs   *refs.Store
	clock  model.Clock
}

// Open returns the queue of repo. Nothing is read before it is used.
func Open(repo *gitops.Repo, store *refs.Store, clock model.Clock) *Queue {
	return &Queue{repo.CommonDir, store, clock}
}

// Ref is a ref and the value that it held when it was asked for.
type Ref struct{ Name, Value string }

// lockLimit bounds the wait for another process that writes the queue.
const lockLimit = 5 * time.Second

func (q *Queue) file() string { return filepath.Join(q.common, "overturn-push-queue.jsonl") }

// lock keeps other processes from writing.
func (q *Queue) lock(ctx context.Context) (*durable.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	return durable.Acquire(ctx, filepath.Join(q.common, "overturn-push-queue.lock"), "push queue")
}

// Enqueue has refs wait for every remote in use. It may be called again for the same
// ref, and after it was pushed. While no remote is in use it does nothing.
func (q *Queue) Enqueue(ctx context.Context, names ...string) error {
	if !q.InUse() || len(names) == 0 {
		return nil
	}
	lines := make([][]byte, 0, len(names))
	for _, name := range names {
		if !pushable(name) {
			return model.Errorf(model.CodeFailed, "ref %q is not a record's and is not queued", name)
		}
		line, err := (&Entry{Ref: name}).line()
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	lock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := durable.AppendLines(q.file(), lines...); err != nil {
		return model.Failf(err, "cannot queue what is to be pushed").WithHint("`overturn sync push` asks the remote, and queues what it lacks")
	}
	return nil
}

// Entries is what waits, in the order in which it is tried. Nothing is written.
func (q *Queue) Entries(ctx context.Context) ([]Entry, error) {
	p, err := q.read(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(p.entries))
	for i, e := range p.entries {
		list[i] = *e
	}
	return list, nil
}

// read parses the file. A damaged line may have named any ref, so all that can be
// queued is.
func (q *Queue) read(ctx context.Context) (*parsed, error) {
	data, err := durable.ReadFile(q.file())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, model.Failf(err, "cannot read the push queue").WithHint("see that %s can be read", q.file())
	}
	p := parse(data)
	if p.damaged == 0 {
		return p, nil
	}
	own, err := q.own(ctx)
	if err != nil {
		return nil, err
	}
	for _, ref := range own {
		p.add(&Entry{Ref: ref.Name})
	}
	return p, nil
}

// own lists the refs of records that were made here, or changed since they came.
func (q *Queue) own(ctx context.Context) ([]Ref, error) {
	all, err := q.refs.List(ctx, checkpoint.RefPrefix)
	if err != nil {
		return nil, err
	}
	branch, err := q.refs.Read(ctx, checkpoint.BranchRef)
	if err != nil {
		return nil, err
	}
	if branch != "" {
		all = append(all, refs.Ref{Name: checkpoint.BranchRef, OID: branch})
	}
	came, err := q.Foreign()
	if err != nil {
		return nil, err
	}
	var own []Ref
	for _, ref := range all {
		if pushable(ref.Name) && came[ref.Name] != ref.OID {
			own = append(own, Ref{ref.Name, ref.OID})
		}
	}
	return own, nil
}

// write replaces the file, or removes it when nothing waits. The lock is held.
func (q *Queue) write(p *parsed) error {
	if len(p.entries) == 0 {
		durable.Point("queue.write.remove")
		if err := os.Remove(q.file()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return model.Failf(err, "cannot empty the push queue")
		}
		return nil
	}
	data, err := p.lines()
	if err != nil {
		return err
	}
	durable.SweepTemps(q.file())
	if err := durable.ReplaceFile(q.file(), data, 0o600); err != nil {
		return model.Failf(err, "cannot write the push queue").WithHint("see that the disk is not full")
	}
	return nil
}
