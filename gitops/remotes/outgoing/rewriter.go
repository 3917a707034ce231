package outgoing

import (
	"context"
	"slices"
	"sync"

	"overturn/gitops/objects"
	"overturn/gitops/remotes/redact"
)

// Options are what a Rewriter works with.
type Options struct {
	Objects  *objects.Store
	Redactor *redact.Redactor
	Cache    string // file that remembers commits already rewritten; "" for none. It can be deleted at any time
}

// Finding is something that was taken out of a file of a record.
type Finding struct {
	Path string // in the commit's tree; "" for the message
	redact.Finding
}

// Rewriter rewrites the commits of records for the wire. It is safe for several
// goroutines.
type Rewriter struct {
	Options
	writer *objects.Writer

	gate sync.RWMutex // held for reading while something is written to writer
	mu   sync.Mutex   // of what follows
	kept *cache       // nil before it is first needed
}

// New returns a Rewriter. Nothing is read before it is used.
func New(o Options) *Rewriter { return &Rewriter{Options: o, writer: o.Objects.NewWriter()} }

// Outgoing is the commit that leaves in the place of tip, a commit of a record
// (its tree is the record) or of the branch of records: the same one where nothing was
// found in it and its ancestors, else one with the same identities, dates and
// messages, whose ancestors are the rewritten ones. The same tip gives the same
// commit, so that a record that grew is a fast-forward of what was pushed. Commits
// in published, and their ancestors, are on that very remote already and stand for
// themselves; so does what they were rewritten from, whatever the rules were.
// findings are those of commits that were not rewritten before; Preview has all.
// A record that may not leave is a *HeldError.
//
// The commit can be pushed after Save.
func (r *Rewriter) Outgoing(ctx context.Context, tip string, published ...string) (commit string, findings []Finding, err error) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	c := &chain{r: r}
	if c.published, err = r.below(ctx, published); err != nil {
		return "", nil, err
	}
	commit, err = c.rewrite(ctx, tip)
	if err != nil {
		return "", nil, err
	}
	return commit, c.findings, nil
}

// Save stores what Outgoing made since the last Save, and then remembers it as well as it
// can.
func (r *Rewriter) Save(ctx context.Context) error {
	r.gate.Lock()
	defer r.gate.Unlock()
	if err := r.writer.Flush(ctx); err != nil {
		return err
	}
	if r.kept != nil {
		r.kept.save(r.Cache)
	}
	return nil
}

// below is commits and all that they rest on, as far as it is here.
func (r *Rewriter) below(ctx context.Context, commits []string) (map[string]bool, error) {
	all := map[string]bool{}
	for waits := slices.Clone(commits); len(waits) > 0; {
		oid := waits[len(waits)-1]
		waits = waits[:len(waits)-1]
		if all[oid] {
			continue
		}
		all[oid] = true
		parents, err := r.parents(ctx, oid)
		if err != nil {
			return nil, err
		}
		waits = append(waits, parents...)
	}
	return all, nil
}

// parents are those of a commit; none where it is not in this repository, as beyond the
// border of a shallow clone.
func (r *Rewriter) parents(ctx context.Context, oid string) ([]string, error) {
	here, err := r.Objects.Has(ctx, oid)
	if err != nil || !here {
		return nil, err
	}
	commit, err := r.Objects.Commit(ctx, oid)
	return commit.Parents, err
}

// WentAs are the commits that left, or may have, in the place of a commit, as far as it is
// remembered.
func (r *Rewriter) WentAs(oid string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, e := range r.load().entries[oid] {
		list = append(list, e.out)
	}
	return list
}

// outAs is as what a commit is among those that are out, "" where that is not known.
func (r *Rewriter) outAs(oid string, published map[string]bool) string {
	switch {
	case published[oid]:
		return oid
	case len(published) == 0:
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.load().find(oid, func(e entry) bool { return published[e.out] })
}

// cached is the kept result of a commit under the rules of now, "" where there is none
// that still holds.
func (r *Rewriter) cached(ctx context.Context, oid string) (string, error) {
	r.mu.Lock()
	out := r.load().find(oid, func(e entry) bool { return e.rules == r.Redactor.Fingerprint() })
	r.mu.Unlock()
	if out == "" || out == oid {
		return out, nil
	}
	// No ref of this repository names it: gc may have taken it.
	here, err := r.Objects.Has(ctx, out)
	if !here {
		out = ""
	}
	return out, err
}

// remember keeps a result. One that rests on what a remote has is that remote's alone: it
// holds again where out is on the remote.
func (r *Rewriter) remember(oid, out string, rests bool) {
	rules := r.Redactor.Fingerprint()
	if rests {
		rules = someRemote
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load().add(oid, entry{out: out, rules: rules, used: true})
}

// load is the cache, read when it is first needed.
func (r *Rewriter) load() *cache {
	if r.kept == nil {
		r.kept = readCache(r.Cache)
	}
	return r.kept
}
