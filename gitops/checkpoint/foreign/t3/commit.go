package t3

import (
	"context"
	"errors"
	"sync"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
)

// Snapshot is the commit of a boundary.
type Snapshot struct {
	Tree string    // of the whole repository
	At   time.Time // when it was captured, by T3 Code's clock
	Note string    // what is odd about it, "" where it is as T3 Code makes them
}

// The identity of T3 Code's commits, and what begins their message.
const (
	authorName   = "T3 Code"
	authorEmail  = "t3code@users.noreply.github.com"
	messageBegin = "t3 checkpoint ref="
)

// Snapshot reads the commit of a boundary. The error says in words why there is no
// snapshot. What is no checkpoint by its form, but a commit all the same, is one with a
// note: a copy, a rewritten history or a fork's are still states of the work tree.
func (r *Reader) Snapshot(ctx context.Context, b Boundary) (Snapshot, error) {
	if b.Broken != "" {
		return Snapshot{}, model.Errorf(model.CodeFailed, "%s: %s", b.Ref, b.Broken)
	}
	c, err := r.commit(ctx, b.Commit)
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Tree: c.Tree, At: sane(c.Author.When), Note: oddity(b.Ref, &c)}, nil
}

// sane is a time that can be shown and written; zero for any other. A commit may name
// the year 100,000.
func sane(at time.Time) time.Time {
	const last = 9999
	if at = at.UTC(); at.Year() < 1970 || at.Year() > last {
		return time.Time{}
	}
	return at
}

// oddity says how a commit differs from those that T3 Code makes.
func oddity(ref string, c *objects.Commit) string {
	own := func(s objects.Signature) bool { return s.Name == authorName && s.Email == authorEmail }
	switch {
	case len(c.Parents) > 0:
		return "its commit has parents, which no checkpoint of T3 Code has"
	case !own(c.Author) || !own(c.Committer):
		return "its commit was not made by T3 Code"
	case c.Message == messageBegin+ref+"\n":
		return ""
	case len(c.Message) > len(messageBegin) && c.Message[:len(messageBegin)] == messageBegin:
		return "its commit names another ref: it was copied or renamed"
	}
	return "the message of its commit is not that of a checkpoint of T3 Code"
}

// commits keeps what was read: a commit never changes.
type commits struct {
	mu   sync.Mutex
	seen map[string]objects.Commit
}

func (r *Reader) commit(ctx context.Context, oid string) (objects.Commit, error) {
	r.commits.mu.Lock()
	c, ok := r.commits.seen[oid]
	r.commits.mu.Unlock()
	if ok {
		return c, nil
	}
	c, err := r.objects.Commit(ctx, oid)
	switch {
	case ctx.Err() != nil:
		return c, context.Cause(ctx)
	case errors.Is(err, objects.ErrNotFound):
		return c, model.Errorf(model.CodeFailed, "its commit %s is not stored here any more", oid)
	case err != nil:
		return c, model.Failf(err, "%s is no commit that can be read", oid)
	}
	r.commits.mu.Lock()
	defer r.commits.mu.Unlock()
	if r.commits.seen == nil {
		r.commits.seen = map[string]objects.Commit{}
	}
	r.commits.seen[oid] = c
	return c, nil
}
