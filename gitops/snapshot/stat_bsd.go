//go:build unix && !linux

package snapshot

import (
	"io/fs"
	"os"
)

// at is the top of the work tree: looks from further down are no cheaper by calls
// that go through libc.
type at struct{ *root }

func (a at) lstat(path []byte, to *fileStat) outcome {
	return a.lstatPath(string(path[:len(path)-1]), to)
}

func (a at) enter([]byte) (at, bool) { return a, false }
func (a at) leave()                  {}

func (r *root) top() at { return at{r} }

func (r *root) open(path string, flags int) (int, error) { return r.openSteps(path, flags) }

// list reads the names of a directory into out.
func (r *root) list(path string, _ []byte, out []dirent) ([]dirent, error) {
	fd, err := r.open(path, os.O_RDONLY)
	if err != nil {
		return out, err
	}
	dir := os.NewFile(uintptr(fd), path)
	defer dir.Close()
	list, err := dir.ReadDir(-1)
	for _, entry := range list {
		out = append(out, dirent{name: entry.Name(), typ: typeOf(entry.Type())})
	}
	return out, err
}

func typeOf(mode fs.FileMode) uint16 {
	switch {
	case mode.IsDir():
		return typeDir
	case mode.IsRegular():
		return typeFile
	case mode&fs.ModeSymlink != 0:
		return typeLink
	}
	return 0 // asked again by lstat
}
