package remotes

import (
	"context"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/trace"
)

// Rewriter gives what may leave the machine in the place of a commit; see
// outgoing.Rewriter.
type Rewriter interface {
	Outgoing(ctx context.Context, tip string, published ...string) (commit string, findings []outgoing.Finding, err error)
	Save(ctx context.Context) error
	WentAs(oid string) []string
}

// Deps are what an Engine works with.
type Deps struct {
	Repo     *gitops.Repo
	Objects  *objects.Store
	Refs     *refs.Store
	Queue    *queue.Queue
	Outgoing Rewriter
	Clock    model.Clock
	Trace    trace.Recorder
	Remote   string // checkpoints.remote: the name or address of the one remote; "" for the usual ones
	Offered  bool   // Remote is a proposal of the repository's own files; see settings.Checkpoints
	Limits   Limits
}

// Limits bound what one call of git may take. Zero stands for the default.
type Limits struct {
	Ask  time.Duration // a listing, or the fetch of one record, from one remote
	Move time.Duration // a push, or a fetch of all
}

// The defaults of Limits: a listing of 10,000 names takes under a second, and nobody
// waits longer for a host that does not answer; a push may have megabytes to send.
const (
	defaultAsk  = 10 * time.Second
	defaultMove = 5 * time.Minute
)

// Engine pushes, fetches and lists. It is safe for several goroutines.
type Engine struct {
	Deps

	mu   sync.Mutex
	dead map[string]error // by the key of a remote: why it did not answer; it is not asked again
}

// New returns an engine. Nothing is read or asked before it is used.
func New(d Deps) *Engine {
	if d.Limits.Ask == 0 {
		d.Limits.Ask = defaultAsk
	}
	if d.Limits.Move == 0 {
		d.Limits.Move = defaultMove
	}
	return &Engine{Deps: d, dead: map[string]error{}}
}

// gaveUp is why a remote is not asked again, or nil.
func (e *Engine) gaveUp(t Target) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if cause := e.dead[t.Key]; cause != nil {
		return model.Failf(cause, "%s is not asked again, since it failed before", t.Label())
	}
	return nil
}

// giveUp remembers that a remote did not answer, so that many records cost one wait
// for it; that the caller went away says nothing about the remote.
func (e *Engine) giveUp(ctx context.Context, t Target, cause error) {
	if ctx.Err() != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dead[t.Key] = cause
}
