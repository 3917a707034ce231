package remotes

import (
	"context"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/durable"
	"overturn/model/trace"
)

// PushOptions say how a push is done.
type PushOptions struct {
	// First is how many refs go in the first git push, each later one twice as many;
	// 0 for all at once. Within a limit of time some of many arrive so, instead of none.
	First int
	// Refill looks first what the remote has, and queues what it lacks.
	Refill bool
	// Until is when no further git push is begun; zero for never.
	Until time.Time
}

// Report is what a push did.
type Report struct {
	Target   Target
	Pushed   []string // refs that the remote has now
	Queued   []Queued // refs that still wait
	Stale    []string // refs that waited and are gone
	Redacted int      // secrets that were taken out of what was made ready
}

// Queued is a ref that stays queued, and why.
type Queued struct{ Ref, Reason string }

// Push sends what waits for a remote that was approved. Refs that do not land stay
// queued and are in the report; the error is for what kept all of them back, and is
// nil when one landed.
func (e *Engine) Push(ctx context.Context, t Target, o PushOptions) (*Report, error) {
	p := &push{e: e, t: t, o: o, report: &Report{Target: t}, words: map[string]string{}}
	err := p.run(ctx)
	if noted := e.Queue.Note(context.WithoutCancel(ctx), t.Key, err); err == nil {
		err = noted
	}
	p.record(err)
	return p.report, err
}

// push is one run of Push.
type push struct {
	e      *Engine
	t      Target
	o      PushOptions
	report *Report
	words  map[string]string // by ref: why it did not land
}

// parcel is one ref on its way: what the queue had, and what leaves for it.
type parcel struct {
	queue.Ref        // local name and value
	out       string // commit that leaves in the place of value
	words     string // of the remote, why it diverged
	joined    string // the local commit, not yet in the ref, that out was made from; "" for value itself
}

func (p *push) run(ctx context.Context) error {
	if err := p.refill(ctx); err != nil {
		return err
	}
	drained, err := p.e.Queue.Drain(ctx, p.t.Key)
	if err != nil {
		return err
	}
	durable.Point("remotes.push.drained")
	p.report.Stale = drained.Stale
	list := drained.Refs
	var failed error
	for size := p.o.First; len(list) > 0; size *= 2 {
		n := len(list)
		if size > 0 {
			n = min(n, size)
		}
		if late := p.late(ctx); late != "" {
			p.keep(list, late)
			break
		}
		if err := p.batch(ctx, list[:n]); err != nil {
			failed = err
			p.keep(list, err.Error())
			break
		}
		list = list[n:]
	}
	if len(p.report.Pushed) > 0 {
		return nil
	}
	return failed
}

// late says why nothing more is begun, or "".
func (p *push) late(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "the push was cancelled"
	case !p.o.Until.IsZero() && p.e.Clock().After(p.o.Until):
		return "the time for this push was up"
	}
	return ""
}

// keep reports refs as queued without a mark in the queue: nothing was said of them.
func (p *push) keep(list []queue.Ref, why string) {
	for _, ref := range list {
		p.report.Queued = append(p.report.Queued, Queued{ref.Name, why})
	}
}

// batch sends some refs and settles them in the queue. An error says that nothing can
// be sent at all; then nothing of the batch was settled.
func (p *push) batch(ctx context.Context, list []queue.Ref) error {
	parcels, outcomes := p.ready(ctx, list)
	parcels, held := p.holdBranch(ctx, parcels)
	outcomes = append(outcomes, held...)
	if err := p.e.Outgoing.Save(ctx); err != nil {
		return err
	}
	durable.Point("remotes.push.ready")
	sent, err := p.send(ctx, parcels)
	outcomes = append(outcomes, sent...)
	durable.Point("remotes.push.sent")
	// What landed has landed, whether or not the caller still waits.
	if settled := p.e.Queue.Settle(context.WithoutCancel(ctx), p.t.Key, outcomes); settled != nil && err == nil {
		err = settled
	}
	durable.Point("remotes.push.settled")
	for _, o := range outcomes {
		if o.Reason == "" {
			p.report.Pushed = append(p.report.Pushed, o.Name)
		} else {
			p.report.Queued = append(p.report.Queued, Queued{o.Name, o.Reason})
		}
	}
	return err
}

// ready makes what leaves for each ref; one that cannot be made ready stays.
func (p *push) ready(ctx context.Context, list []queue.Ref) ([]parcel, []queue.Outcome) {
	parcels := make([]parcel, 0, len(list))
	var outcomes []queue.Outcome
	policy, barred := checkpoint.ReadPolicy(ctx, checkpoint.Context{Repo: p.e.Repo, Objects: p.e.Objects, Refs: p.e.Refs})
	for _, ref := range list {
		err := barred
		if err == nil {
			err = policy.Allows(formatOf(ref.Name))
		}
		if err == nil && ref.Name == checkpoint.BranchRef {
			if err = p.e.holdsRecords(ctx, ref); err != nil {
				err = model.Failf(err, "the branch holds no records and does not leave")
			}
		}
		out := ""
		if err == nil {
			out, err = p.outgoing(ctx, ref.Value)
		}
		if err != nil {
			outcomes = append(outcomes, queue.Outcome{Ref: ref, Reason: err.Error()})
			continue
		}
		parcels = append(parcels, parcel{Ref: ref, out: out})
	}
	return parcels, outcomes
}

// outgoing is what leaves for a commit; published are commits that are on this very
// remote. What came from another one is held against the rules of today.
func (p *push) outgoing(ctx context.Context, tip string, published ...string) (string, error) {
	out, findings, err := p.e.Outgoing.Outgoing(ctx, tip, published...)
	p.report.Redacted += len(findings)
	return out, err
}

// holdBranch keeps the branch of records back from a remote that has no other branch:
// it would become what people get when they clone.
func (p *push) holdBranch(ctx context.Context, parcels []parcel) (rest []parcel, held []queue.Outcome) {
	for _, c := range parcels {
		why := ""
		if c.Name == checkpoint.BranchRef {
			why = p.firstBranch(ctx)
		}
		if why == "" {
			rest = append(rest, c)
		} else {
			held = append(held, queue.Outcome{Ref: c.Ref, Reason: why})
		}
	}
	return rest, held
}

func (p *push) firstBranch(ctx context.Context) string {
	heads, err := p.e.ask(ctx, p.t, "--heads", "--", p.t.Name)
	if err != nil {
		return err.Error()
	}
	for name := range heads {
		if name != checkpoint.BranchRef {
			return ""
		}
	}
	return "the remote has no branch yet, and the records would become what is cloned: push a branch of yours first"
}

// record traces the push.
func (p *push) record(failed error) {
	r := p.report
	if len(r.Pushed)+len(r.Queued) == 0 && failed == nil {
		return
	}
	outcome := "complete"
	switch {
	case failed != nil:
		outcome = "failed"
	case len(r.Queued) > 0:
		outcome = "partial"
	}
	event := trace.Event{Event: trace.SyncPushed, Outcome: outcome, Detail: map[string]any{
		"remote": p.t.Label(), "pushed": len(r.Pushed), "queued": len(r.Queued), "redacted": r.Redacted,
	}}
	if failed != nil {
		event.Reason = failed.Error()
	}
	p.e.Trace.Record(event)
}
