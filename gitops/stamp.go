package gitops

import (
	"errors"
	"io/fs"
	"os"
)

// stamp is what tells whether a file is still the one that was read. Times are in
// nanoseconds since 1970. An absent file has Absent alone.
type stamp struct {
	Path   text   `json:"path"`
	Absent bool   `json:"absent,omitempty"`
	Dev    uint64 `json:"dev,omitempty"`
	Ino    uint64 `json:"ino,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Mtime  int64  `json:"mtime,omitempty"`
	Ctime  int64  `json:"ctime,omitempty"`
	UID    uint32 `json:"uid"`
	Kind   uint32 `json:"kind,omitempty"` // type bits of fs.FileMode
}

// stampFile follows links: what counts is the file that git reads. An error other
// than absence is an error: it could be anything.
func stampFile(path string) (stamp, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{Path: text(path), Absent: true}, nil
	case err != nil:
		return stamp{}, err
	}
	s := stamp{Path: text(path), Size: info.Size(), Mtime: info.ModTime().UnixNano(), Kind: uint32(info.Mode().Type())}
	return s, s.fill(info)
}

// stampDir is the identity of a folder and of its owner; its times move with
// every file that comes and goes, and say nothing.
func stampDir(path string) (stamp, error) {
	s, err := stampFile(path)
	s.Size, s.Mtime, s.Ctime = 0, 0, 0
	return s, err
}

// newest is when the file last changed in any way.
func (s stamp) newest() int64 { return max(s.Mtime, s.Ctime) }
