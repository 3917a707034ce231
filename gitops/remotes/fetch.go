package remotes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
	"overturn/model"
	"overturn/model/trace"
)

// Fetched is what a fetch brought.
type Fetched struct {
	New     []string // refs that were not here
	Changed []string // refs that were here, and have what the remote has too
	Kept    []Queued // refs that stay as they are, and why: both sides changed the same, or what the remote has is damaged
}

// recordFactor is how many times longer than a listing the fetch of one record may
// take: snapshots that were shared come along.
const recordFactor = 3

// Fetch brings one record that is not here, from the first candidate that has it.
// found is false without an error where every remote that there is answered, and none
// has it. A remote that did not answer once is not asked again.
func (e *Engine) Fetch(ctx context.Context, id model.ID) (found bool, err error) {
	_, found, err = e.FetchFrom(ctx, id)
	return found, err
}

// FetchFrom is Fetch, and tells which remote the record came from.
func (e *Engine) FetchFrom(ctx context.Context, id model.ID) (from Target, found bool, err error) {
	name, err := checkpoint.RefName(id)
	if err != nil {
		return Target{}, false, err
	}
	targets, err := e.Candidates(ctx)
	if err != nil {
		return Target{}, false, err
	}
	patterns := []string{name + "*"}
	if checkpoint.KindOf(string(id)) == checkpoint.KindHex {
		patterns = append(patterns, branchPattern)
	}
	var failed []error
	for _, t := range targets {
		got, err := e.fetchFrom(ctx, t, name, patterns)
		if err == nil && got {
			return t, true, nil
		}
		if err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return Target{}, false, errors.Join(failed...)
}

// fetchFrom brings a record by its own ref, else the branch that may hold it.
func (e *Engine) fetchFrom(ctx context.Context, t Target, name string, patterns []string) (bool, error) {
	box, err := e.openOutbox(t, nil)
	if err != nil {
		return false, err
	}
	defer box.close()
	came, err := box.fetch(ctx, t, recordFactor*e.Limits.Ask, patterns...)
	if err != nil {
		return false, err
	}
	for _, wanted := range []string{name, checkpoint.BranchRef} {
		if came[wanted] == "" {
			continue
		}
		f, err := e.accept(ctx, t, []queue.Ref{{Name: wanted, Value: came[wanted]}})
		if err == nil && len(f.Kept) > 0 {
			err = model.Errorf(model.CodeFailed, "%s: %s", wanted, f.Kept[0].Reason)
		}
		return err == nil, err
	}
	return false, nil
}

// FetchAll brings every record that a remote has.
func (e *Engine) FetchAll(ctx context.Context, t Target) (Fetched, error) {
	box, err := e.openInbox(ctx, t)
	if err != nil {
		return Fetched{}, err
	}
	defer box.close()
	came, bad, err := box.fetchSound(ctx, t, e.Limits.Move, append(allPatterns(), policyPattern)...)
	if err != nil {
		return Fetched{}, err
	}
	if err := e.followPolicy(ctx, came[checkpoint.PolicyRef]); err != nil {
		return Fetched{}, err
	}
	var list []queue.Ref
	for name, value := range came {
		if _, err := checkpoint.ParseRef(name); err == nil || name == checkpoint.BranchRef {
			list = append(list, queue.Ref{Name: name, Value: value})
		}
	}
	slices.SortFunc(list, func(a, b queue.Ref) int { return strings.Compare(a.Name, b.Name) })
	f, err := e.accept(ctx, t, list)
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		f.Kept = append(f.Kept, Queued{name, bad[name]})
	}
	return f, err
}

// accept has local refs hold what came, and traces it.
func (e *Engine) accept(ctx context.Context, t Target, list []queue.Ref) (Fetched, error) {
	a := &acceptance{e: e}
	err := a.all(ctx, list)
	if n := len(a.f.New) + len(a.f.Changed); n > 0 || err != nil {
		event := trace.Event{Event: trace.SyncFetched, Outcome: "complete", Detail: map[string]any{
			"remote": t.Label(), "new": len(a.f.New), "changed": len(a.f.Changed), "kept": len(a.f.Kept),
		}}
		if err != nil {
			event.Outcome, event.Reason = "failed", err.Error()
		}
		e.Trace.Record(event)
	}
	return a.f, err
}

// acceptance is one run of accept.
type acceptance struct {
	e       *Engine
	f       Fetched
	foreign map[string]string
}

