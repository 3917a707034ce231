package join

import (
	"context"
	"slices"
	"strings"

	"overturn/gitops/objects"
)

// Sides are the trees of a join; "" stands for none.
type Sides struct {
	Base   string // what both grew from, as it was sent
	Sent   string // ours as it was, or would be, sent
	Ours   string
	Theirs string
}

// Conflict is files that both sides changed in their own ways.
type Conflict struct{ Paths []string }

func (c *Conflict) Error() string {
	return "both sides changed " + strings.Join(c.Paths, ", ")
}

// Trees writes the joined tree and returns its id.
func Trees(ctx context.Context, store *objects.Store, w *objects.Writer, s Sides) (string, error) {
	j := &joiner{ctx: ctx, store: store, w: w}
	tree, err := j.trees("", s)
	if err != nil {
		return "", err
	}
	if len(j.conflicts) > 0 {
		slices.Sort(j.conflicts)
		return "", &Conflict{j.conflicts}
	}
	if tree == "" {
		return w.WriteTree(nil)
	}
	return tree, nil
}

type joiner struct {
	ctx       context.Context
	store     *objects.Store
	w         *objects.Writer
	conflicts []string
}

// four are the entries of one name; nil where a side has none.
type four struct{ base, sent, ours, theirs *objects.TreeEntry }

func same(a, b *objects.TreeEntry) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Mode == b.Mode && a.OID == b.OID
}

// trees joins folders; "" is one that is empty.
func (j *joiner) trees(prefix string, s Sides) (string, error) {
	names := map[string]*four{}
	for _, side := range []struct {
		tree string
		set  func(*four, *objects.TreeEntry)
	}{
		{s.Base, func(f *four, e *objects.TreeEntry) { f.base = e }},
		{s.Sent, func(f *four, e *objects.TreeEntry) { f.sent = e }},
		{s.Ours, func(f *four, e *objects.TreeEntry) { f.ours = e }},
		{s.Theirs, func(f *four, e *objects.TreeEntry) { f.theirs = e }},
	} {
		if side.tree == "" {
			continue
		}
		entries, err := j.store.Tree(j.ctx, side.tree)
		if err != nil {
			return "", err
		}
		for i := range entries {
			f := names[entries[i].Name]
			if f == nil {
				f = &four{}
				names[entries[i].Name] = f
			}
			side.set(f, &entries[i])
		}
	}
	var out []objects.TreeEntry
	for name, f := range names {
		e, err := j.entry(prefix+name, f)
		if err != nil {
			return "", err
		}
		if e != nil {
			out = append(out, *e)
		}
	}
	if len(out) == 0 {
		return "", nil
	}
	slices.SortFunc(out, func(a, b objects.TreeEntry) int { return strings.Compare(a.Name, b.Name) })
	return j.w.WriteTree(out)
}

// entry joins one name.
func (j *joiner) entry(path string, f *four) (*objects.TreeEntry, error) {
	switch {
	case same(f.sent, f.theirs), same(f.theirs, f.base):
		return f.ours, nil
	case same(f.sent, f.base) && same(f.ours, f.sent): // else theirs lacks words of ours that did not leave
		return f.theirs, nil
	case folders(f.ours, f.sent, f.theirs) && (f.base == nil || f.base.IsTree()):
		tree, err := j.trees(path+"/", Sides{treeOf(f.base), treeOf(f.sent), treeOf(f.ours), treeOf(f.theirs)})
		if err != nil || tree == "" {
			return nil, err
		}
		return &objects.TreeEntry{Mode: objects.ModeTree, Name: f.ours.Name, OID: tree}, nil
	case files(f.ours, f.sent, f.theirs) && (f.base == nil || f.base.Mode == objects.ModeFile):
		return j.file(path, f)
	}
	j.conflicts = append(j.conflicts, path)
	return nil, nil
}

func folders(list ...*objects.TreeEntry) bool {
	return !slices.ContainsFunc(list, func(e *objects.TreeEntry) bool { return e == nil || !e.IsTree() })
}

func files(list ...*objects.TreeEntry) bool {
	return !slices.ContainsFunc(list, func(e *objects.TreeEntry) bool { return e == nil || e.Mode != objects.ModeFile })
}

func treeOf(e *objects.TreeEntry) string {
	if e == nil {
		return ""
	}
	return e.OID
}

// file joins the contents of a file that both sides changed.
func (j *joiner) file(path string, f *four) (*objects.TreeEntry, error) {
	var c contents
	for _, side := range []struct {
		entry *objects.TreeEntry
		to    *[]byte
	}{{f.base, &c.base}, {f.sent, &c.sent}, {f.ours, &c.ours}, {f.theirs, &c.theirs}} {
		if side.entry == nil {
			continue
		}
		data, err := j.store.Blob(j.ctx, side.entry.OID)
		if err != nil {
			return nil, err
		}
		*side.to = data
	}
	joined, ok := c.join(f.ours.Name)
	if !ok {
		j.conflicts = append(j.conflicts, path)
		return nil, nil
	}
	oid, err := j.w.Write(objects.TypeBlob, joined)
	if err != nil {
		return nil, err
	}
	return &objects.TreeEntry{Mode: objects.ModeFile, Name: f.ours.Name, OID: oid}, nil
}
