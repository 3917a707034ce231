package review

import (
	"cmp"
	"context"
	"sync"

	"overturn/gitops/objects"
	"overturn/model"
)

// walkers is how many folders are compared at a time: reading trees is inflating
// them, which two cores share.
const walkers = 2

// walkAhead bounds the folders whose changes wait for those before them.
const walkAhead = 64

// walk compares two trees as objects.Store.DiffFunc does, in order of paths, but
// several folders at a time. Yield is called by the caller's goroutine alone, and
// for the first folder before the others are done.
func walk(ctx context.Context, objs *objects.Store, oldTree, newTree string, yield func(objects.TreeChange) error) error {
	parts, err := split(ctx, objs, oldTree, newTree)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	jobs := make(chan *part, walkAhead)
	wait.Go(func() {
		defer close(jobs)
		for i := range parts {
			select {
			case jobs <- &parts[i]:
			case <-ctx.Done():
				return
			}
		}
	})
	for range walkers {
		wait.Go(func() {
			for p := range jobs {
				p.compare(ctx, objs)
			}
		})
	}
	for i := range parts {
		if err := parts[i].drain(ctx, yield); err != nil {
			return err
		}
	}
	return nil
}

// part is one name in which two trees differ: a change by itself, or a folder.
type part struct {
	prefix   string
	old, now string // trees of a folder
	changes  []objects.TreeChange
	err      error
	done     chan struct{} // nil for a change by itself
}

func (p *part) compare(ctx context.Context, objs *objects.Store) {
	if p.done == nil {
		return
	}
	defer close(p.done)
	if p.err = ctx.Err(); p.err != nil {
		return
	}
	p.err = objs.DiffFunc(ctx, p.old, p.now, func(c objects.TreeChange) error {
		c.Path = model.Path(p.prefix) + c.Path
		p.changes = append(p.changes, c)
		return ctx.Err()
	})
}

func (p *part) drain(ctx context.Context, yield func(objects.TreeChange) error) error {
	if p.done != nil {
		select {
		case <-p.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if p.err != nil {
		return p.err
	}
	for _, c := range p.changes {
		if err := yield(c); err != nil {
			return err
		}
	}
	p.changes = nil
	return nil
}

// split lists the names in which two trees differ, in order. While that is one
// folder alone, it is what lies in it.
func split(ctx context.Context, objs *objects.Store, oldTree, newTree string) ([]part, error) {
	prefix := ""
	for {
		old, err := treeOf(ctx, objs, oldTree)
		if err != nil {
			return nil, err
		}
		now, err := treeOf(ctx, objs, newTree)
		if err != nil {
			return nil, err
		}
		parts := differences(prefix, old, now)
		if len(parts) != 1 || parts[0].done == nil {
			return parts, nil
		}
		prefix, oldTree, newTree = parts[0].prefix, parts[0].old, parts[0].now
	}
}

func treeOf(ctx context.Context, objs *objects.Store, oid string) ([]objects.TreeEntry, error) {
	if oid == "" {
		return nil, nil
	}
	return objs.Tree(ctx, oid)
}

// differences merges two lists of entries, which git sorts alike.
func differences(prefix string, old, now []objects.TreeEntry) []part {
	var parts []part
	for len(old) > 0 || len(now) > 0 {
		var a, b objects.TreeEntry
		order := order(old, now)
		if order <= 0 {
			a, old = old[0], old[1:]
		}
		if order >= 0 {
			b, now = now[0], now[1:]
		}
		if a == b {
			continue
		}
		parts = append(parts, newPart(prefix, a, b))
	}
	return parts
}

// order tells whose first entry comes first: -1, or 1, or 0 when both have it.
func order(old, now []objects.TreeEntry) int {
	switch {
	case len(old) == 0:
		return 1
	case len(now) == 0:
		return -1
	}
	key := now[0].Name
	if now[0].Mode == objects.ModeTree {
		key += "/"
	}
	return compareName(old[0], key)
}

func newPart(prefix string, a, b objects.TreeEntry) part {
	name := cmp.Or(a.Name, b.Name)
	if a.Mode == objects.ModeTree || b.Mode == objects.ModeTree {
		return part{prefix: prefix + name + "/", old: a.OID, now: b.OID, done: make(chan struct{})}
	}
	return part{changes: []objects.TreeChange{{
		Path: model.Path(prefix + name), OldMode: a.Mode, NewMode: b.Mode, OldOID: a.OID, NewOID: b.OID,
	}}}
}