// acceptedAtOnce is how many refs move in one change: each holds a lock file open.
const acceptedAtOnce = 200

func (a *acceptance) all(ctx context.Context, list []queue.Ref) (err error) {
	if a.foreign, err = a.e.Queue.Foreign(); err != nil {
		return err
	}
	for some := range slices.Chunk(list, acceptedAtOnce) {
		if err := a.some(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// some accepts a few refs. Those that are new are one change; a ref that somebody else
// moved meanwhile is looked at again.
func (a *acceptance) some(ctx context.Context, list []queue.Ref) error {
	names := make([]string, len(list))
	for i, ref := range list {
		names[i] = ref.Name
	}
	held, err := a.e.Refs.Values(ctx, names)
	if err != nil {
		return err
	}
	var fresh []queue.Ref
	var updates []refs.Update
	for _, ref := range list {
		if held[ref.Name] == ref.Value {
			continue
		}
		if err := a.e.holdsRecords(ctx, ref); err != nil {
			a.f.Kept = append(a.f.Kept, Queued{ref.Name, "what the remote has there is no record: " + err.Error()})
			continue
		}
		switch held[ref.Name] {
		case "":
			fresh = append(fresh, ref)
			updates = append(updates, refs.Update{Name: ref.Name, New: ref.Value})
		default:
			if _, err := a.join(ctx, ref, held[ref.Name]); ctx.Err() != nil {
				return err
			} else if err != nil { // of this record alone: the others are to come
				a.f.Kept = append(a.f.Kept, Queued{ref.Name, err.Error()})
			}
		}
	}
	// Noted before it is here: in between it would be taken for one of ours.
	if err := a.e.Queue.Came(fresh...); err != nil {
		return err
	}
	if err := a.e.Refs.Apply(ctx, updates); err != nil {
		return model.Failf(err, "cannot keep what was fetched").WithHint("run it again")
	}
	for _, ref := range fresh {
		a.f.New = append(a.f.New, ref.Name)
	}
	return nil
}

// holdsRecords refuses what is no commit, and a branch of the records' name that holds
// something else: it is somebody's own.
func (e *Engine) holdsRecords(ctx context.Context, ref queue.Ref) error {
	commit, err := e.Objects.Commit(ctx, ref.Value)
	if err != nil || ref.Name != checkpoint.BranchRef {
		return err
	}
	root, err := e.Objects.Tree(ctx, commit.Tree)
	if err == nil && len(root) > 0 && !slices.ContainsFunc(root, checkpoint.IsShard) {
		err = model.Errorf(model.CodeFailed, "it was not made by overturn")
	}
	return err
}

// join has a ref that is here already hold both sides; next is its new value, "" where
// it stays.
func (a *acceptance) join(ctx context.Context, ref queue.Ref, ours string) (next string, err error) {
	leaves, _, err := a.e.Outgoing.Outgoing(ctx, ours, ref.Value)
	if err != nil {
		return "", err
	}
	s, err := a.e.compare(ctx, ours, leaves, ref.Value)
	if err != nil || s.onlyOurs || ref.Value == leaves {
		return "", err
	}
	next, err = a.both(ctx, ref, s)
	if err != nil || next == "" {
		return "", err
	}
	err = a.e.Refs.Apply(ctx, []refs.Update{{Name: ref.Name, Old: ours, New: next}})
	switch {
	case errors.Is(err, refs.ErrMoved):
		a.f.Kept = append(a.f.Kept, Queued{ref.Name, "it changed here meanwhile: fetch again"})
		return "", nil
	case err != nil:
		return "", err
	}
	a.f.Changed = append(a.f.Changed, ref.Name)
	if s.base == leaves {
		return next, nil // the remote has all of ours
	}
	return next, a.e.Queue.Enqueue(ctx, ref.Name)
}

// both is the commit that has both sides: theirs, where it leads on from ours, else a
// join; "" where they conflict.
func (a *acceptance) both(ctx context.Context, ref queue.Ref, s sides) (string, error) {
	if s.base == s.ours {
		if a.foreign[ref.Name] != s.ours {
			return ref.Value, nil
		}
		return ref.Value, a.e.Queue.Came(ref)
	}
	w := a.e.Objects.NewWriter()
	next, err := a.e.merge(ctx, ref.Name, s, w)
	if err != nil {
		w.Discard()
		a.f.Kept = append(a.f.Kept, Queued{ref.Name, err.Error()})
		return "", nil
	}
	return next, w.Flush(ctx)
}
