package branchstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model"
)

// branchName is the branch as `git branch` shows it.
const branchName = "overturn/checkpoints/v1"

// shardLength is how many characters of an id name its first folder.
const shardLength = checkpoint.ShardLength

// head is the branch as one write sees it.
type head struct {
	base   string // what the ref holds; "" when there is no branch
	commit string // what to build upon: base, or what this write added to it
	root   []objects.TreeEntry
}

// noteKey is the key under which a Writer knows what was added to the branch.
type noteKey struct{}

// note is what a Writer has of the branch so far.
type note struct{ base, commit string }

func noted(w *objects.Writer) *note {
	n, _ := w.Noted(noteKey{}).(*note)
	return n
}

// head reads the branch. A branch that holds something else than records is an
// error: nothing is read into it, and nothing put on top of it.
func (s *Store) head(ctx context.Context) (head, error) {
	base, err := s.c.Refs.Read(ctx, checkpoint.BranchRef)
	if err != nil {
		return head{}, model.Failf(err, "cannot look up the branch %s", branchName)
	}
	return s.headAt(ctx, head{base: base, commit: base})
}

func (s *Store) headAt(ctx context.Context, h head) (head, error) {
	if h.commit == "" {
		return h, nil
	}
	commit, err := s.c.Objects.Commit(ctx, h.commit)
	if err == nil {
		h.root, err = s.c.Objects.Tree(ctx, commit.Tree)
	}
	if err != nil {
		return head{}, model.Failf(err, "the records on the branch %s cannot be read", branchName).
			WithHint("`git fsck` tells whether the repository lost objects")
	}
	if len(h.root) > 0 && !slices.ContainsFunc(h.root, checkpoint.IsShard) {
		return head{}, model.Errorf(model.CodeFailed, "the branch %s holds no checkpoint records: %s was not made by overturn", branchName, h.commit).
			WithHint("move what it holds to a branch of another name, and put the branch back (git reflog %s) or delete it", branchName)
	}
	return h, nil
}

// forWrite is head for a write through w, which goes on from what w has already. The
// branch of a write that another overtook is read anew.
func (s *Store) forWrite(ctx context.Context, w *objects.Writer) (head, error) {
	h, err := s.head(ctx)
	if err != nil {
		return head{}, err
	}
	if n := noted(w); n != nil && n.base == h.base {
		h.commit = n.commit
		return s.headAt(ctx, h)
	}
	return h, s.movable(ctx)
}

// entryOf finds a folder by its name.
func entryOf(entries []objects.TreeEntry, name string) (string, bool) {
	for _, e := range entries {
		if e.Name == name && e.Mode == objects.ModeTree {
			return e.OID, true
		}
	}
	return "", false
}

// find is the tree of a record on the branch.
func (s *Store) find(ctx context.Context, h head, id model.ID) (string, bool, error) {
	if _, err := checkpoint.ParseID(string(id)); err != nil {
		return "", false, err
	}
	shard, ok := entryOf(h.root, string(id[:shardLength]))
	if !ok {
		return "", false, nil
	}
	entries, err := s.c.Objects.Tree(ctx, shard)
	if err != nil {
		return "", false, checkpoint.Unreadable(id, err)
	}
	tree, ok := entryOf(entries, string(id[shardLength:]))
	return tree, ok, nil
}

// look finds the tree of a record, fetching the branch once when it is not here. That
// no remote has it and that none could be asked are different answers.
func (s *Store) look(ctx context.Context, id model.ID, at func() (head, error)) (h head, tree string, err error) {
	for asked := false; ; asked = true {
		if h, err = at(); err != nil {
			return h, "", err
		}
		tree, there, err := s.find(ctx, h, id)
		if err != nil || there {
			return h, tree, err
		}
		if asked || s.c.Fetch == nil {
			return h, "", checkpoint.MissingError(id, s.Type())
		}
		if _, err := s.c.Fetch(ctx, id); err != nil {
			return h, "", model.Failf(err, "checkpoint %s is not here and cannot be fetched", id)
		}
	}
}

func (s *Store) read(ctx context.Context, id model.ID, tree string) (*checkpoint.Record, []objects.TreeEntry, error) {
	entries, err := s.c.Objects.Tree(ctx, tree)
	if err != nil {
		return nil, nil, checkpoint.Unreadable(id, err)
	}
	rec, err := checkpoint.ReadTree(ctx, s.c.Objects, id, entries)
	return rec, entries, err
}

