package objects

import (
	"context"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// joinAt is how many of our own new packs of about one size become one. Each pack is
// an index to open for every git and every hook.
const joinAt = 20

// joinBase and joinStep part packs by size: below 256 KiB, below 2 MiB. Only packs of
// one part are joined, so that each byte is copied once a part; what is larger waits
// for RollUp, so that a Join never takes long.
const (
	joinBase  = 256 << 10
	joinStep  = 8
	joinParts = 2
)

// Join makes one pack of our own small ones, once there are twenty of about one size;
// mostly it finds nothing to do, for the price of one listing. It copies, a few
// megabytes at most, and so is cheap enough for the end of a hook. It also removes
// what dead processes left. When another process does such work, it returns at once.
func (s *Store) Join(ctx context.Context) error {
	if folder, err := s.packFolder(); err != nil || !crowded(folder) {
		return err
	}
	return s.tidy("join packs", func(folder string) error {
		packs, err := ownPacks(folder)
		if err != nil {
			return err
		}
		return s.join(ctx, filepath.Dir(folder), joinable(packs))
	}, func(packs []ownPack) bool { return len(joinable(packs)) > 0 })
}

// crowded tells, by the names in a folder of packs, whether there may be something to
// join or to sweep.
func crowded(folder string) bool {
	entries, err := os.ReadDir(folder)
	kept := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".keep") {
			kept++
		}
		if strings.HasPrefix(e.Name(), tempPrefix) {
			return true
		}
	}
	return err == nil && kept >= joinAt
}

// tidy runs work under the lock that such work takes, when there is some.
func (s *Store) tidy(what string, work func(folder string) error, any func([]ownPack) bool) error {
	failed := func(err error) error { return model.Failf(err, "cannot %s", what) }
	folder, err := s.packFolder()
	if err != nil {
		return err
	}
	now := s.now()
	packs, err := ownPacks(folder)
	if err == nil {
		err = errors.Join(sweep(folder, now), release(packs, now, false))
	}
	if err != nil {
		return failed(err)
	}
	if !any(packs) {
		return nil
	}
	durable.Point("objects.tidy.mkdir")
	if err := os.MkdirAll(s.stateFolder(), 0o700); err != nil {
		return failed(err)
	}
	lock, err := durable.TryAcquire(filepath.Join(s.stateFolder(), "fold.lock"), what)
	if err != nil && model.CodeOf(err) == model.CodeLocked {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := work(folder); err != nil {
		return failed(err)
	}
	s.mu.Lock()
	dirs := s.dirs
	s.mu.Unlock()
	if len(dirs) > 0 {
		dirs[0].forgetList()
	}
	return nil
}

func (s *Store) stateFolder() string { return filepath.Join(s.repo.CommonDir, "overturn") }

func (s *Store) now() time.Time {
	if clock := s.repo.Env().Clock; clock != nil {
		return clock()
	}
	return time.Time{}
}

// joinable lists the packs (without extension) that are to become one.
func joinable(packs []ownPack) []string {
	var parts [joinParts][]string
	for _, p := range packs {
		part := 0
		for size := p.size; size >= joinBase; size /= joinStep {
			part++
		}
		if p.keep == keepText && part < joinParts {
			parts[part] = append(parts[part], p.base)
		}
	}
	for _, list := range parts {
		if len(list) >= joinAt {
			return list
		}
	}
	return nil
}

func (s *Store) join(ctx context.Context, objects string, bases []string) error {
	if len(bases) == 0 {
		return nil // another process was quicker
	}
	w, err := newPackWriter(objects, s)
	if err != nil {
		return err
	}
	defer w.close()
	seen := map[string]bool{}
	var joined []string
	for _, base := range bases {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch err := w.copyPack(base, seen); {
		case err == nil:
			joined = append(joined, base)
		case !errors.Is(err, errNotOurs):
			return err
		}
	}
	if len(joined) < 2 {
		return nil
	}
	if err := w.finish(nil); err != nil {
		return err
	}
	durable.Point("objects.join.stored")
	return removePacks(filepath.Join(objects, "pack"), slices.DeleteFunc(joined, func(base string) bool { return base == w.base }))
}

// errNotOurs is a pack that is kept as ours and is not written as ours are.
var errNotOurs = errors.New("not a pack of whole objects")

// copyPack takes the entries of a pack over, each held against its checksum:
// compressed where a Flush did not, as they are otherwise; objects that were taken
// already are left out.
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
		entry, crc := data[e.offset:e.end], e.crc
		if packed := p.store.repack(entry); packed != nil {
			entry, crc = packed, crc32.ChecksumIEEE(packed)
		}
		p.waiting = append(p.waiting, entry...)
		p.entries = append(p.entries, packEntry{raw: e.raw, crc: crc, offset: p.size})
		p.size += int64(len(entry))
	}
	return p.drain()
}

// repack compresses an entry that holds its object as it is; nil where that is not
// so, or would not make it smaller.
func (s *Store) repack(entry []byte) []byte {
	head := 1
	for head < len(entry) && entry[head-1]&0x80 != 0 {
		head++
	}
	plain := storedBytes(entry[head:])
	if len(plain) <= storedLimit {
		return nil
	}
	packed := append(entry[:head:head], s.deflate(plain)...)
	if len(packed) >= len(entry) {
		return nil
	}
	return packed
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
