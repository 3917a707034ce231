package remotes

import (
	"context"
	"errors"
	"slices"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/durable"
)

// rounds is how often a push that others keep overtaking starts over.
const rounds = 5

// recover fetches what the remote has in the place of refs that diverged, joins it
// with ours, and pushes again. The remote's commit stays an ancestor; nothing is forced.
func (p *push) recover(ctx context.Context, apart []parcel) []queue.Outcome {
	var done []queue.Outcome
	for round := 0; len(apart) > 0; round++ {
		if late := p.late(ctx); late != "" || round == rounds {
			if late != "" {
				return append(done, outcomes(apart, late)...)
			}
			for _, c := range apart {
				done = append(done, queue.Outcome{Ref: c.Ref, Reason: "others kept writing it on the remote: " + c.words})
			}
			return done
		}
		theirs, bad, err := p.theirs(ctx, apart)
		if err != nil {
			return append(done, outcomes(apart, err.Error())...)
		}
		apart = slices.DeleteFunc(apart, func(c parcel) bool {
			why, damaged := bad[c.Name]
			if damaged {
				done = append(done, queue.Outcome{Ref: c.Ref, Reason: why})
			}
			return damaged
		})
		next, settled := p.joinAll(ctx, apart, theirs)
		done = append(done, settled...)
		if len(next) == 0 {
			return done
		}
		if err := p.e.Outgoing.Save(ctx); err != nil {
			return append(done, outcomes(next, err.Error())...)
		}
		durable.Point("remotes.push.joined")
		answers, err := p.pushOnce(ctx, next)
		if err != nil {
			return append(done, outcomes(next, err.Error())...)
		}
		apart = apart[:0:0]
		for _, c := range next {
			switch a := answers[c.Name]; a.verdict {
			case landed:
				done = append(done, p.adopt(ctx, c))
			case diverged:
				c.words = a.words
				apart = append(apart, c)
			default:
				done = append(done, queue.Outcome{Ref: c.Ref, Reason: a.words})
			}
		}
	}
	return done
}

func outcomes(parcels []parcel, why string) []queue.Outcome {
	list := make([]queue.Outcome, len(parcels))
	for i, c := range parcels {
		list[i] = queue.Outcome{Ref: c.Ref, Reason: why}
	}
	return list
}

// namedAtOnce is how many refs a fetch names one by one; more are fetched with all
// others, which is one short line too.
const namedAtOnce = 200

// theirs fetches the remote's values of refs; one that it does not have any more has
// none, and of one that is damaged there bad says so.
func (p *push) theirs(ctx context.Context, apart []parcel) (came, bad map[string]string, err error) {
	var patterns []string
	for _, c := range apart {
		patterns = append(patterns, c.Name+"*")
	}
	if len(patterns) > namedAtOnce {
		patterns = allPatterns()
	}
	box, err := p.e.openOutbox(p.t, nil)
	if err != nil {
		return nil, nil, err
	}
	defer box.close()
	return box.fetchSound(ctx, p.t, p.limit(), patterns...)
}

// joinAll joins each ref with the remote's value. What the remote has already, and
// what truly conflicts, is settled.
func (p *push) joinAll(ctx context.Context, apart []parcel, theirs map[string]string) (next []parcel, settled []queue.Outcome) {
	w := p.e.Objects.NewWriter()
	for _, c := range apart {
		c.joined = ""
		out, err := p.joinOne(ctx, w, &c, theirs[c.Name])
		switch {
		case err != nil:
			settled = append(settled, queue.Outcome{Ref: c.Ref, Reason: err.Error()})
		case out == "":
			settled = append(settled, p.behind(ctx, c, theirs[c.Name]))
		default:
			c.out = out
			next = append(next, c)
		}
	}
	if err := w.Flush(ctx); err != nil {
		return nil, append(settled, outcomes(next, err.Error())...)
	}
	return next, settled
}

// joinOne is what leaves so that the remote can fast-forward to it; "" where it has
// all of ours.
func (p *push) joinOne(ctx context.Context, w *objects.Writer, c *parcel, theirs string) (string, error) {
	if theirs == "" {
		return c.out, nil // it is gone there: what we have is new to it
	}
	if err := p.e.holdsRecords(ctx, queue.Ref{Name: c.Name, Value: theirs}); err != nil {
		return "", model.Failf(err, "what the remote has there is no record")
	}
	leaves, err := p.outgoing(ctx, c.Value, theirs)
	if err != nil {
		return "", err
	}
	s, err := p.e.compare(ctx, c.Value, leaves, theirs)
	switch {
	case err != nil:
		return "", err
	case s.base == leaves:
		return "", nil
	case s.onlyOurs:
		return leaves, nil
	}
	if c.joined, err = p.e.merge(ctx, c.Name, s, w); err != nil {
		return "", err
	}
	return p.outgoing(ctx, c.joined, theirs)
}

// behind settles a ref of which the remote has all, and more: that is taken in.
func (p *push) behind(ctx context.Context, c parcel, theirs string) queue.Outcome {
	a := &acceptance{e: p.e}
	next, err := a.join(ctx, queue.Ref{Name: c.Name, Value: theirs}, c.Value)
	if err != nil {
		return queue.Outcome{Ref: c.Ref, Reason: err.Error()}
	}
	if next != "" {
		c.Value = next
	}
	return queue.Outcome{Ref: c.Ref}
}

// adopt has the local ref hold the join that the remote took. Where it moved on
// meanwhile it stays, still queued, and the next push joins again.
func (p *push) adopt(ctx context.Context, c parcel) queue.Outcome {
	if c.joined == "" {
		return queue.Outcome{Ref: c.Ref}
	}
	err := p.e.Refs.Apply(ctx, []refs.Update{{Name: c.Name, Old: c.Value, New: c.joined}})
	switch {
	case err == nil:
		c.Value = c.joined
		if err := p.e.Queue.Enqueue(ctx, c.Name); err != nil { // other remotes want the join too
			return queue.Outcome{Ref: c.Ref, Reason: err.Error()}
		}
	case !errors.Is(err, refs.ErrMoved):
		return queue.Outcome{Ref: c.Ref, Reason: err.Error()}
	}
	return queue.Outcome{Ref: c.Ref}
}

// allPatterns are the refs of all records.
func allPatterns() []string { return []string{recordsPattern, branchPattern} }
