package gitops

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"overturn/model"
)

// settled is how old packed-refs has to be for its stat to vouch for it: two changes
// within a tick of the file system's clock may look alike.
const settled = time.Second

// packedFile is packed-refs as it was opened last: a verb looks into it a dozen times,
// and git keeps it by its stat just so.
type packedFile struct {
	mu   sync.Mutex
	info fs.FileInfo // nil: none is kept
	refs *Packed
}

// PackedRefsData is the packed-refs file, an empty one when there is none.
func (r *Repo) PackedRefsData() (*Packed, error) {
	name := filepath.Join(r.CommonDir, "packed-refs")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return PackedOf(nil), nil
	}
	p := &r.packed
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.info != nil && sameStat(info, p.info) {
		return p.refs, nil
	}
	p.info, p.refs = nil, nil
	size := int64(0)
	if err == nil {
		size = info.Size()
	}
	refs, err := openPacked(name, size)
	if errors.Is(err, fs.ErrNotExist) {
		return PackedOf(nil), nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read packed-refs")
	}
	after, err := os.Stat(name)
	if err == nil && info != nil && sameStat(info, after) && r.env.Clock().Sub(info.ModTime()) > settled {
		p.info, p.refs = info, refs
	}
	return refs, nil
}

func sameStat(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
