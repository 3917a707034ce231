//go:build !linux && !darwin

package gitops

import (
	"io/fs"

	"overturn/model"
)

// fill fails: without an inode and a change time nothing is known for sure, so no
// facts are kept and git is asked each time.
func (s *stamp) fill(fs.FileInfo) error {
	return model.Errorf(model.CodeFailed, "files have no stamps on this system")
}

func (s stamp) mine() bool { return false }
