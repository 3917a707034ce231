package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"overturn/gitops/objects"
	"overturn/model"
)

// FolderSnapshots is the folder of a record that holds the trees of its turn's
// boundaries, where they are shared.
const FolderSnapshots = "snapshots"

const (
	snapshotStart = "start"
	snapshotEnd   = "end"
)

// ShardLength is how many characters of an id name its first folder on the branch of
// records.
const ShardLength = 2

// IsShard tells whether an entry of the branch's root is a folder of records. Where none is
// one, somebody else's branch has that name.
func IsShard(e objects.TreeEntry) bool {
	return e.Mode == objects.ModeTree && len(e.Name) == ShardLength && strings.Trim(e.Name, "0123456789abcdef") == ""
}

// WriteTree adds the files of rec as one tree, with the entries of old that are not
// files of a record.
func WriteTree(w *objects.Writer, rec *Record, old []objects.TreeEntry) (string, error) {
	files, err := Encode(rec)
	if err != nil {
		return "", err
	}
	var entries []objects.TreeEntry
	for _, e := range old {
		if !slices.Contains(FileNames(), e.Name) && e.Name != FolderSnapshots {
			entries = append(entries, e)
		}
	}
	entries, err = addSnapshots(w, rec.Snapshots, entries)
	if err != nil {
		return "", err
	}
	for _, name := range FileNames() {
		data, ok := files[name]
		if !ok {
			continue
		}
		oid, err := w.Write(objects.TypeBlob, data)
		if err != nil {
			return "", err
		}
		entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: name, OID: oid})
	}
	return w.WriteTree(entries)
}

// ReadTree decodes the record whose tree has the given entries.
func ReadTree(ctx context.Context, store *objects.Store, id model.ID, entries []objects.TreeEntry) (*Record, error) {
	files := map[string][]byte{}
	for _, e := range entries {
		if !slices.Contains(FileNames(), e.Name) || e.Mode != objects.ModeFile {
			continue
		}
		data, err := store.Blob(ctx, e.OID)
		if err != nil {
			return nil, Unreadable(id, err)
		}
		files[e.Name] = data
	}
	rec, err := Decode(id, files)
	if err != nil {
		return nil, err
	}
	rec.Snapshots, err = readSnapshots(ctx, store, entries)
	if err != nil {
		return nil, Unreadable(id, err)
	}
	return rec, nil
}

// addSnapshots adds the folder of shared snapshots, where there are any.
func addSnapshots(w *objects.Writer, s Snapshots, entries []objects.TreeEntry) ([]objects.TreeEntry, error) {
	var inner []objects.TreeEntry
	for name, tree := range map[string]string{snapshotStart: s.Start, snapshotEnd: s.End} {
		if tree != "" {
			inner = append(inner, objects.TreeEntry{Mode: objects.ModeTree, Name: name, OID: tree})
		}
	}
	if len(inner) == 0 {
		return entries, nil
	}
	oid, err := w.WriteTree(inner)
	return append(entries, objects.TreeEntry{Mode: objects.ModeTree, Name: FolderSnapshots, OID: oid}), err
}

func readSnapshots(ctx context.Context, store *objects.Store, entries []objects.TreeEntry) (Snapshots, error) {
	var s Snapshots
	for _, e := range entries {
		if e.Name != FolderSnapshots || !e.IsTree() {
			continue
		}
		inner, err := store.Tree(ctx, e.OID)
		if err != nil {
			return s, err
		}
		for _, tree := range inner {
			switch {
			case tree.Name == snapshotStart && tree.IsTree():
				s.Start = tree.OID
			case tree.Name == snapshotEnd && tree.IsTree():
				s.End = tree.OID
			}
		}
	}
	return s, nil
}

// ReadFile is one file of the record whose tree has the given entries, nil when it
// has none.
func ReadFile(ctx context.Context, store *objects.Store, id model.ID, entries []objects.TreeEntry, name string) ([]byte, error) {
	for _, e := range entries {
		if e.Name != name || e.Mode != objects.ModeFile {
			continue
		}
		data, err := store.Blob(ctx, e.OID)
		if err != nil {
			return nil, Unreadable(id, err)
		}
		return data, nil
	}
	return nil, nil
}

// Unreadable says that a record is there and its objects cannot be read.
func Unreadable(id model.ID, cause error) error {
	if errors.Is(cause, objects.ErrNotFound) {
		cause = &corrupt{cause}
	}
	return model.Failf(cause, "checkpoint %s cannot be read", id).
		WithHint("`git fsck` tells whether the repository lost objects")
}

// Commit is the commit of a write of rec. It is by overturn itself and says whose
// record it is, so that a record can be told from its history alone.
func Commit(rec *Record, tree, parent string, isNew bool, now time.Time) objects.Commit {
	self := objects.Signature{Name: "overturn", Email: "overturn@localhost", When: now.UTC()}
	subject, parents := "Update of checkpoint", []string(nil)
	if isNew {
		subject = "Checkpoint"
	}
	if parent != "" {
		parents = []string{parent}
	}
	return objects.Commit{
		Tree: tree, Parents: parents, Author: self, Committer: self,
		Message: fmt.Sprintf("%s %s\n\nOverturn-Checkpoint: %s\nOverturn-Turn: %d\n", subject, rec.ID(), rec.ID(), rec.Turn.Number),
	}
}

// TimeOf is when the turn of a record began, from its metadata.json; zero where that
// does not say.
func TimeOf(metadata []byte) time.Time {
	var m struct {
		StartedAt time.Time `json:"started_at"`
	}
	if json.Unmarshal(metadata, &m) != nil {
		return time.Time{}
	}
	return m.StartedAt.UTC()
}

// SortInfos puts the newest first; those without a time last.
func SortInfos(infos []Info) {
	slices.SortFunc(infos, func(a, b Info) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(string(b.ID), string(a.ID))
	})
}
