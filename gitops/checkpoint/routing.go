package checkpoint

import (
	"context"
	"errors"

	"overturn/model"
	"overturn/model/trace"
)

// order lists the stores that a record of this id is looked for in:
//
//	ULID                       the refs alone: the branch never has one
//	hex, primary git-branch    the branch alone: it is the truth about them
//	hex, primary git-refs      the refs, where migrated ones lie, then the branch
//
// What is no id at all goes to the primary, which says so.
func (t *Topology) order(id model.ID) []Store {
	var list []Store
	switch kind := KindOf(string(id)); {
	case kind == KindULID:
		list = []Store{t.refs}
	case kind == KindHex && t.primary == t.branch:
		list = []Store{t.branch}
	case kind == KindHex:
		list = []Store{t.refs, t.branch}
	}
	var there []Store
	for _, s := range list {
		if s != nil {
			there = append(there, s)
		}
	}
	if len(there) == 0 {
		there = []Store{t.primary}
	}
	return there
}

// stores lists those that are read, the primary first.
func (t *Topology) stores() []Store {
	list := []Store{t.primary}
	for _, s := range []Store{t.refs, t.branch} {
		if s != nil && s != t.primary {
			list = append(list, s)
		}
	}
	return list
}

// firstResolved asks the stores in their order. One that lacks the record, or cannot
// tell, is passed over for the next, so that a fetch which fails does not hide what
// lies on the branch; the last one's answer stands as it is. why is what kept the
// first ones from answering, nil when they had nothing.
func firstResolved[T any](order []Store, read func(Store) (T, error)) (got T, why, err error) {
	for i, s := range order {
		got, err = read(s)
		if err == nil || i == len(order)-1 {
			break
		}
		if !errors.Is(err, ErrNotFound) {
			why = err
		}
	}
	return got, why, err
}

// Read returns the record from the first store that has it. One that was read from a
// later store because an earlier one failed may be older than what that one holds;
// its Fallback says so.
func (t *Topology) Read(ctx context.Context, id model.ID) (*Record, error) {
	rec, why, err := firstResolved(t.order(id), func(s Store) (*Record, error) { return s.Read(ctx, id) })
	if err == nil && why != nil {
		rec.Fallback = why.Error()
	}
	return rec, err
}

// Evidence is routed as Read is.
func (t *Topology) Evidence(ctx context.Context, id model.ID) ([]byte, error) {
	got, _, err := firstResolved(t.order(id), func(s Store) ([]byte, error) { return s.Evidence(ctx, id) })
	return got, err
}

// List is the union of what the stores have, each record once, newest first. Where
// two have it, the store that it is read from is named. A store beside the primary
// that cannot be listed is left out; ListAll says why.
func (t *Topology) List(ctx context.Context) ([]Info, error) {
	infos, _, err := t.ListAll(ctx)
	return infos, err
}

// ListAll is List with what is missing from it.
func (t *Topology) ListAll(ctx context.Context) (infos []Info, missing []error, err error) {
	found := map[model.ID]Info{}
	for _, s := range t.stores() {
		list, err := s.List(ctx)
		switch {
		case err != nil && s == t.primary:
			return nil, nil, err
		case err != nil:
			missing = append(missing, err)
			continue
		}
		for _, info := range list {
			if have, twice := found[info.ID]; !twice || info.At.After(have.At) || info.At.Equal(have.At) && t.order(info.ID)[0] == s {
				found[info.ID] = info
			}
		}
	}
	infos = make([]Info, 0, len(found))
	for _, info := range found {
		infos = append(infos, info)
	}
	SortInfos(infos)
	return infos, missing, nil
}

// write tries the stores in their order, as Update says, and tells which one took it.
func (t *Topology) write(ctx context.Context, id model.ID, try func(Store) error) (Store, error) {
	order := t.order(id)
	for i, s := range order {
		if err := t.allowed(ctx, s); err != nil {
			return nil, err
		}
		err := try(s)
		if errors.Is(err, ErrNotFound) && i < len(order)-1 {
			continue
		}
		if err == nil && s != t.primary {
			t.c.Trace.Record(trace.Event{
				At: t.c.Clock().UTC(), Event: trace.CheckpointCreate, Outcome: "routed", ID: id,
				Reason: "the record lies in the " + s.Type() + " store, not in the primary one, and was updated there",
			})
		}
		return s, err
	}
	return nil, MissingError(id, t.Type())
}
