package objects

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"overturn/model"
	"overturn/model/durable"
)

// foldAt is how many of our own packs of about one size become one. Each pack is
// an index to open for every git and every hook, and gc passes kept packs by.
const foldAt = 20

// foldBase and foldStep part packs by size: below 256 KiB, below 2 MiB, and so on.
// Only packs of one part are folded, so that each byte is copied once a part: the
// number of packs grows with the logarithm of what is stored.
const (
	foldBase = 256 << 10
	foldStep = 8
)

// Fold joins our own small packs (those with our .keep) once there are twenty of
// about one size; mostly it finds nothing to do, for the price of one listing. It
// is for the end of work, when nobody waits. When another process folds, it
// returns at once. The new pack is durable before the old ones go: a crash leaves
// objects twice, or files of a pack that gc or the next Fold takes up.
func (s *Store) Fold(ctx context.Context) error {
	dirs, err := s.objectDirs(false)
	if err != nil {
		return err
	}
	folder := filepath.Join(dirs[0].path, "pack")
	if packs := foldable(folder); len(packs) == 0 {
		return nil
	}
	state := filepath.Join(s.repo.CommonDir, "overturn")
	durable.Point("objects.fold.mkdir")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return model.Failf(err, "cannot fold packs")
	}
	lock, err := durable.TryAcquire(filepath.Join(state, "fold.lock"), "fold packs")
	if model.CodeOf(err) == model.CodeLocked && err != nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := s.fold(ctx, dirs[0].path, foldable(folder)); err != nil {
		return model.Failf(err, "cannot fold packs")
	}
	dirs[0].forgetList()
	return nil
}

// foldable lists the packs (without extension) that are to become one.
func foldable(folder string) []string {
	keeps, err := filepath.Glob(filepath.Join(folder, "pack-*.keep"))
	if err != nil || len(keeps) < foldAt {
		return nil
	}
	// A pack that a multi-pack-index names is left to git: it would look for it.
	midx, _ := os.ReadFile(filepath.Join(folder, "multi-pack-index"))
	parts := map[int][]string{}
	for _, keep := range keeps {
		base := strings.TrimSuffix(keep, ".keep")
		words, err := os.ReadFile(keep)
		info, serr := os.Stat(base + ".pack")
		if err != nil || serr != nil || string(words) != keepText || bytes.Contains(midx, []byte(filepath.Base(base)+".idx")) {
			continue
		}
		part := 0
		for size := info.Size(); size >= foldBase; size /= foldStep {
			part++
		}
		parts[part] = append(parts[part], base)
	}
	for part := range 12 {
		if len(parts[part]) >= foldAt {
			return parts[part]
		}
	}
	return nil
}

func (s *Store) fold(ctx context.Context, objects string, bases []string) error {
	if len(bases) == 0 {
		return nil // another process was quicker
	}
	w, err := newPackWriter(objects, s)
	if err != nil {
		return err
	}
	defer w.close()
	seen := map[string]bool{}
	var folded []string
	for _, base := range bases {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch err := w.copyPack(base, seen); {
		case err == nil:
			folded = append(folded, base)
		case !errors.Is(err, errNotOurs):
			return err
		}
	}
	if len(folded) < 2 {
		return nil
	}
	if err := w.finish(nil); err != nil {
		return err
	}
	durable.Point("objects.fold.stored")
	for _, base := range folded {
		if base == w.base {
			continue
		}
		for _, ext := range []string{".keep", ".idx", ".pack"} { // without .keep it is an ordinary pack
			if err := os.Remove(base + ext); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// errNotOurs is a pack that is kept as ours and is not written as ours are.
var errNotOurs = errors.New("not a pack of whole objects")

// copyPack takes the entries of a pack over as they are, each held against its
// checksum; objects that were taken already are left out.
func (p *packWriter) copyPack(base string, seen map[string]bool) error {
	hashSize := p.store.repo.HashSize()
	idx, err := os.ReadFile(base + ".idx")
	if err != nil {
		return err
	}
	x, err := newIndex(idx, hashSize)
	if err != nil {
		return errNotOurs
	}
	data, unmap, err := mapFile(base + ".pack")
	if err != nil {
		return err
	}
	defer unmap()
	entries, err := x.entries()
	if err != nil {
		return errNotOurs
	}
	end := int64(len(data) - hashSize)
	for i := len(entries) - 1; i >= 0; i-- { // backwards: each ends where the one behind it begins
		e := entries[i]
		if e.offset < packHeaderSize || e.offset >= end || typeName(data[e.offset]>>4&7) == "" || crc32.ChecksumIEEE(data[e.offset:end]) != e.crc {
			return errNotOurs
		}
		entries[i].end, end = end, e.offset
	}
	for _, e := range entries {
		if seen[string(e.raw)] {
			continue
		}
		seen[string(e.raw)] = true
		p.waiting = append(p.waiting, data[e.offset:e.end]...)
		p.entries = append(p.entries, packEntry{raw: e.raw, crc: e.crc, offset: p.size})
		p.size += e.end - e.offset
	}
	return p.drain()
}

// indexEntry is one line of an index, with the end of its entry in the pack.
type indexEntry struct {
	packEntry
	end int64
}

// entries lists the index in the order of the pack.
func (x *packIndex) entries() ([]indexEntry, error) {
	list := make([]indexEntry, x.count)
	for i := range list {
		offset, err := x.offset(i)
		if err != nil {
			return nil, err
		}
		at := x.ids() + i*x.hashSize
		list[i].packEntry = packEntry{raw: x.data[at : at+x.hashSize], crc: x.crc(i), offset: offset}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].offset < list[j].offset })
	return list, nil
}
