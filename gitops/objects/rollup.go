package objects

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// rollAt is how many new packs are worth a roll-up: a handful of turns.
const rollAt = 8

// rollLimit is the largest pack that is taken into another one, in bytes: such a one
// holds large files for the most part, and copying it again buys little.
const rollLimit = 512 << 20

// RollUp makes one pack of our own packs, with deltas: git's pack-objects finds them,
// led by the paths that the trees name, which is worth a factor of four. It is for
// moments when nobody waits, and does nothing below eight new packs. A rolled pack is
// taken in again only while the rest is at least half of its size, so that the packs
// grow in number, and each byte is copied, as the logarithm of what is stored. When
// another process does such work, it returns at once; one that is cancelled leaves
// everything as it was. Packs that were retired are let go when their time has come.
func (s *Store) RollUp(ctx context.Context) error {
	due := func(packs []ownPack) bool { return len(rollable(packs, rollAt)) > 0 }
	return s.tidy("roll up packs", func(folder string) error {
		packs, err := ownPacks(folder)
		if err != nil {
			return err
		}
		pick := rollable(packs, rollAt)
		if len(pick) == 0 {
			return nil
		}
		all, err := s.idsOf(pick)
		if err != nil {
			return err
		}
		paths := s.paths(ctx, all)
		return s.replacePacks(ctx, folder, pick, []rolled{{keep: keepRolled, ids: all, paths: paths, fresh: true}})
	}, due)
}

// rollable chooses the packs of a roll-up: the new ones, from least on, and of those
// with deltas the small ones.
func rollable(packs []ownPack, least int) []ownPack {
	var pick, deltas []ownPack
	sum := int64(0)
	for _, p := range packs {
		switch {
		case p.size > rollLimit:
		case p.keep == keepText:
			pick, sum = append(pick, p), sum+p.size
		case p.keep == keepRolled:
			deltas = append(deltas, p)
		}
	}
	if len(pick) < least {
		return nil
	}
	slices.SortFunc(deltas, func(a, b ownPack) int { return cmp.Compare(a.size, b.size) })
	for _, p := range deltas {
		if p.size >= 2*sum {
			break
		}
		pick, sum = append(pick, p), sum+p.size
	}
	if len(pick) < 2 {
		return nil
	}
	return pick
}

// rolled is one pack to be written: the words of its .keep ("" for none), what is in
// it, and where in a tree these objects are, as far as that is known.
type rolled struct {
	keep  string
	ids   []string
	paths map[string]string
	fresh bool // look for deltas among all: git takes two whole objects of one pack for two that are not alike
}

// Retired is what came of Retire.
type Retired struct {
	Objects int   // that nothing of ours needs
	Before  int64 // bytes of our packs before, without what had been retired already
	After   int64 // and after
	Until   time.Time
}

// Retire is RollUp of all packs of ours, which parts the objects that are not needed
// from the others. needed is asked after the packs were listed, so that what comes
// meanwhile is not among them; it returns the ids that are needed, with their paths
// as far as they are known. What is parted stays in a pack of its own, kept for two
// weeks after its last use, or until the next gc with now; then git's gc judges it by
// everything that the repository has.
func (s *Store) Retire(ctx context.Context, needed func(context.Context) (map[string]string, error), now bool) (Retired, error) {
	var done Retired
	err := s.tidy("give space back", func(folder string) error {
		packs, err := ownPacks(folder)
		if err != nil {
			return err
		}
		if now {
			if err := release(packs, s.now(), true); err != nil {
				return err
			}
		}
		done, err = s.retire(ctx, folder, slices.DeleteFunc(packs, func(p ownPack) bool { return p.keep == keepRetired }), needed, now)
		return err
	}, func([]ownPack) bool { return true })
	return done, err
}

