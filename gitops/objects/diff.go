package objects

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"overturn/model"
)

// Diff lists the paths that differ between two trees, recursively and in tree
// order; "" is the empty tree. Equal sub-trees are not read.
func (s *Store) Diff(ctx context.Context, oldTree, newTree string) ([]TreeChange, error) {
	var changes []TreeChange
	err := s.DiffFunc(ctx, oldTree, newTree, func(c TreeChange) error {
		changes = append(changes, c)
		return nil
	})
	return changes, err
}

// DiffFunc is Diff as a stream: the first change is yielded before the rest is
// read. An error of yield ends it and is returned.
func (s *Store) DiffFunc(ctx context.Context, oldTree, newTree string, yield func(TreeChange) error) error {
	if oldTree == newTree {
		return nil
	}
	w := treeWalk{s, ctx, yield}
	return w.compare(oldTree, newTree, nil)
}

type treeWalk struct {
	s     *Store
	ctx   context.Context
	yield func(TreeChange) error
}

func (w treeWalk) load(oid string) ([]byte, error) {
	if oid == "" {
		return nil, nil
	}
	return w.s.readTyped(w.ctx, oid, TypeTree)
}

// compare walks two trees side by side; both are in git's order.
func (w treeWalk) compare(oldTree, newTree string, prefix []byte) error {
	oldData, err := w.load(oldTree)
	if err != nil {
		return err
	}
	newData, err := w.load(newTree)
	if err != nil {
		return err
	}
	size := w.s.repo.HashSize()
	for len(oldData) > 0 || len(newData) > 0 {
		var a, b *treeItem
		var oldRest, newRest []byte
		if a, oldRest, err = peekItem(oldData, size); err != nil {
			return damaged(oldTree, err)
		}
		if b, newRest, err = peekItem(newData, size); err != nil {
			return damaged(newTree, err)
		}
		order := compareItems(a, b)
		if order > 0 {
			a = nil
		} else {
			oldData = oldRest
		}
		if order < 0 {
			b = nil
		} else {
			newData = newRest
		}
		if err := w.pair(a, b, prefix); err != nil {
			return err
		}
	}
	return nil
}

func peekItem(data []byte, size int) (*treeItem, []byte, error) {
	if len(data) == 0 {
		return nil, nil, nil
	}
	it, rest, err := nextItem(data, size)
	return &it, rest, err
}

// compareItems orders as git does: a folder as if its name ended in a slash, so a
// file and a folder of one name never meet.
func compareItems(a, b *treeItem) int {
	switch {
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return int(a.after(n)) - int(b.after(n))
}

// after is the byte of the name at n as the order sees it.
func (it *treeItem) after(n int) byte {
	switch {
	case n < len(it.name):
		return it.name[n]
	case it.mode == ModeTree:
		return '/'
	}
	return 0
}

// pair handles one name; a side where it is absent is nil.
func (w treeWalk) pair(a, b *treeItem, prefix []byte) error {
	if a != nil && b != nil && a.mode == b.mode && bytes.Equal(a.id, b.id) {
		return nil
	}
	one := a
	if one == nil {
		one = b
	}
	path := append(append(make([]byte, 0, len(prefix)+len(one.name)+1), prefix...), one.name...)
	if one.mode == ModeTree {
		return w.compare(idOf(a), idOf(b), append(path, '/'))
	}
	change := TreeChange{Path: model.Path(path), OldOID: idOf(a), NewOID: idOf(b)}
	if a != nil {
		change.OldMode = a.mode
	}
	if b != nil {
		change.NewMode = b.mode
	}
	return w.yield(change)
}

func idOf(it *treeItem) string {
	if it == nil {
		return ""
	}
	return hex.EncodeToString(it.id)
}

// Lookup finds what stands at path below tree; false when nothing does. The empty
// path is the tree itself.
func (s *Store) Lookup(ctx context.Context, tree string, path model.Path) (TreeEntry, bool, error) {
	entry := TreeEntry{Mode: ModeTree, OID: tree}
	for rest := string(path); rest != ""; {
		if !entry.IsTree() {
			return TreeEntry{}, false, nil
		}
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		found, err := s.child(ctx, entry.OID, name)
		if errors.Is(err, errNoEntry) {
			return TreeEntry{}, false, nil
		}
		if err != nil {
			return TreeEntry{}, false, err
		}
		entry = found
	}
	return entry, true, nil
}

var errNoEntry = errors.New("no such entry")

func (s *Store) child(ctx context.Context, tree, name string) (TreeEntry, error) {
	data, err := s.readTyped(ctx, tree, TypeTree)
	if err != nil {
		return TreeEntry{}, err
	}
	for len(data) > 0 {
		it, rest, err := nextItem(data, s.repo.HashSize())
		if err != nil {
			return TreeEntry{}, damaged(tree, err)
		}
		if string(it.name) == name {
			return TreeEntry{it.mode, name, hex.EncodeToString(it.id)}, nil
		}
		data = rest
	}
	return TreeEntry{}, errNoEntry
}
