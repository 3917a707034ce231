package objects

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
)

// packObjects has git write a pack into the scratch folder, which stands in for the
// object database, so that whatever a killed git leaves lies there. It returns the
// path of the pack without extension.
func (s *Store) packObjects(ctx context.Context, objects, scratch string, r rolled) (string, error) {
	durable.Point("objects.packobjects.mkdir")
	if err := os.MkdirAll(filepath.Join(scratch, "pack"), 0o700); err != nil {
		return "", err
	}
	var in bytes.Buffer
	for _, id := range r.ids {
		in.WriteString(id)
		if path := r.paths[id]; path != "" {
			in.WriteByte(' ')
			in.WriteString(strings.ReplaceAll(path, "\n", " ")) // a hint, no name
		}
		in.WriteByte('\n')
	}
	args := []string{
		// One pack, in bounded memory, whatever the user's configuration says.
		"-c", "pack.packSizeLimit=0", "-c", "core.bigFileThreshold=16m", "-c", "pack.deltaCacheSize=32m",
		"-c", "pack.writeReverseIndex=false", "-c", "pack.indexVersion=2",
		"pack-objects", "-q", "--threads=1", "--window=20", "--depth=50", "--window-memory=128m", "--delta-base-offset",
	}
	if r.fresh {
		// A flush packs for speed, and small objects not at all: they are packed anew.
		args = append(args, "--no-reuse-object")
	}
	_, err := s.repo.GitWith(ctx, gitops.CommandOptions{
		Stdin: &in,
		Env: []string{
			"GIT_OBJECT_DIRECTORY=" + scratch, "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoteFolder(objects),
		},
	}, append(args, filepath.Join(scratch, "pack", "pack"))...)
	if err != nil {
		return "", err
	}
	made, err := named(filepath.Join(scratch, "pack"), "pack-", ".idx")
	if err != nil || len(made) != 1 {
		return "", errors.Join(err, model.Errorf(model.CodeFailed, "git pack-objects made %d packs where one was asked for", len(made)))
	}
	return strings.TrimSuffix(made[0], ".idx"), nil
}

// quoteFolder spells a folder for GIT_ALTERNATE_OBJECT_DIRECTORIES, where a colon
// parts several and a quotation mark begins a quoted one.
func quoteFolder(path string) string {
	if !strings.ContainsAny(path, ":\"\\\n") {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		if c := path[i]; strings.IndexByte(":\"\\\n", c) >= 0 {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// install gives a finished pack its place in folder, durably: .keep, pack, index, as
// a flush does.
func install(folder, made, keep string) (string, error) {
	base := filepath.Join(folder, filepath.Base(made))
	_, err := os.Stat(base + ".idx")
	stands := err == nil // the very same objects were packed before
	if keep != "" {
		durable.Point("objects.install.keep")
		if err := os.WriteFile(base+".keep", []byte(keep), 0o600); err != nil {
			return "", err
		}
	}
	if stands {
		if keep == "" {
			durable.Point("objects.install.remove")
			err = os.Remove(base + ".keep")
			if errors.Is(err, os.ErrNotExist) {
				err = nil
			}
			return base, err
		}
		return base, nil
	}
	for _, ext := range []string{".pack", ".idx"} {
		if err := moveSynced(made+ext, base+ext); err != nil {
			return "", err
		}
	}
	return base, syncFolders(map[string]bool{folder: true})
}

// moveSynced moves a file after its bytes are on disk, by copying where the state
// folder lies on another file system.
func moveSynced(from, to string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := syncFiles([]*os.File{f}); err != nil {
		return err
	}
	durable.Point("objects.movesynced.rename")
	if os.Rename(from, to) == nil {
		return nil
	}
	beside, err := createTemp(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer beside.Close()
	durable.Point("objects.movesynced.copy")
	if _, err = io.Copy(beside, f); err == nil {
		err = syncFiles([]*os.File{beside})
	}
	if err == nil {
		durable.Point("objects.movesynced.name")
		err = os.Rename(beside.Name(), to)
	}
	if err != nil {
		durable.Point("objects.movesynced.remove")
		return errors.Join(err, os.Remove(beside.Name()))
	}
	return nil
}

// idsOf lists the objects of packs, each once: the newest pack first, for git tries
// the objects it is told of first as the bases of the later ones.
func (s *Store) idsOf(packs []ownPack) ([]string, error) {
	size := s.repo.HashSize()
	seen := map[string]bool{}
	var ids []string
	newestFirst := slices.Clone(packs)
	slices.SortStableFunc(newestFirst, func(a, b ownPack) int { return b.at.Compare(a.at) })
	for _, p := range newestFirst {
		data, unmap, err := mapFile(p.base + ".idx")
		if err != nil {
			return nil, err
		}
		x, err := newIndex(data, size)
		for i := 0; err == nil && i < x.count; i++ {
			at := x.ids() + i*size
			if id := hex.EncodeToString(x.data[at : at+size]); !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		unmap()
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// paths finds where in a tree objects are: from every commit among ids down, as far
// as that stays among them. It is a hint alone: what cannot be read is passed over.
func (s *Store) paths(ctx context.Context, ids []string) map[string]string {
	among := make(map[string]bool, len(ids))
	for _, id := range ids {
		among[id] = true
	}
	paths := make(map[string]string, len(ids))
	var walk func(tree, path string)
	walk = func(tree, path string) {
		if !among[tree] || ctx.Err() != nil {
			return
		}
		delete(among, tree) // once
		entries, err := s.Tree(ctx, tree)
		if err != nil {
			return
		}
		for _, e := range entries {
			below := path + e.Name
			if _, known := paths[e.OID]; !known {
				paths[e.OID] = below
			}
			if e.Mode == ModeTree {
				walk(e.OID, below+"/")
			}
		}
	}
	for _, id := range ids {
		if s.isCommit(id) {
			if c, err := s.Commit(ctx, id); err == nil {
				walk(c.Tree, "")
			}
		}
	}
	return paths
}

// isCommit looks at the head of a packed object.
func (s *Store) isCommit(id string) bool {
	raw, err := s.rawID(id)
	if err != nil {
		return false
	}
	dirs, err := s.objectDirs()
	if err != nil {
		return false
	}
	p, offset, err := dirs[0].find(s, raw)
	if err != nil {
		return false
	}
	typ, err := p.typeAt(s, offset)
	return err == nil && typ == TypeCommit
}

// typeAt follows the chain of deltas at offset down to the whole object.
func (p *pack) typeAt(s *Store, offset int64) (string, error) {
	f, release, err := p.hold()
	if err != nil {
		return "", err
	}
	defer release()
	ahead := s.ahead()
	defer s.zlibs.inputs.Put(ahead)
	for range deltaDepth {
		h, _, _, err := readEntryHead(f, offset, p.hashSize, ahead[:])
		if err != nil {
			return "", err
		}
		if name := typeName(h.kind); name != "" {
			return name, nil
		}
		if offset, err = p.baseOffset(h); err != nil {
			return "", err
		}
	}
	return "", errors.New("its chain of deltas has no end")
}
