package gitops

import (
	"io/fs"
	"os"
	"syscall"

	"overturn/model"
)

// fill adds what only the system knows of the file.
func (s *stamp) fill(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return model.Errorf(model.CodeFailed, "%s has no stat record", s.Path)
	}
	s.Dev, s.Ino, s.UID = uint64(st.Dev), st.Ino, st.Uid
	s.Ctime = st.Ctim.Nano()
	return nil
}

// mine tells whether the file belongs to the user that git would compare with.
func (s stamp) mine() bool { return !s.Absent && int(s.UID) == os.Geteuid() }
