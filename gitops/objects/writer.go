package objects

import (
	"bytes"
	"context"
	"os"
	"slices"
	"sync"

	"overturn/model"
)

// Writer collects new objects; they are stored and durable when Flush returns.
// Until then they are readable through the Store, and only in this process. It is
// safe for several goroutines. One that is given up must be Discarded.
type Writer struct {
	store *Store

	mu      sync.Mutex
	objects []*pendingObject
	ids     map[string]bool // of objects, and of those being compressed
	held    int             // bytes in memory
	pack    *packWriter     // nil while everything is small and in memory
	fresh   map[string]bool // files of stored objects that were marked as used
	notes   map[any]any     // what Note hung on this write
	err     error           // the first failure: nothing is flushed after it
}

// heldLimit is how many bytes wait in memory, where they are read back for nothing,
// and are packed and written in one go. Over it a pack is begun at once, which
// several goroutines fill, so that a first capture does not live in memory. Nothing
// is stored loose, be it one object: a loose one counts for the user's automatic gc,
// and costs a sync of its file and one of its folder, where a pack costs three in
// all, in as many rounds. Join keeps the packs few.
const heldLimit = 512 << 10

// plainLimit is up to how many bytes in all a pack holds its objects as they are: the
// first compressor of a process costs more than all else that a small Flush does.
// Join compresses them.
const plainLimit = 128 << 10

// entryRoom is what an entry of a pack takes beside the bytes of its object.
const entryRoom = 32

// NewWriter returns an empty Writer.
func (s *Store) NewWriter() *Writer { return &Writer{store: s} }

// Write adds an object and returns its id. What is stored already is not written
// again, but marked as used, so that git's gc keeps it a while longer. data is not
// kept: the caller may change it afterwards.
func (w *Writer) Write(typ string, data []byte) (string, error) {
	oid := w.store.Hash(typ, data)
	if w.holds(oid) {
		return oid, nil
	}
	// What another live Writer holds may yet be discarded: only the disk counts.
	if file := w.store.storedIn(oid); file != "" && w.freshen(file) {
		return oid, nil
	}
	return oid, w.add(oid, typ, data)
}

func (w *Writer) holds(oid string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ids[oid]
}

func (w *Writer) add(oid, typ string, data []byte) error {
	o := &pendingObject{oid: oid, typ: typ, size: int64(len(data))}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || w.ids[oid] {
		return w.err
	}
	if w.ids == nil {
		w.ids = make(map[string]bool)
	}
	w.ids[oid] = true
	if w.pack == nil && w.held+len(data) > heldLimit {
		if w.err = w.spill(); w.err != nil {
			return w.err
		}
	}
	if w.pack == nil {
		o.data = bytes.Clone(data)
		w.held += len(data)
	} else if err := w.pack.unlocked(&w.mu, o, data); err != nil {
		w.err = err
		return err
	}
	w.objects = append(w.objects, o)
	w.store.mu.Lock()
	w.store.pending[oid] = o
	w.store.mu.Unlock()
	return nil
}

// spill begins a pack with what is in memory, and empties the memory.
func (w *Writer) spill() error {
	// Who is killed again and again in the middle of something large must not fill the
	// disk: what the last one left goes first.
	if folder, err := w.store.packFolder(); err == nil {
		_ = sweepTemps(folder, w.store.now())
	}
	pack, packed, err := w.packHeld()
	w.pack = pack // it is closed with the Writer
	if err == nil {
		err = pack.drain()
	}
	if err != nil {
		return err
	}
	w.store.mu.Lock()
	for i, o := range w.objects {
		*o = packed[i]
	}
	w.store.mu.Unlock()
	w.held = 0
	return nil
}

// packHeld makes a pack of what is in memory, where all of it stays readable, and
// returns the objects as they are in the pack.
func (w *Writer) packHeld() (*packWriter, []pendingObject, error) {
	dirs, err := w.store.objectDirs()
	if err != nil {
		return nil, nil, err
	}
	pack, err := newPackWriter(dirs[0].path, w.store)
	if err != nil {
		return pack, nil, err
	}
	limit := storedLimit
	if w.held <= plainLimit {
		limit = storedBlock
	}
	pack.waiting = slices.Grow(pack.waiting, w.held+len(w.objects)*entryRoom)
	packed := make([]pendingObject, len(w.objects))
	for i, o := range w.objects {
		packed[i] = *o
		if err := pack.add(&packed[i], w.store.zlibOf(o.data, limit)); err != nil {
			return pack, nil, err
		}
		packed[i].data = nil
	}
	return pack, packed, nil
}

// WriteTree adds a tree; entries may be in any order. Names and modes that git
// fsck refuses are refused.
func (w *Writer) WriteTree(entries []TreeEntry) (string, error) {
	data, err := encodeTree(entries, w.store.repo.HashSize())
	if err != nil {
		return "", err
	}
	return w.Write(TypeTree, data)
}

// WriteCommit adds a commit. The same commit has the same id everywhere.
func (w *Writer) WriteCommit(c Commit) (string, error) {
	for _, oid := range append([]string{c.Tree}, c.Parents...) {
		if !w.store.repo.IsOID(oid) {
			return "", model.Errorf(model.CodeFailed, "a commit cannot name %q", oid)
		}
	}
	return w.Write(TypeCommit, encodeCommit(c))
}

// Pending is the number of objects that the next Flush will write.
func (w *Writer) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.objects)
}

// Flush stores what was added; when it returns nil, all of it survives a crash.
// The Writer is empty afterwards and may be used again. After an error some objects
// may be stored, whole; the rest is forgotten. No Write may run meanwhile. Files in
// also are synced in the same round as the objects' own, which costs less than a
// round of theirs.
func (w *Writer) Flush(ctx context.Context, also ...*os.File) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.err
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil && w.pack == nil && len(w.objects) > 0 {
		w.pack, _, err = w.packHeld()
	}
	switch {
	case err != nil:
	case len(w.objects) > 0:
		err = w.store.storeAll(w.pack, also)
	default:
		err = syncFiles(also)
	}
	w.drop()
	if err != nil {
		return model.Failf(err, "cannot store objects").WithHint("see that the disk is not full and that .git can be written")
	}
	return nil
}

// Discard forgets what was added since the last Flush.
func (w *Writer) Discard() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop()
}

func (w *Writer) drop() {
	w.store.forget(w.objects)
	if w.pack != nil {
		w.pack.close()
	}
	w.objects, w.ids, w.held, w.pack, w.fresh, w.notes, w.err = nil, nil, 0, nil, nil, nil, nil
}

// Note hangs value under key on what is being written, until the next Flush or
// Discard: for those who add to the same write more than once, and have to know
// what they added before.
func (w *Writer) Note(key, value any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notes == nil {
		w.notes = make(map[any]any)
	}
	w.notes[key] = value
}

// Noted is what Note hung under key, nil when there is nothing.
func (w *Writer) Noted(key any) any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.notes[key]
}
