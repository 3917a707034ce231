package outgoing

import (
	"bytes"
	"context"
	"path"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/gitops/remotes/redact"
)

// work rewrites the tree of one commit.
type work struct {
	*chain
	findings []Finding
}

// pair is a tree of a parent, and what became of it: what is the same here needs no
// second look.
type pair struct{ local, out map[string]objects.TreeEntry }

// base is the pair of a parent's trees; empty where the parent is not here.
func (w *work) base(ctx context.Context, parent, out string) (pair, error) {
	here, err := w.r.Objects.Has(ctx, parent)
	if err != nil || !here {
		return pair{}, err
	}
	before, err := w.r.Objects.Commit(ctx, parent)
	if err != nil {
		return pair{}, err
	}
	after, err := w.r.Objects.Commit(ctx, out)
	if err != nil {
		return pair{}, err
	}
	return w.pair(ctx, before.Tree, after.Tree)
}

func (w *work) pair(ctx context.Context, before, after string) (p pair, err error) {
	if p.local, err = w.entries(ctx, before); err != nil {
		return pair{}, err
	}
	if p.out = p.local; after != before {
		p.out, err = w.entries(ctx, after)
	}
	return p, err
}

func (w *work) entries(ctx context.Context, tree string) (map[string]objects.TreeEntry, error) {
	list, err := w.r.Objects.Tree(ctx, tree)
	named := make(map[string]objects.TreeEntry, len(list))
	for _, e := range list {
		named[e.Name] = e
	}
	return named, err
}

// tree is what leaves in the place of the tree that lies at the given path.
func (w *work) tree(ctx context.Context, oid string, bases []pair, at string) (string, error) {
	entries, err := w.r.Objects.Tree(ctx, oid)
	if err != nil {
		return "", err
	}
	changed := false
	fresh := make([]objects.TreeEntry, len(entries))
	for i, e := range entries {
		if fresh[i], err = w.entry(ctx, e, bases, entries, path.Join(at, e.Name)); err != nil {
			return "", err
		}
		changed = changed || fresh[i] != e
	}
	if !changed {
		return oid, nil
	}
	return w.r.writer.WriteTree(fresh)
}

// entry is what leaves in the place of one entry of a tree.
func (w *work) entry(ctx context.Context, e objects.TreeEntry, bases []pair, beside []objects.TreeEntry, at string) (objects.TreeEntry, error) {
	var inner []pair
	var grown []before
	for _, b := range bases {
		old, was := b.local[e.Name]
		out, is := b.out[e.Name]
		switch {
		case !was || !is:
		case old == e:
			return out, nil
		case e.IsTree() && old.IsTree() && out.IsTree():
			p, err := w.pair(ctx, old.OID, out.OID)
			if err != nil {
				return e, err
			}
			inner = append(inner, p)
		case !e.IsTree() && !old.IsTree():
			grown = append(grown, before{old.OID, out.OID})
		}
	}
	var err error
	switch {
	case e.Name == checkpoint.FolderSnapshots && e.IsTree():
		err = w.snapshots(ctx, e.OID, beside, at)
	case e.IsTree():
		e.OID, err = w.tree(ctx, e.OID, inner, at)
	case e.Mode == objects.ModeFile:
		e.OID, err = w.file(ctx, e.OID, grown, at)
	default: // no record has links, submodules or programs
		e.OID, err = w.withheld(e.OID, at)
		e.Mode = objects.ModeFile
	}
	return e, err
}

// before is a file of a parent, and what became of it.
type before struct{ local, out string }

// file is what leaves in the place of a file of a record.
func (w *work) file(ctx context.Context, oid string, grown []before, at string) (string, error) {
	data, err := w.r.Objects.Blob(ctx, oid)
	if err != nil {
		return "", err
	}
	out, found, err := w.grown(ctx, data, grown, at)
	if err != nil {
		return "", err
	}
	w.found(at, found)
	if len(found) == 0 && bytes.Equal(out, data) {
		return oid, nil
	}
	return w.r.writer.Write(objects.TypeBlob, out)
}

// grownSize is from when on a file is held against what it was in a parent, in bytes:
// a transcript grows at its end.
const grownSize = 64 << 10

// grown redacts data. What a parent had of a file of lines, up to a line's end, became
// what it became then: only the lines that came since are looked at.
func (w *work) grown(ctx context.Context, data []byte, list []before, at string) ([]byte, []redact.Finding, error) {
	for _, b := range list {
		if len(data) < grownSize || path.Ext(at) != ".jsonl" || w.preview {
			break
		}
		old, err := w.r.Objects.Blob(ctx, b.local)
		if err != nil {
			return nil, nil, err
		}
		if !bytes.HasSuffix(old, []byte{'\n'}) || !bytes.HasPrefix(data, old) {
			continue
		}
		out, err := w.r.Objects.Blob(ctx, b.out)
		if err != nil {
			return nil, nil, err
		}
		more, found := redacted(w.r.Redactor, at, data[len(old):])
		lines := bytes.Count(old, []byte{'\n'})
		for i := range found {
			found[i].Line += lines
			found[i].Start += len(old)
			found[i].End += len(old)
		}
		return append(bytes.Clone(out), more...), found, nil
	}
	out, found := redacted(w.r.Redactor, at, data)
	return out, found, nil
}

// found notes what was taken out of a file.
func (w *work) found(at string, list []redact.Finding) {
	for _, f := range list {
		w.findings = append(w.findings, Finding{at, f})
	}
}
