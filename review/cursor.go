package review

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"overturn/gitops/objects"
	"overturn/model"
)

// cursor looks paths up in one tree. Asked in order of paths, it reads each folder
// once: it keeps the folders on the way to the last path.
type cursor struct {
	objs  *objects.Store
	tree  string
	stack []level
}

// level is a folder that is open: its name with a trailing slash, "" for the root.
type level struct {
	prefix  string
	entries []objects.TreeEntry
}

// find is what stands at p: mode 0 when nothing does, or a folder.
func (c *cursor) find(ctx context.Context, p model.Path) (mode uint32, oid string, err error) {
	for len(c.stack) > 0 && !strings.HasPrefix(string(p), c.stack[len(c.stack)-1].prefix) {
		c.stack = c.stack[:len(c.stack)-1]
	}
	if len(c.stack) == 0 {
		if err := c.push(ctx, "", c.tree); err != nil {
			return 0, "", err
		}
	}
	for {
		top := c.stack[len(c.stack)-1]
		name, rest, below := strings.Cut(string(p)[len(top.prefix):], "/")
		if !below {
			e, ok := search(top.entries, name, false)
			if !ok {
				return 0, "", nil
			}
			return e.Mode, e.OID, nil
		}
		folder, ok := search(top.entries, name, true)
		if !ok || rest == "" {
			return 0, "", nil
		}
		if err := c.push(ctx, top.prefix+name+"/", folder.OID); err != nil {
			return 0, "", err
		}
	}
}

func (c *cursor) push(ctx context.Context, prefix, oid string) error {
	entries, err := c.objs.Tree(ctx, oid)
	if err != nil {
		return model.Failf(err, "cannot read folder %q of a snapshot", prefix)
	}
	c.stack = append(c.stack, level{prefix, entries})
	return nil
}

// search finds a name among the entries of a tree, which git sorts as though the
// names of folders ended in a slash.
func search(entries []objects.TreeEntry, name string, folder bool) (objects.TreeEntry, bool) {
	key := name
	if folder {
		key += "/"
	}
	i := sort.Search(len(entries), func(i int) bool { return compareName(entries[i], key) >= 0 })
	if i < len(entries) && entries[i].Name == name && (entries[i].Mode == objects.ModeTree) == folder {
		return entries[i], true
	}
	return objects.TreeEntry{}, false
}

func compareName(e objects.TreeEntry, key string) int {
	if e.Mode == objects.ModeTree {
		return cmp.Compare(e.Name+"/", key)
	}
	return cmp.Compare(e.Name, key)
}
