package objects

import (
	"bytes"
	"fmt"
)

// pendingObject is one that a live Writer holds: whole in memory, or in the
// Writer's unfinished pack.
type pendingObject struct {
	oid    string
	typ    string
	size   int64
	data   []byte      // nil when it is in the pack
	pack   *packWriter // nil when it is in memory
	offset int64
}

// readPending looks into the live Writers.
func (s *Store) readPending(oid string) (string, []byte, bool, error) {
	s.mu.Lock()
	o := s.pending[oid]
	var now pendingObject // spill may move it from memory into a pack meanwhile
	if o != nil {
		now = *o
	}
	s.mu.Unlock()
	switch {
	case o == nil:
		return "", nil, false, nil
	case now.pack == nil:
		return now.typ, bytes.Clone(now.data), true, nil
	}
	data, err := now.pack.read(now.offset, now.size)
	if err != nil {
		s.mu.Lock()
		gone := s.pending[oid] != o
		s.mu.Unlock()
		if gone {
			return "", nil, false, nil // flushed in between: it is stored now
		}
		return "", nil, false, fmt.Errorf("object %s cannot be read back: %w", oid, err)
	}
	return now.typ, data, true, nil
}

func (s *Store) pendingSize(oid string) (int64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.pending[oid]
	if o == nil {
		return 0, false
	}
	return o.size, true
}

// forget takes a Writer's objects out of what the Store sees.
func (s *Store) forget(objects []*pendingObject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range objects {
		if s.pending[o.oid] == o {
			delete(s.pending, o.oid)
		}
	}
}
