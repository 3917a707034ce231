package queue

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// Remote is a remote that the user let records go to.
type Remote struct {
	Key      string    `json:"key"`  // of its address
	Name     string    `json:"name"` // as it was called when it was approved
	Approved time.Time `json:"approved_at"`
	Pushed   time.Time `json:"pushed_at,omitzero"` // the last push that landed something, or found nothing to send
	Failed   time.Time `json:"failed_at,omitzero"` // the last push that failed as a whole
	Failure  string    `json:"failure,omitempty"`  // why; "" since one went through
}

// book is sync.json.
type book struct {
	Schema  string   `json:"schema"`
	Remotes []Remote `json:"remotes"`
}

const bookSchema = "overturn.sync.remotes/1"

func (q *Queue) folder() string      { return filepath.Join(q.common, "overturn") }
func (q *Queue) bookFile() string    { return filepath.Join(q.folder(), "sync.json") }
func (q *Queue) fetchedFile() string { return filepath.Join(q.folder(), "fetched.jsonl") }

// InUse tells whether any remote was approved. It costs one lstat.
func (q *Queue) InUse() bool {
	_, err := os.Lstat(q.bookFile())
	return !errors.Is(err, fs.ErrNotExist)
}

// Remotes lists the remotes in use, in the order in which they were approved.
func (q *Queue) Remotes() ([]Remote, error) {
	data, err := durable.ReadFile(q.bookFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var b book
	if err == nil {
		err = json.Unmarshal(data, &b)
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read which remotes records go to").
			WithHint("remove %s; the next push asks again", q.bookFile())
	}
	return b.Remotes, nil
}

// Approved tells whether records may go to the remote with the given key.
func (q *Queue) Approved(key string) (bool, error) {
	used, err := q.Remotes()
	return slices.ContainsFunc(used, func(r Remote) bool { return r.Key == key }), err
}

// Approve lets records go to a remote from now on, and queues all that are here for
// it. Once more for the same remote changes its name alone.
func (q *Queue) Approve(ctx context.Context, key, name string) error {
	lock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	used, err := q.Remotes()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(used, func(r Remote) bool { return r.Key == key }); i >= 0 {
		if used[i].Name == name {
			return nil
		}
		used[i].Name = name
		return q.writeBook(used)
	}
	// First the book: what is recorded from here on queues itself. What is recorded
	// already is queued after it, so that a crash in between leaves Refill to do it.
	if err := q.writeBook(append(used, Remote{Key: key, Name: name, Approved: q.clock().UTC()})); err != nil {
		return err
	}
	own, err := q.own(ctx)
	if err != nil {
		return err
	}
	return q.addFor(ctx, key, own)
}

// Refill queues for a remote what it does not have and what no line speaks of: a
// crash between a record and its line leaves such. has tells whether the remote has
// the ref, and all that its value holds.
func (q *Queue) Refill(ctx context.Context, key string, has func(ref Ref) (bool, error)) error {
	lock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	own, err := q.own(ctx)
	if err != nil {
		return err
	}
	var lacks []Ref
	for _, ref := range own {
		there, err := has(ref)
		if err != nil {
			return err
		}
		if !there {
			lacks = append(lacks, ref)
		}
	}
	return q.addFor(ctx, key, lacks)
}

// addFor queues refs for one remote where they do not wait for it. The lock is held.
func (q *Queue) addFor(ctx context.Context, key string, list []Ref) error {
	p, err := q.read(ctx)
	if err != nil {
		return err
	}
	added := false
	for _, ref := range list {
		if e := p.byRef[ref.Name]; e == nil || !e.waitsFor(key, ref.Value) {
			p.add(&Entry{Ref: ref.Name, To: []string{key}})
			if e != nil {
				delete(e.Sent, key) // the remote lost it
			}
			added = true
		}
	}
	if !added {
		return nil
	}
	return q.write(p)
}

// Note writes down how the last push to a remote ended as a whole; nil for well.
func (q *Queue) Note(ctx context.Context, key string, failure error) error {
	lock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	used, err := q.Remotes()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(used, func(r Remote) bool { return r.Key == key })
	if i < 0 {
		return nil
	}
	if failure != nil {
		used[i].Failed, used[i].Failure = q.clock().UTC(), failure.Error()
	} else {
		used[i].Pushed, used[i].Failure = q.clock().UTC(), ""
	}
	return q.writeBook(used)
}

func (q *Queue) writeBook(used []Remote) error {
	data, err := json.Marshal(book{bookSchema, used})
	if err != nil {
		return err
	}
	durable.Point("queue.writebook.mkdir")
	if err := os.Mkdir(q.folder(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return model.Failf(err, "cannot make the state folder").WithHint("check that %s can be written", q.common)
	}
	durable.SweepTemps(q.bookFile())
	if err := durable.ReplaceFile(q.bookFile(), append(data, '\n'), 0o600); err != nil {
		return model.Failf(err, "cannot remember which remotes records go to").WithHint("see that the disk is not full")
	}
	return nil
}

// Came notes refs that came from a remote with the value that they hold now: they
// are not this machine's to send on until they change.
func (q *Queue) Came(list ...Ref) error {
	lines := make([][]byte, 0, len(list))
	for _, ref := range list {
		line, err := json.Marshal(cameLine{ref.Name, ref.Value})
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return nil
	}
	if err := durable.AppendLines(q.fetchedFile(), lines...); err != nil {
		return model.Failf(err, "cannot note what was fetched").WithHint("see that the disk is not full")
	}
	return nil
}

type cameLine struct {
	Ref   string `json:"ref"`
	Value string `json:"value"`
}

// Foreign is the last value in which each ref came. A torn line is passed over: its
// record is then taken for one of ours.
func (q *Queue) Foreign() (map[string]string, error) {
	lines, err := durable.ReadLines(q.fetchedFile())
	if err != nil {
		return nil, model.Failf(err, "cannot read what was fetched")
	}
	came := make(map[string]string, len(lines))
	for _, line := range lines {
		var c cameLine
		if json.Unmarshal(line, &c) == nil {
			came[c.Ref] = c.Value
		}
	}
	return came, nil
}

// Pending is what a push to a remote would begin with, approved or not. Nothing is
// written.
func (q *Queue) Pending(ctx context.Context, key string) ([]Ref, error) {
	if approved, err := q.Approved(key); err != nil || !approved {
		own, oerr := q.own(ctx)
		return own, errors.Join(err, oerr)
	}
	p, err := q.read(ctx)
	if err != nil {
		return nil, err
	}
	held, err := q.values(ctx, p)
	if err != nil {
		return nil, err
	}
	var list []Ref
	for _, e := range p.entries {
		if value := held[e.Ref]; value != "" && e.waitsFor(key, value) {
			list = append(list, Ref{e.Ref, value})
		}
	}
	return list, nil
}
