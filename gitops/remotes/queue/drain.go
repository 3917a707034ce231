package queue

import (
	"context"
	"time"

	"overturn/model"
)

// Drained is what a push to one remote begins with.
type Drained struct {
	Refs  []Ref    // that wait for the remote, in the order in which they are tried
	Stale []string // that waited and are gone
}

// Drain tells what waits for a remote. It removes nothing but refs that are
// positively gone; several lines for the same ref become one.
func (q *Queue) Drain(ctx context.Context, remote string) (Drained, error) {
	lock, err := q.lock(ctx)
	if err != nil {
		return Drained{}, err
	}
	defer lock.Unlock()
	p, err := q.read(ctx)
	if err != nil {
		return Drained{}, err
	}
	held, err := q.values(ctx, p)
	if err != nil {
		return Drained{}, err
	}
	var d Drained
	kept := p.entries[:0:0]
	for _, e := range p.entries {
		value := held[e.Ref]
		switch {
		case value == "":
			d.Stale = append(d.Stale, e.Ref)
			continue
		case e.waitsFor(remote, value):
			d.Refs = append(d.Refs, Ref{e.Ref, value})
		}
		kept = append(kept, e)
	}
	if p.redundant || p.damaged > 0 || len(d.Stale) > 0 {
		p.entries = kept
		return d, q.write(p)
	}
	return d, nil
}

func (q *Queue) values(ctx context.Context, p *parsed) (map[string]string, error) {
	names := make([]string, len(p.entries))
	for i, e := range p.entries {
		names[i] = e.Ref
	}
	held, err := q.refs.Values(ctx, names)
	if err != nil {
		return nil, model.Failf(err, "cannot look up what waits to be pushed")
	}
	return held, nil
}

// Outcome is how the push of one ref ended. Value is the one that was drained.
type Outcome struct {
	Ref
	Reason string // why it did not land; "" when the remote has it, as was confirmed
}

// Settle writes down how a push ended. A ref that every remote in use has leaves the
// queue, unless it moved meanwhile; one that failed goes to the back.
func (q *Queue) Settle(ctx context.Context, remote string, outcomes []Outcome) error {
	if len(outcomes) == 0 {
		return nil
	}
	lock, err := q.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	p, err := q.read(ctx)
	if err != nil {
		return err
	}
	failed := map[string]bool{}
	for _, o := range outcomes {
		e := p.byRef[o.Name]
		if e == nil {
			continue // it left meanwhile: another process pushed it too
		}
		if e.settle(remote, o, q.clock()); o.Reason != "" {
			failed[o.Name] = true
		}
	}
	p.rotate(func(e *Entry) bool { return failed[e.Ref] })
	if err := q.dropDone(ctx, p); err != nil {
		return err
	}
	return q.write(p)
}

// dropDone takes out what every remote that an entry waits for has.
func (q *Queue) dropDone(ctx context.Context, p *parsed) error {
	used, err := q.Remotes()
	if err != nil {
		return err
	}
	held, err := q.values(ctx, p)
	if err != nil {
		return err
	}
	kept := p.entries[:0:0]
	for _, e := range p.entries {
		waits := false
		for _, r := range used {
			waits = waits || e.waitsFor(r.Key, held[e.Ref])
		}
		if waits {
			kept = append(kept, e)
		}
	}
	p.entries = kept
	return nil
}

// Waiting counts what waits for each remote in use, by its key, and for any of them.
func (q *Queue) Waiting(ctx context.Context) (each map[string][]Waits, any int, err error) {
	used, err := q.Remotes()
	if err != nil || len(used) == 0 {
		return nil, 0, err
	}
	p, err := q.read(ctx)
	if err != nil {
		return nil, 0, err
	}
	held, err := q.values(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	each = map[string][]Waits{}
	for _, e := range p.entries {
		waits := false
		for _, r := range used {
			if value := held[e.Ref]; value != "" && e.waitsFor(r.Key, value) {
				each[r.Key] = append(each[r.Key], Waits{e.Ref, e.Failed[r.Key]})
				waits = true
			}
		}
		if waits {
			any++
		}
	}
	return each, any, nil
}

// Waits is a ref that waits for a remote, with its last failure there, if any.
type Waits struct {
	Ref     string
	Failure Failure
}

// settle notes one outcome.
func (e *Entry) settle(remote string, o Outcome, now time.Time) {
	if o.Reason == "" {
		if e.Sent == nil {
			e.Sent = map[string]string{}
		}
		e.Sent[remote] = o.Value
		delete(e.Failed, remote)
		return
	}
	if e.Failed == nil {
		e.Failed = map[string]Failure{}
	}
	e.Failed[remote] = Failure{Reason: o.Reason, At: now.UTC(), Tries: e.Failed[remote].Tries + 1}
}
