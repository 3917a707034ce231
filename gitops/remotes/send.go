package remotes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes/queue"
)

// splits is how many git pushes a batch that the remote declined as a whole may cost:
// enough to find one poisoned ref among many, and not one for each.
const splits = 32

// send pushes parcels, joins what diverged, and says for each ref how it ended. The
// error says that the remote cannot be reached, or gave no answer.
func (p *push) send(ctx context.Context, parcels []parcel) ([]queue.Outcome, error) {
	if len(parcels) == 0 {
		return nil, nil
	}
	answers, err := p.pushOnce(ctx, parcels)
	if err != nil {
		return nil, err
	}
	if p.declinedAll(parcels, answers) && len(parcels) > 1 {
		answers = p.split(ctx, parcels)
	}
	var outcomes []queue.Outcome
	var apart []parcel
	for _, c := range parcels {
		switch a := answers[c.Name]; a.verdict {
		case landed:
			outcomes = append(outcomes, queue.Outcome{Ref: c.Ref})
		case diverged:
			c.words = a.words
			apart = append(apart, c)
		default:
			outcomes = append(outcomes, queue.Outcome{Ref: c.Ref, Reason: a.words})
		}
	}
	return append(outcomes, p.recover(ctx, apart)...), nil
}

// pushOnce is one git push of all parcels: one wildcard each for the records and for
// the branch of records.
func (p *push) pushOnce(ctx context.Context, parcels []parcel) (map[string]answer, error) {
	list := make([]queue.Ref, len(parcels))
	kinds := map[string]bool{}
	for i, c := range parcels {
		list[i] = queue.Ref{Name: c.Name, Value: c.out}
		spec := checkpoint.RefPrefix + "*"
		if c.Name == checkpoint.BranchRef {
			spec = c.Name
		}
		kinds[spec+":"+spec] = true
	}
	box, err := p.e.openOutbox(p.t, list)
	if err != nil {
		return nil, err
	}
	defer box.close()
	args := []string{
		"-c", "push.followTags=false", "-c", "push.pushOption=", "-c", "push.useForceIfIncludes=false",
		"push", "--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no", "--", p.t.Name,
	}
	out, err := box.git(ctx, p.limit(), append(args, slices.Sorted(maps.Keys(kinds))...)...)
	answers := parsePush(out)
	if err == nil {
		return answers, nil
	}
	var ge *gitops.GitError
	if !errors.As(err, &ge) {
		return nil, err
	}
	if complete(parcels, answers) {
		return p.inWords(answers, remoteWords(ge.Stderr)), nil
	}
	if p.late(ctx) != "" {
		return nil, transportError(err, p.t, "push to")
	}
	// The connection broke: what was accepted before it did, the remote itself knows.
	confirmed, asked := p.confirm(ctx, parcels)
	if asked != nil || len(confirmed) == 0 && len(answers) == 0 {
		return nil, transportError(err, p.t, "push to")
	}
	why := firstWords(ge.Stderr)
	for _, c := range parcels {
		switch a, said := answers[c.Name]; {
		case confirmed[c.Name]:
			answers[c.Name] = answer{verdict: landed}
		case !said || a.verdict == landed || a.verdict == unknown: // git speaks of what it sent, not of what arrived
			answers[c.Name] = answer{unknown, "the push was cut short: " + why}
		}
	}
	return answers, nil
}

// limit is how long one git push may take.
func (p *push) limit() time.Duration {
	d := p.e.Limits.Move
	if !p.o.Until.IsZero() {
		d = max(min(d, p.o.Until.Sub(p.e.Clock())), 1)
	}
	return d
}

// complete tells whether git spoke of every ref, and the remote answered for each.
func complete(parcels []parcel, answers map[string]answer) bool {
	for _, c := range parcels {
		if answers[c.Name].verdict == unknown {
			return false
		}
	}
	return true
}

// inWords gives refusals the remote's own words.
func (p *push) inWords(answers map[string]answer, said string) map[string]answer {
	for name, a := range answers {
		if a.verdict == refused {
			a.words = "the remote refused it: " + a.words
			if said != "" {
				a.words += ": " + said
			}
			answers[name] = a
		}
	}
	return answers
}

// confirm asks the remote which parcels it has.
func (p *push) confirm(ctx context.Context, parcels []parcel) (map[string]bool, error) {
	have, err := p.e.Advertised(ctx, p.t)
	if err != nil {
		return nil, err
	}
	confirmed := map[string]bool{}
	for _, c := range parcels {
		if have[c.Name] == c.out {
			confirmed[c.Name] = true
		}
	}
	return confirmed, nil
}

// declinedAll tells whether one hook of the remote turned the whole push down: one
// ref that it does not like would keep back all others.
func (p *push) declinedAll(parcels []parcel, answers map[string]answer) bool {
	for _, c := range parcels {
		if a := answers[c.Name]; a.verdict != refused || !strings.Contains(a.words, "pre-receive") {
			return false
		}
	}
	return true
}

// split sends halves, and halves of those that are declined, so that only what the
// remote does not like stays. Where the first and the last ref are both declined
// alone, it likes none, and nothing more is tried.
func (p *push) split(ctx context.Context, parcels []parcel) map[string]answer {
	answers := map[string]answer{}
	left := splits
	try := func(some []parcel) bool {
		left--
		got, err := p.pushOnce(ctx, some)
		for _, c := range some {
			if err != nil {
				got = map[string]answer{c.Name: {unknown, err.Error()}}
			}
			answers[c.Name] = got[c.Name]
		}
		return err == nil && !p.declinedAll(some, got)
	}
	first, last := try(parcels[:1]), try(parcels[len(parcels)-1:])
	rest := parcels[1 : len(parcels)-1]
	if !first && !last {
		for _, c := range rest {
			answers[c.Name] = answers[parcels[0].Name]
		}
		return answers
	}
	p.halve(rest, try, &left, answers)
	return answers
}

func (p *push) halve(some []parcel, try func([]parcel) bool, left *int, answers map[string]answer) {
	if len(some) == 0 {
		return
	}
	if *left <= 0 {
		for _, c := range some {
			answers[c.Name] = answer{refused, "the remote refused it together with others"}
		}
		return
	}
	if try(some) || len(some) == 1 {
		return
	}
	p.halve(some[:len(some)/2], try, left, answers)
	p.halve(some[len(some)/2:], try, left, answers)
}
