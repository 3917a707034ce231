//go:build unix

package faulttest

import (
	"maps"
	"math/rand/v2"
)

// powerCut is the disk that is found afterwards; all of it is certain.
func (d *disk) powerCut(keep Keep) *disk {
	chance := rand.New(rand.NewPCG(keep.Seed, 2))
	after := newDisk()
	maps.Copy(after.names, d.first)
	last := len(d.ops)
	if keep.Names == FirstNames {
		last = chance.IntN(len(d.ops) + 1)
	}
	until := map[string]int{} // by folder
	for i, op := range d.ops {
		kept := op.synced
		switch keep.Names {
		case AllNames:
			kept = true
		case FirstNames:
			kept = kept || i < last || d.syncedAfter(i)
		case SomeNames:
			folder := op.folder()
			if _, drawn := until[folder]; !drawn {
				until[folder] = chance.IntN(len(d.ops) + 1)
			}
			kept = kept || i < until[folder] || d.syncedIn(folder, i)
		}
		if !kept {
			continue
		}
		for name, t := range op.sets {
			if t == nil {
				delete(after.names, name)
			} else {
				after.names[name] = t
			}
		}
	}
	after.drop()
	// In the order of the names, so that a seed gives the same disk every time.
	found := map[*thing]*thing{}
	for _, name := range sorted(after.names) {
		t := after.names[name]
		if found[t] == nil {
			found[t] = t.found(keep.Bytes, chance)
		}
		after.names[name] = found[t]
	}
	return after
}

// syncedAfter: a journal keeps what came before something that it keeps.
func (d *disk) syncedAfter(i int) bool {
	for _, op := range d.ops[i:] {
		if op.synced {
			return true
		}
	}
	return false
}

// syncedIn is syncedAfter in one folder.
func (d *disk) syncedIn(folder string, i int) bool {
	for _, op := range d.ops[i:] {
		if op.synced && op.folder() == folder {
			return true
		}
	}
	return false
}

// drop removes names whose folder is not there.
func (d *disk) drop() {
	for _, name := range sorted(d.names) {
		if dir := parent(name); dir != "" && (d.names[dir] == nil || !d.names[dir].mode.IsDir()) {
			delete(d.names, name)
		}
	}
}

// found is what a thing is after the cut.
func (t *thing) found(keep Bytes, chance *rand.Rand) *thing {
	if keep == SomeBytes {
		keep = Bytes(chance.IntN(int(SomeBytes)))
	}
	f := &thing{mode: t.syncedMode, data: t.synced}
	if f.mode == 0 { // never synced: it has the mode that it was made with
		f.mode = t.mode
	}
	if !t.mode.IsRegular() {
		f.data, f.mode = t.data, t.mode
		return f
	}
	if !t.dirty {
		return f
	}
	switch keep {
	case AllBytes:
		f.data, f.mode = t.data, t.mode
	case HalfBytes:
		f.data = t.data[:max(min(len(t.synced), len(t.data)), len(t.data)/2)]
	case ZeroBytes:
		f.data = make([]byte, len(t.data))
		copy(f.data, t.synced)
	}
	return f
}
