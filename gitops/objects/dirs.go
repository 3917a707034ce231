package objects

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"overturn/gitops"
	"overturn/model"
)

// objectDir is one folder of objects: the repository's own or an alternate.
type objectDir struct {
	path string

	mu     sync.Mutex
	listed bool
	stamp  int64 // mtime of pack/ when it was listed, in nanoseconds; 0 when too young to vouch
	packs  []*pack
	lists  uint64 // how many lists were other than the one before
}

// alternateDepth is how deep alternates of alternates are followed, as in git.
const alternateDepth = 5

// openDirs lists the repository's objects folder and all alternates. The second
// value says that there is one that only git can name.
func openDirs(repo *gitops.Repo) ([]*objectDir, bool, error) {
	own, err := filepath.EvalSymlinks(filepath.Join(repo.CommonDir, "objects"))
	if err != nil {
		return nil, false, model.Failf(err, "cannot open the object database").WithHint("run git fsck")
	}
	dirs, odd := []*objectDir{{path: own}}, false
	for i, depth := 0, map[string]int{own: 0}; i < len(dirs); i++ {
		if depth[dirs[i].path] >= alternateDepth {
			continue
		}
		names, strange := alternatesOf(dirs[i].path)
		odd = odd || strange
		for _, name := range names {
			real, err := filepath.EvalSymlinks(name)
			if _, seen := depth[real]; err != nil || seen {
				continue // git warns of one that is gone and goes on
			}
			depth[real] = depth[dirs[i].path] + 1
			dirs = append(dirs, &objectDir{path: real})
		}
	}
	return dirs, odd, nil
}

// alternatesOf reads info/alternates: a folder a line, relative to objects,
// comments with #. Quoted names are left to git.
func alternatesOf(objects string) (names []string, odd bool) {
	data, err := gitops.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return nil, !errors.Is(err, fs.ErrNotExist)
	}
	for _, line := range strings.Split(string(data), "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '"':
			odd = true
		case filepath.IsAbs(line):
			names = append(names, line)
		default:
			names = append(names, filepath.Join(objects, line))
		}
	}
	return names, odd
}

// relist lists the packs again, unless the folder stands as it did when it was listed.
func (d *objectDir) relist(s *Store) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	info, err := os.Stat(filepath.Join(d.path, "pack"))
	if err != nil || d.listed && info.ModTime().UnixNano() == d.stamp {
		return
	}
	d.list(s)
}

// generation moves whenever a list holds other packs than the one before.
func (d *objectDir) generation(s *Store) uint64 {
	d.packList(s)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lists
}

// listSettle is how old the folder's time must be to vouch for the list: a pack
// that comes in the same tick of the file system's clock (4 to 10 ms) leaves it.
const listSettle = 100 * time.Millisecond

// forgetList lets the packs be listed again at the next look.
func (d *objectDir) forgetList() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listed = false
}

// dropStale forgets a list whose folder has moved since, so that a pack that gc
// took away, still mapped here, does not vouch for what it held.
func (d *objectDir) dropStale() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.listed || d.stamp == 0 {
		return
	}
	if info, err := os.Stat(filepath.Join(d.path, "pack")); err != nil || info.ModTime().UnixNano() != d.stamp {
		d.listed = false
	}
}

// list reads the names of the packs and keeps those that are open already. It is
// called with both locks held; the store's guards odd.
func (d *objectDir) list(s *Store) {
	folder := filepath.Join(d.path, "pack")
	d.listed, d.stamp = true, 0
	clock := s.repo.Env().Clock
	if info, err := os.Stat(folder); err == nil && clock != nil && clock().Sub(info.ModTime()) > listSettle {
		d.stamp = info.ModTime().UnixNano()
	}
	names, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.odd = true
	}
	open := make(map[string]*pack, len(d.packs))
	for _, p := range d.packs {
		open[p.base] = p
	}
	known := len(d.packs)
	d.packs = nil
	for _, name := range names {
		base, isIndex := strings.CutSuffix(name.Name(), ".idx")
		if !isIndex || !strings.HasPrefix(base, "pack-") {
			continue
		}
		base = filepath.Join(folder, base)
		p := open[base]
		if p == nil {
			p = &pack{base: base, hashSize: s.repo.HashSize()}
		}
		delete(open, base)
		d.packs = append(d.packs, p)
	}
	if len(open) > 0 || len(d.packs) > known {
		d.lists++
	}
	for _, gone := range open {
		gone.retire()
	}
}

// find looks for the object in every pack.
func (d *objectDir) find(s *Store, raw []byte) (*pack, int64, error) {
	for _, p := range d.packList(s) {
		offset, found, err := p.find(raw)
		if errors.Is(err, errRetired) || errors.Is(err, fs.ErrNotExist) {
			continue // repacked: the list of packs is read again when nothing is found
		}
		if err != nil {
			s.mu.Lock()
			s.odd = true
			s.mu.Unlock()
			continue
		}
		if found {
			return p, offset, nil
		}
	}
	return nil, 0, ErrNotFound
}

func (d *objectDir) packList(s *Store) []*pack {
	d.mu.Lock()
	listed, packs := d.listed, d.packs
	d.mu.Unlock()
	if listed {
		return packs
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.listed {
		d.list(s)
	}
	return d.packs
}

func (d *objectDir) read(s *Store, oid string, raw []byte) (string, []byte, error) {
	var packErr error
	for range 2 {
		p, offset, err := d.find(s, raw)
		if err != nil {
			break
		}
		typ, data, err := p.read(s, offset)
		if err == nil {
			return typ, data, nil
		}
		packErr = err
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errRetired) {
			break
		}
		d.forgetList() // repacked or folded since it was listed: it lies in another now
	}
	typ, data, err := s.readLoose(d.loosePath(oid))
	switch {
	case err == nil:
		return typ, data, nil
	case packErr != nil && !errors.Is(packErr, fs.ErrNotExist) && !errors.Is(packErr, errRetired):
		return "", nil, damaged(oid, packErr)
	case errors.Is(err, ErrNotFound):
		return "", nil, ErrNotFound
	}
	return "", nil, damaged(oid, err)
}

func (d *objectDir) size(s *Store, oid string, raw []byte) (int64, error) {
	if p, offset, err := d.find(s, raw); err == nil {
		return p.size(s, offset)
	}
	return s.looseSize(d.loosePath(oid))
}

func (d *objectDir) has(s *Store, oid string, raw []byte) error {
	// Loose ones first: a look costs less than opening one pack, and what is asked
	// for is as a rule what was written last.
	_, err := os.Lstat(d.loosePath(oid))
	if err == nil {
		return nil
	}
	if _, _, packErr := d.find(s, raw); packErr == nil {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}

func (d *objectDir) loosePath(oid string) string { return filepath.Join(d.path, oid[:2], oid[2:]) }

func (d *objectDir) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.packs {
		p.retire()
	}
	d.packs, d.listed = nil, false
	return nil
}