// put adds the record's tree to that of the branch, and a commit on top.
func (s *Store) put(ctx context.Context, w *objects.Writer, h head, rec *checkpoint.Record, old []objects.TreeEntry, isNew bool) (checkpoint.Pending, error) {
	tree, err := checkpoint.WriteTree(w, rec, old)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	id := rec.ID()
	root, err := s.graft(ctx, w, h.root, id, tree)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	commit, err := w.WriteCommit(checkpoint.Commit(rec, root, h.commit, isNew, s.c.Clock()))
	if err != nil {
		return checkpoint.Pending{}, err
	}
	w.Note(noteKey{}, &note{base: h.base, commit: commit})
	return update(h, commit), nil
}

// graft writes the tree of the branch with one record's tree set, or taken out where
// tree is "".
func (s *Store) graft(ctx context.Context, w *objects.Writer, root []objects.TreeEntry, id model.ID, tree string) (string, error) {
	entries, err := s.graftEntries(ctx, w, root, id, tree)
	if err != nil {
		return "", err
	}
	return w.WriteTree(entries)
}

func (s *Store) graftEntries(ctx context.Context, w *objects.Writer, root []objects.TreeEntry, id model.ID, tree string) ([]objects.TreeEntry, error) {
	folder := string(id[:shardLength])
	var shard []objects.TreeEntry
	if oid, ok := entryOf(root, folder); ok {
		var err error
		if shard, err = s.c.Objects.Tree(ctx, oid); err != nil {
			return nil, checkpoint.Unreadable(id, err)
		}
	}
	shard = with(shard, string(id[shardLength:]), tree)
	if len(shard) == 0 {
		return with(root, folder, ""), nil
	}
	oid, err := w.WriteTree(shard)
	return with(root, folder, oid), err
}

// with is the entries with the folder name set to a tree, or without it.
func with(entries []objects.TreeEntry, name, tree string) []objects.TreeEntry {
	list := slices.DeleteFunc(slices.Clone(entries), func(e objects.TreeEntry) bool { return e.Name == name })
	if tree == "" {
		return list
	}
	return append(list, objects.TreeEntry{Mode: objects.ModeTree, Name: name, OID: tree})
}

// without takes records out.
func (s *Store) without(ctx context.Context, w *objects.Writer, h head, ids []model.ID) (checkpoint.Pending, error) {
	gone := 0
	for _, id := range ids {
		_, there, err := s.find(ctx, h, id)
		if err != nil {
			return checkpoint.Pending{}, err
		}
		if !there {
			continue
		}
		gone++
		if h.root, err = s.graftEntries(ctx, w, h.root, id, ""); err != nil {
			return checkpoint.Pending{}, err
		}
	}
	if gone == 0 {
		return checkpoint.Pending{}, nil
	}
	tree, err := w.WriteTree(h.root)
	if err != nil {
		return checkpoint.Pending{}, err
	}
	self := objects.Signature{Name: "overturn", Email: "overturn@localhost", When: s.c.Clock().UTC()}
	commit, err := w.WriteCommit(objects.Commit{
		Tree: tree, Parents: []string{h.commit}, Author: self, Committer: self, Message: fmt.Sprintf("Prune %d of the checkpoints\n", gone),
	})
	return update(h, commit), err
}

// each calls yield with every record on the branch.
func (s *Store) each(ctx context.Context, h head, yield func(id model.ID, tree string) error) error {
	for _, shard := range h.root {
		if !checkpoint.IsShard(shard) {
			continue
		}
		entries, err := s.c.Objects.Tree(ctx, shard.OID)
		if err != nil {
			return model.Failf(err, "the records on the branch %s cannot be read", branchName)
		}
		for _, e := range entries {
			id := model.ID(shard.Name + e.Name)
			if e.Mode != objects.ModeTree || checkpoint.KindOf(string(id)) != checkpoint.KindHex {
				continue // not a record
			}
			if err := yield(id, e.OID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) timeOf(ctx context.Context, id model.ID, tree string) time.Time {
	entries, err := s.c.Objects.Tree(ctx, tree)
	if err != nil {
		return time.Time{}
	}
	metadata, err := checkpoint.ReadFile(ctx, s.c.Objects, id, entries, checkpoint.FileMetadata)
	if err != nil {
		return time.Time{}
	}
	return checkpoint.TimeOf(metadata)
}
