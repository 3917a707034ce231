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

// packedFile is packed-refs as it was read last. With 10,000 turns it has megabytes, and
// a verb looks into it a dozen times; git keeps it by its stat just so.
type packedFile struct {
	mu   sync.Mutex
	info fs.FileInfo // nil: none is kept
	data []byte
}

// PackedRefsData is the packed-refs file, nil when there is none. It must not be
// written to.
func (r *Repo) PackedRefsData() ([]byte, error) {
	name := filepath.Join(r.CommonDir, "packed-refs")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	p := &r.packed
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && p.info != nil && sameStat(info, p.info) {
		return p.data, nil
	}
	p.info, p.data = nil, nil
	data, err := ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, model.Failf(err, "cannot read packed-refs")
	}
	after, err := os.Stat(name)
	if err == nil && info != nil && sameStat(info, after) && r.env.Clock().Sub(info.ModTime()) > settled {
		p.info, p.data = info, data
	}
	return data, nil
}

func sameStat(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
