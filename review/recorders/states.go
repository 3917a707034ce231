package recorders

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"overturn/gitops/checkpoint"
	"overturn/gitops/objects"
	"overturn/model"
)

// states are what is known of the work tree at the boundaries of a thread, as commits in
// memory that no ref names and nothing stores: of every path that any of its turns
// changed the state at that time, and no other path. So turns and ranges of turns are
// compared as if their snapshots were here.
type states struct {
	writer  *objects.Writer // holds them
	moments map[int]moment
}

// moment is a turn's boundaries, and how many of its changes could not be read.
type moment struct {
	start, end string
	skipped    int
}

// states works the states of a thread out, once for each listing.
func (s *Elsewhere) states(ctx context.Context, id model.ThreadID) (*states, error) {
	rows, err := s.rows(ctx, id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if st := s.built[id]; st != nil {
		return st, nil
	}
	var list []*checkpoint.Record
	for _, row := range rows {
		rec, err := s.records.Read(ctx, row.ID)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil { // else its turn says so
			list = append(list, rec)
		}
	}
	st := &states{writer: s.objs.NewWriter(), moments: map[int]moment{}}
	shared, err := s.allShared(ctx, list)
	if err != nil {
		return nil, err
	}
	if shared {
		err = st.takeShared(list)
	} else {
		err = st.takeChanges(list, len(s.objs.EmptyTree()))
	}
	if err != nil {
		return nil, err
	}
	s.built[id] = st
	return st, nil
}

// allShared says whether the snapshots of all turns are here.
func (s *Elsewhere) allShared(ctx context.Context, list []*checkpoint.Record) (bool, error) {
	for _, rec := range list {
		for _, tree := range []string{rec.Snapshots.Start, rec.Snapshots.End} {
			if tree == "" {
				return false, nil
			}
			if here, err := s.objs.Has(ctx, tree); err != nil || !here {
				return false, err
			}
		}
	}
	return len(list) > 0, nil
}

func (st *states) takeShared(list []*checkpoint.Record) error {
	for _, rec := range list {
		start, err := st.commit(rec.Snapshots.Start)
		if err != nil {
			return err
		}
		end, err := st.commit(rec.Snapshots.End)
		if err != nil {
			return err
		}
		st.moments[rec.Turn.Number] = moment{start: start, end: end}
	}
	return nil
}

// takeChanges goes through the turns in order. What a path held before the first turn
// that changed it, that turn's list tells.
func (st *states) takeChanges(list []*checkpoint.Record, idLength int) error {
	lists := make([][]change, len(list))
	skipped := make([]int, len(list))
	now := paths{}
	for i, rec := range slices.Backward(list) {
		lists[i], skipped[i] = parseChanges(rec.Changes, idLength)
		now.put(lists[i], func(c change) objects.TreeEntry { return c.old })
	}
	for i, rec := range list {
		if len(lists[i]) == 0 && (skipped[i] > 0 || len(rec.Turn.Files) > 0) {
			continue // there is a list, and nothing of it is known
		}
		m := moment{skipped: skipped[i]}
		var err error
		now.put(lists[i], func(c change) objects.TreeEntry { return c.old })
		if m.start, err = st.tree(now); err != nil {
			return err
		}
		now.put(lists[i], func(c change) objects.TreeEntry { return c.now })
		if m.end, err = st.tree(now); err != nil {
			return err
		}
		st.moments[rec.Turn.Number] = m
	}
	return nil
}

// commit makes a commit of a tree.
func (st *states) commit(tree string) (string, error) {
	return st.writer.WriteCommit(objects.Commit{Tree: tree, Message: "a state recorded elsewhere\n"})
}

func (st *states) tree(p paths) (string, error) {
	tree, err := st.folder(slices.Sorted(maps.Keys(p)), p, 0)
	if err != nil {
		return "", err
	}
	return st.commit(tree)
}

// folder makes the tree of sorted names that have the same first bytes, up to at. A list
// that came from elsewhere may name a file and what is below it: the file stands.
func (st *states) folder(names []string, p paths, at int) (string, error) {
	var entries []objects.TreeEntry
	for len(names) > 0 {
		name, _, deeper := strings.Cut(names[0][at:], "/")
		if !deeper {
			e := p[names[0]]
			e.Name = name
			entries, names = append(entries, e), names[1:]
			continue
		}
		end, prefix := 1, names[0][:at+len(name)+1]
		for end < len(names) && strings.HasPrefix(names[end], prefix) {
			end++
		}
		if _, file := p[prefix[:len(prefix)-1]]; !file {
			oid, err := st.folder(names[:end], p, len(prefix))
			if err != nil {
				return "", err
			}
			entries = append(entries, objects.TreeEntry{Mode: objects.ModeTree, Name: name, OID: oid})
		}
		names = names[end:]
	}
	return st.writer.WriteTree(entries)
}

// paths are files by their paths.
type paths map[string]objects.TreeEntry

// put sets the files of a list to one side of it.
func (p paths) put(list []change, side func(change) objects.TreeEntry) {
	for _, c := range list {
		if e := side(c); e.Mode == 0 {
			delete(p, c.path)
		} else {
			p[c.path] = e
		}
	}
}

// change is a row of a record's list of changes; a side that is absent has mode 0.
type change struct {
	path     string
	old, now objects.TreeEntry
}

// parseChanges reads raw changes (see package checkpoint) and counts the rows that make no
// sense here, as a path that no work tree could have, or ids of another length.
func parseChanges(raw []byte, idLength int) (list []change, skipped int) {
	fields := bytes.Split(bytes.TrimSuffix(raw, []byte{0}), []byte{0})
	for ; len(fields) >= 2; fields = fields[2:] {
		c, ok := parseChange(string(fields[0]), string(fields[1]), idLength)
		if !ok {
			skipped++
			continue
		}
		list = append(list, c)
	}
	if len(fields) == 1 && len(fields[0]) > 0 {
		skipped++
	}
	return list, skipped
}

func parseChange(head, path string, idLength int) (c change, ok bool) {
	words := strings.Fields(strings.TrimPrefix(head, ":"))
	if len(words) != 5 || !strings.HasPrefix(head, ":") || !plainPath(path) {
		return c, false
	}
	c.path = path
	var okOld, okNow bool
	c.old, okOld = entryOf(words[0], words[2], idLength)
	c.now, okNow = entryOf(words[1], words[3], idLength)
	return c, okOld && okNow
}

func entryOf(mode, oid string, idLength int) (objects.TreeEntry, bool) {
	m, err := strconv.ParseUint(mode, 8, 32)
	if err != nil || len(oid) != idLength || strings.Trim(oid, "0123456789abcdef") != "" || (m == 0) != (strings.Trim(oid, "0") == "") {
		return objects.TreeEntry{}, false
	}
	switch uint32(m) {
	case 0:
		return objects.TreeEntry{}, true
	case objects.ModeFile, objects.ModeExec, objects.ModeLink, objects.ModeGitlink:
		return objects.TreeEntry{Mode: uint32(m), OID: oid}, true
	}
	return objects.TreeEntry{}, false
}

// plainPath says whether a path is one that a tree may hold.
func plainPath(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}