func (s *Store) retire(ctx context.Context, folder string, pick []ownPack, needed func(context.Context) (map[string]string, error), now bool) (Retired, error) {
	var done Retired
	for _, p := range pick {
		done.Before += p.size
	}
	pick, err := s.rollNew(ctx, folder, pick)
	if err != nil {
		return done, err
	}
	done.After = done.Before
	all, err := s.idsOf(pick)
	if err != nil || len(all) == 0 {
		return done, err
	}
	paths, err := needed(ctx)
	if err != nil {
		return done, err
	}
	stay, part := rolled{keep: keepRolled, paths: paths}, rolled{keep: keepRetired}
	if now {
		part.keep = ""
	}
	for _, id := range all {
		if _, need := paths[id]; need {
			stay.ids = append(stay.ids, id)
		} else {
			part.ids = append(part.ids, id)
		}
	}
	if len(part.ids) > 0 || len(pick) > 1 {
		if err := s.replacePacks(ctx, folder, pick, []rolled{stay, part}); err != nil {
			return done, err
		}
	}
	left, err := ownPacks(folder)
	done.Objects, done.After = len(part.ids), 0
	for _, p := range left {
		if p.keep != keepRetired {
			done.After += p.size
		}
	}
	if len(part.ids) > 0 && !now {
		done.Until = s.now().Add(retiredFor)
	}
	return done, err
}

// rollNew makes one pack with deltas of those without, so that what follows can take
// deltas over, and returns the packs that there are then.
func (s *Store) rollNew(ctx context.Context, folder string, packs []ownPack) ([]ownPack, error) {
	var fresh []ownPack
	for _, p := range packs {
		if p.keep == keepText && p.size <= rollLimit {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return packs, nil
	}
	ids, err := s.idsOf(fresh)
	if err != nil {
		return nil, err
	}
	r := rolled{keep: keepRolled, ids: ids, paths: s.paths(ctx, ids), fresh: true}
	if err := s.replacePacks(ctx, folder, fresh, []rolled{r}); err != nil {
		return nil, err
	}
	all, err := ownPacks(folder)
	return slices.DeleteFunc(all, func(p ownPack) bool { return p.keep == keepRetired }), err
}

// replacePacks writes the packs that take the place of old ones, which hold nothing
// that is in none of them, and then removes the old.
func (s *Store) replacePacks(ctx context.Context, folder string, old []ownPack, packs []rolled) error {
	var stand []string
	for _, r := range packs {
		if len(r.ids) == 0 {
			continue
		}
		base, err := s.rollOne(ctx, folder, r)
		if err != nil {
			return err
		}
		stand = append(stand, base)
	}
	durable.Point("objects.rollup.stored")
	var gone []string
	for _, p := range old {
		if !slices.Contains(stand, p.base) {
			gone = append(gone, p.base)
		}
	}
	return removePacks(folder, gone)
}

// rollOne writes one pack in the scratch folder, looks whether it is whole, and puts
// it in its place.
func (s *Store) rollOne(ctx context.Context, folder string, r rolled) (string, error) {
	scratch := filepath.Join(s.stateFolder(), "rollup")
	if err := emptyScratch(scratch); err != nil {
		return "", err
	}
	made, err := s.packObjects(ctx, filepath.Dir(folder), scratch, r)
	if err == nil {
		err = s.verifyRolled(made, r.ids)
	}
	base := ""
	if err == nil {
		base, err = install(folder, made, r.keep)
	}
	return base, errors.Join(err, emptyScratch(scratch))
}

// emptyScratch removes the scratch folder, which a killed roll-up may have left.
func emptyScratch(scratch string) error {
	durable.Point("objects.emptyscratch.remove")
	return os.RemoveAll(scratch)
}

// verifyRolled holds a finished pack against what was to be in it: the roll-up goes
// on to remove the only other copy.
func (s *Store) verifyRolled(base string, ids []string) error {
	data, unmap, err := mapFile(base + ".idx")
	if err != nil {
		return err
	}
	defer unmap()
	size := s.repo.HashSize()
	x, err := newIndex(data, size)
	if err != nil {
		return err
	}
	for _, id := range ids {
		raw, err := s.rawID(id)
		if err != nil {
			return err
		}
		if _, found, err := x.find(raw); err != nil || !found {
			return model.Errorf(model.CodeFailed, "object %s is not in the new pack", id).WithHint("run git fsck")
		}
	}
	f, err := os.Open(base + ".pack")
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum := make([]byte, size)
	if _, err := f.ReadAt(sum, info.Size()-int64(size)); err != nil {
		return err
	}
	if string(sum) != string(data[len(data)-2*size:len(data)-size]) {
		return errIndex
	}
	return nil
}
