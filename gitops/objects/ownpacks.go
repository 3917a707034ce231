package objects

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"overturn/model/durable"
)

// The words of our .keep files; git passes such a pack by in gc and repack, and
// whoever may drop it knows it by the first line.
const (
	keepText    = "overturn\n"          // written by a flush or a Join: whole objects
	keepRolled  = "overturn\nrolled\n"  // with deltas
	keepRetired = "overturn\nretired\n" // nothing of ours needs what is in it
)

// retiredFor is how long a retired pack stays kept after anyone used it, which git
// says by the time of the file: longer than the two weeks of gc.pruneExpire, so that
// git's gc then drops what nobody needs at once, and does not write every object of
// it out on its own first.
const retiredFor = 15 * 24 * time.Hour

// ownPack is one pack that is kept as ours.
type ownPack struct {
	base string // path without extension
	keep string // words of its .keep
	size int64
	at   time.Time // when its objects were last used, as the pack's time says
}

// ownPacks lists the packs of ours that are whole.
func ownPacks(folder string) ([]ownPack, error) {
	keeps, err := named(folder, "pack-", ".keep")
	if err != nil {
		return nil, err
	}
	var list []ownPack
	for _, keep := range keeps {
		words, err := os.ReadFile(keep)
		if err != nil || !bytes.HasPrefix(words, []byte(keepText)) {
			continue
		}
		p := ownPack{base: strings.TrimSuffix(keep, ".keep"), keep: string(words)}
		if _, err := os.Stat(p.base + ".idx"); err != nil {
			continue // just being written, or just being removed
		}
		info, err := os.Stat(p.base + ".pack")
		if err != nil {
			continue
		}
		p.size, p.at = info.Size(), info.ModTime()
		list = append(list, p)
	}
	return list, nil
}

// named lists the paths in a folder whose names begin and end so; no folder has none.
// A pattern would not do: the path of the repository may hold its special characters.
func named(folder, begin, end string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), begin) && strings.HasSuffix(e.Name(), end) {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list, nil
}

// Usage is what is stored of ours.
type Usage struct {
	Packs     int
	Bytes     int64    // of the packs with their indexes
	Retired   int64    // of these, what waits for git's gc
	Leftovers []string // unfinished files of dead processes; Join removes them
}

// Usage lists the packs; it opens none.
func (s *Store) Usage() (Usage, error) {
	folder, err := s.packFolder()
	if err != nil {
		return Usage{}, err
	}
	list, err := ownPacks(folder)
	if err != nil {
		return Usage{}, err
	}
	u := Usage{Packs: len(list)}
	for _, p := range list {
		size := p.size
		if info, err := os.Stat(p.base + ".idx"); err == nil {
			size += info.Size()
		}
		if u.Bytes += size; p.keep == keepRetired {
			u.Retired += size
		}
	}
	u.Leftovers, err = leftovers(folder, s.now())
	return u, err
}

func (s *Store) packFolder() (string, error) {
	dirs, err := s.objectDirs()
	if err != nil {
		return "", err
	}
	return filepath.Join(dirs[0].path, "pack"), nil
}

// removePacks removes packs whose objects are stored elsewhere. The index goes
// first, since git knows a pack by it, the .keep last: what a crash leaves is still
// marked as ours.
func removePacks(folder string, bases []string) error {
	if err := forgetMulti(folder, bases); err != nil {
		return err
	}
	for _, base := range bases {
		for _, ext := range []string{".idx", ".rev", ".pack", ".keep"} {
			durable.Point("objects.removepacks.remove")
			if err := os.Remove(base + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return forgetMulti(folder, bases) // written anew meanwhile, by one that had listed them
}

// forgetMulti removes a multi-pack-index that names one of the packs, as git's own
// repack does when it removes a pack: it is a table of contents that git's
// maintenance makes anew, and one that names what is gone makes git complain.
func forgetMulti(folder string, bases []string) error {
	file := filepath.Join(folder, "multi-pack-index")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(bases, func(base string) bool { return bytes.Contains(data, []byte(filepath.Base(base)+".idx")) }) {
		return nil
	}
	derived, err := named(folder, "multi-pack-index-", "")
	if err != nil {
		return err
	}
	for _, name := range append([]string{file}, derived...) {
		durable.Point("objects.forgetmulti.remove")
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// litterAge is how old a file must be that looks unfinished, so that none is taken
// from a process that has made it this moment.
const (
	litterAge = 5 * time.Second // of a temporary file that nobody holds the lock of
	halfAge   = time.Hour       // of a .keep without its pack's index
)

// leftovers lists the temporary files of dead processes.
func leftovers(folder string, now time.Time) ([]string, error) {
	temps, err := named(folder, tempPrefix, "")
	return slices.DeleteFunc(temps, func(name string) bool { return !old(name, now, litterAge) || !abandoned(name) }), err
}

// sweepTemps removes the temporary files of dead processes.
func sweepTemps(folder string, now time.Time) error {
	temps, err := leftovers(folder, now)
	if err != nil {
		return err
	}
	for _, name := range temps {
		durable.Point("objects.sweep.remove")
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// sweep is sweepTemps, and removes packs of ours whose removal was cut short.
func sweep(folder string, now time.Time) error {
	if err := sweepTemps(folder, now); err != nil {
		return err
	}
	keeps, err := named(folder, "pack-", ".keep")
	for _, keep := range keeps {
		base := strings.TrimSuffix(keep, ".keep")
		if _, err := os.Stat(base + ".idx"); err == nil || !old(keep, now, halfAge) {
			continue
		}
		words, err := os.ReadFile(keep)
		if err != nil || !bytes.HasPrefix(words, []byte(keepText)) {
			continue
		}
		if err := removePacks(folder, []string{base}); err != nil {
			return err
		}
	}
	return err
}

func old(name string, now time.Time, age time.Duration) bool {
	info, err := os.Stat(name)
	return err == nil && now.Sub(info.ModTime()) > age
}

// abandoned tells whether the maker of a temporary file is gone.
func abandoned(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	held, err := durable.Hold(f)
	return err == nil && held
}

// release lets go of retired packs that nobody has used for long: from now on git's
// gc judges them. With all set, of every one.
func release(packs []ownPack, now time.Time, all bool) error {
	for _, p := range packs {
		if p.keep != keepRetired || !all && now.Sub(p.at) < retiredFor {
			continue
		}
		durable.Point("objects.release.remove")
		if err := os.Remove(p.base + ".keep"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
