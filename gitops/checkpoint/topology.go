package checkpoint

import (
	"context"
	"errors"

	"overturn/gitops/objects"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
)

// Topology is the store that a repository uses: one primary, which makes new records,
// any number of mirrors, which are written and never read, and the routes by which
// records of either kind of id are found (routing.go). It is a Store itself.
type Topology struct {
	c       Context
	primary Store
	refs    Store // nil where the program has no such backend, as branch
	branch  Store
	mirrors []Store
}

// Topology opens the backends that the settings name, CodeFailed when they name what
// there is not. No backend of another name is ever used in its place.
func (r *Registry) Topology(set settings.Checkpoints, c Context) (*Topology, error) {
	if c.Trace == nil {
		c.Trace = trace.Discard{}
	}
	t := &Topology{c: c}
	c.Mirror = false
	var err error
	if t.primary, err = r.Open(set.Primary, true, c); err != nil {
		return nil, misnamed(err)
	}
	if t.refs, err = r.beside(t.primary, TypeRefs, c); err != nil {
		return nil, err
	}
	if set.Primary != TypeBranch {
		c.Fetch = nil // the refs are asked first, and one fetch is enough
	}
	if t.branch, err = r.beside(t.primary, TypeBranch, c); err != nil {
		return nil, err
	}
	c.Fetch, c.Queue, c.Mirror = nil, nil, true
	named := map[string]bool{set.Primary: true}
	for _, name := range set.Mirrors {
		if named[name] {
			return nil, misnamed(model.Usagef("checkpoint backend %q is named twice", name).WithHint("name each backend once"))
		}
		named[name] = true
		mirror, err := r.Open(name, false, c)
		if err != nil {
			return nil, misnamed(err)
		}
		t.mirrors = append(t.mirrors, mirror)
	}
	return t, nil
}

// misnamed makes what the registry has to say an error of the settings, not of the
// command line.
func misnamed(err error) error {
	e := model.Errorf(model.CodeFailed, "the checkpoints setting cannot be followed")
	e.Err = err
	return e.WithHint("%s; `overturn config get checkpoints.primary` shows where it is set", model.HintOf(err))
}

// beside opens a backend that records may lie in from before.
func (r *Registry) beside(primary Store, name string, c Context) (Store, error) {
	if primary.Type() == name {
		return primary, nil
	}
	if _, known := r.backends[name]; !known {
		return nil, nil
	}
	return r.Open(name, true, c)
}

// Type is that of the primary.
func (t *Topology) Type() string { return t.primary.Type() }

// Mirrors are the types of the mirrors.
func (t *Topology) Mirrors() []string {
	var names []string
	for _, m := range t.mirrors {
		names = append(names, m.Type())
	}
	return names
}

// NewID makes an id of the primary.
func (t *Topology) NewID(ids *model.IDSource) (model.ID, error) { return t.primary.NewID(ids) }

// Create writes rec to the primary, whatever the kind of its id, if the policy allows
// its format; the mirrors and the queue are told when it is published.
func (t *Topology) Create(ctx context.Context, w *objects.Writer, rec *Record) (Pending, error) {
	if err := t.allowed(ctx, t.primary); err != nil {
		return Pending{}, err
	}
	pending, err := t.primary.Create(ctx, w, rec)
	if err != nil {
		return Pending{}, err
	}
	return t.followed(pending, t.primary, rec), nil
}

// Revise is routed by the kind of id (see Update).
func (t *Topology) Revise(ctx context.Context, w *objects.Writer, id model.ID, edit func(*Record) error) (Pending, error) {
	var after Record
	var pending Pending
	served, err := t.write(ctx, id, func(s Store) (err error) {
		pending, err = s.Revise(ctx, w, id, keeping(edit, &after))
		return err
	})
	if err != nil {
		return Pending{}, err
	}
	return t.followed(pending, served, &after), nil
}

// Update is routed by the kind of id: stores are tried in the order of reads, and the
// next one only where the record is positively not in the one before; any other error
// ends it, lest two copies grow apart.
func (t *Topology) Update(ctx context.Context, id model.ID, edit func(*Record) error) error {
	var after Record
	served, err := t.write(ctx, id, func(s Store) error { return s.Update(ctx, id, keeping(edit, &after)) })
	if err != nil {
		return err
	}
	t.tell(ctx, t.refOf(served, id), served, &after)
	return nil
}

// keeping has edit leave what it made in after, for those who follow.
func keeping(edit func(*Record) error, after *Record) func(*Record) error {
	return func(r *Record) error {
		err := edit(r)
		*after = *r
		return err
	}
}

// Forget lets go of the records in every store that they are read from. Mirrors keep
// them: they are backups.
func (t *Topology) Forget(ctx context.Context, ids ...model.ID) error {
	for _, s := range t.stores() {
		var here []model.ID
		for _, id := range ids {
			for _, one := range t.order(id) {
				if one == s {
					here = append(here, id)
				}
			}
		}
		if len(here) == 0 {
			continue
		}
		if err := s.Forget(ctx, here...); err != nil {
			return err
		}
	}
	return nil
}

// followed has those told who follow the store, once a write is published.
func (t *Topology) followed(pending Pending, served Store, rec *Record) Pending {
	if t.c.Queue == nil && len(t.mirrors) == 0 {
		return pending // a hook builds nothing that nobody hears
	}
	inner, kept := pending.Published, *rec
	names := namesOf(pending)
	pending.Published = func(ctx context.Context) {
		if inner != nil {
			inner(ctx)
		}
		t.tell(ctx, names, served, &kept)
	}
	return pending
}

func namesOf(p Pending) []string {
	var names []string
	for _, u := range p.Updates {
		names = append(names, u.Name)
	}
	return names
}

func (t *Topology) refOf(s Store, id model.ID) []string {
	if s.Type() == TypeBranch {
		return []string{BranchRef}
	}
	name, err := RefName(id)
	if err != nil {
		return nil
	}
	return []string{name}
}

// tell queues what moved and writes the mirrors. The record is where it belongs
// already: a failure here is traced and changes nothing, and neither does a caller
// that was cancelled meanwhile.
func (t *Topology) tell(ctx context.Context, names []string, served Store, rec *Record) {
	ctx = context.WithoutCancel(ctx)
	if t.c.Queue != nil && len(names) > 0 {
		if err := t.c.Queue.Enqueue(ctx, names...); err != nil {
			t.note(rec, "not queued", err, nil)
		}
	}
	if served != t.primary {
		return // mirrors follow the primary
	}
	for _, m := range t.mirrors {
		if err := t.mirror(ctx, m, rec); err != nil {
			t.note(rec, "not mirrored", err, map[string]any{"mirror": m.Type()})
		}
	}
}

// mirror writes the whole record, as it is now, over what the mirror has of it.
func (t *Topology) mirror(ctx context.Context, m Store, rec *Record) error {
	err := CreateNow(ctx, t.c, m, rec)
	if errors.Is(err, ErrExists) {
		err = m.Update(ctx, rec.ID(), func(r *Record) error {
			tip := r.Tip
			*r = *rec
			r.Tip = tip
			return nil
		})
	}
	return err
}

func (t *Topology) note(rec *Record, outcome string, err error, detail map[string]any) {
	t.c.Trace.Record(trace.Event{
		At: t.c.Clock().UTC(), Event: trace.CheckpointCreate, Thread: rec.Turn.Thread, Turn: rec.Turn.Number,
		Outcome: outcome, ID: rec.ID(), Reason: err.Error(), Detail: detail,
	})
}
