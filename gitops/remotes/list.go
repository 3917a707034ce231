package remotes

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/model"
)

// Listed is a record that a remote has, by its name alone.
type Listed struct {
	ID      model.ID
	Ref     string
	Remotes []Target  // that have it, the first candidate first
	At      time.Time // from a ULID; zero for a hex id
}

// Listing is what remotes have.
type Listing struct {
	Records  []Listed // newest first
	Branches []Target // remotes that have a branch of records, whose records have no names of their own
	Failed   []error  // one for each remote that did not answer
	Asked    int      // how many were asked
}

// List asks the remotes for the names of their records, all at once, each within its
// own limit. That some fail takes nothing from what the others have.
func (e *Engine) List(ctx context.Context, targets []Target) Listing {
	answers := make([]map[string]string, len(targets))
	failures := make([]error, len(targets))
	var wg sync.WaitGroup
	for i, t := range targets {
		wg.Add(1)
		go func() {
			defer wg.Done()
			answers[i], failures[i] = e.Advertised(ctx, t)
		}()
	}
	wg.Wait()
	l := Listing{Asked: len(targets)}
	at := map[model.ID]int{}
	for i, t := range targets {
		if failures[i] != nil {
			l.Failed = append(l.Failed, failures[i])
			continue
		}
		for name := range answers[i] {
			l.add(at, name, t)
		}
	}
	slices.SortFunc(l.Records, func(a, b Listed) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(string(b.ID), string(a.ID))
	})
	return l
}

func (l *Listing) add(at map[model.ID]int, name string, t Target) {
	if name == checkpoint.BranchRef {
		l.Branches = append(l.Branches, t)
		return
	}
	id, err := checkpoint.ParseRef(name)
	if err != nil {
		return // somebody else's ref below our prefix
	}
	i, known := at[id]
	if !known {
		i = len(l.Records)
		at[id] = i
		record := Listed{ID: id, Ref: name}
		if checkpoint.KindOf(string(id)) == checkpoint.KindULID {
			record.At = id.Time()
		}
		l.Records = append(l.Records, record)
	}
	l.Records[i].Remotes = append(l.Records[i].Remotes, t)
}

// Advertised asks a remote for all refs of records, and of their policy, with their
// values.
func (e *Engine) Advertised(ctx context.Context, t Target) (map[string]string, error) {
	return e.ask(ctx, t, "--refs", "--", t.Name, checkpoint.RefPrefix+"*", checkpoint.BranchRef, checkpoint.PolicyRef)
}

// ask is git ls-remote.
func (e *Engine) ask(ctx context.Context, t Target, args ...string) (map[string]string, error) {
	if err := e.gaveUp(t); err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeoutCause(ctx, e.Limits.Ask, errTimeout)
	defer cancel()
	out, err := e.Repo.GitWith(bounded, gitops.CommandOptions{Network: true}, append([]string{"ls-remote", "--quiet"}, args...)...)
	if err != nil {
		err = transportError(err, t, "ask")
		e.giveUp(ctx, t, err)
		return nil, err
	}
	have := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if value, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			have[name] = value
		}
	}
	return have, nil
}
