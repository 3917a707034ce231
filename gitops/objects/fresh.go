package objects

import (
	"os"
	"time"

	"overturn/model/durable"
)

// freshFor is how long an object that was used is not marked again: far below the
// two weeks that git's gc lets unreferenced ones live.
const freshFor = time.Hour

// storedIn is the file that the object is stored in, "" where that cannot be told or
// the object is nowhere: it is written then, which harms nothing.
func (s *Store) storedIn(oid string) string {
	raw, err := s.rawID(oid)
	if err != nil {
		return ""
	}
	dirs, err := s.objectDirs()
	if err != nil {
		return ""
	}
	for _, d := range dirs {
		if p, _, err := d.find(s, raw); err == nil {
			return p.base + ".pack"
		}
		if file := d.loosePath(oid); isFile(file) {
			return file
		}
	}
	return ""
}

func isFile(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// freshen marks a file as used, as git does with an object that it need not write,
// once for all objects in it, and says whether the file is there: a pack may have gone
// meanwhile.
func (w *Writer) freshen(file string) bool {
	w.mu.Lock()
	fresh := w.fresh[file]
	w.mu.Unlock()
	if fresh {
		return true
	}
	if !w.store.freshen(file) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fresh == nil {
		w.fresh = make(map[string]bool)
	}
	w.fresh[file] = true
	return true
}

// freshen sets the file's time to the present and says whether the file is there.
// Failing to set it, as in an alternate of another user, leaves the object as safe
// as its owner keeps it.
func (s *Store) freshen(file string) bool {
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	if clock := s.repo.Env().Clock; clock != nil && clock().Sub(info.ModTime()) > freshFor {
		durable.Point("objects.freshen.date")
		_ = os.Chtimes(file, time.Time{}, clock())
	}
	return true
}
