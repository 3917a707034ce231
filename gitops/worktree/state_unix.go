//go:build linux || darwin

package worktree

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// State is what stands at p, read by bytes. A missing parent is KindAbsent, a
// parent that is not a folder *Blocked; a folder or special file is KindOther
// and is not opened.
func (t *Tree) State(p model.Path) (model.FileState, error) {
	_, state, err := t.look(p, func(f opened) ([]byte, model.FileState, error) {
		state, err := f.hash(t.blocks)
		return nil, state, err
	})
	return state, err
}

// Glance is State without reading: of a file the hash is left empty.
func (t *Tree) Glance(p model.Path) (model.FileState, error) {
	dir, err := t.open(p)
	if errors.Is(err, errNoParent) {
		return model.Absent(), nil
	}
	if err != nil {
		return model.FileState{}, err
	}
	defer dir.close()
	st, err := lstat(dir.fd, dir.name)
	if err == unix.ENOENT {
		return model.Absent(), nil
	}
	if err != nil {
		return model.FileState{}, model.Failf(err, "cannot look at %q", string(p))
	}
	switch kind := kindOf(uint32(st.Mode)); kind {
	case model.KindLink:
		_, state, err := readLink(dir, p)
		return state, err
	case model.KindFile:
		return model.FileState{Kind: kind, Mode: modeText(uint32(st.Mode)), Size: st.Size}, nil
	}
	return model.FileState{Kind: model.KindOther, Mode: modeText(uint32(st.Mode))}, nil
}

// Read is State with the bytes: of a file its content, of a link its text, nil
// of everything else. A file longer than limit bytes (when limit > 0) is
// ErrTooLarge.
func (t *Tree) Read(p model.Path, limit int64) ([]byte, model.FileState, error) {
	return t.look(p, func(f opened) ([]byte, model.FileState, error) { return f.read(limit) })
}

// look opens p, of a file by take; the bytes are those of a file or the text of a link.
func (t *Tree) look(p model.Path, take func(opened) ([]byte, model.FileState, error)) ([]byte, model.FileState, error) {
	dir, err := t.open(p)
	if errors.Is(err, errNoParent) {
		return nil, model.Absent(), nil
	}
	if err != nil {
		return nil, model.FileState{}, err
	}
	defer dir.close()
	st, err := lstat(dir.fd, dir.name)
	if err == unix.ENOENT {
		return nil, model.Absent(), nil
	}
	if err != nil {
		return nil, model.FileState{}, model.Failf(err, "cannot look at %q", string(p))
	}
	switch kindOf(uint32(st.Mode)) {
	case model.KindLink:
		return readLink(dir, p)
	case model.KindFile:
		return takeFile(dir, p, take)
	}
	return nil, model.FileState{Kind: model.KindOther, Mode: modeText(uint32(st.Mode)), Size: 0}, nil
}

func readLink(dir folder, p model.Path) ([]byte, model.FileState, error) {
	for size := 256; ; size *= 4 {
		text := make([]byte, size)
		n, err := retry(func() (int, error) { return unix.Readlinkat(dir.fd, dir.name, text) })
		if err != nil {
			return nil, model.FileState{}, model.Failf(err, "cannot read the link %q", string(p))
		}
		if n < size {
			return text[:n], StateOf(Content{Kind: model.KindLink, Data: text[:n]}), nil
		}
	}
}

// takeFile never blocks: a file that turned into a FIFO meanwhile is seen by
// the handle's own kind.
func takeFile(dir folder, p model.Path, take func(opened) ([]byte, model.FileState, error)) ([]byte, model.FileState, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir.fd, dir.name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err == unix.ENOENT {
		return nil, model.Absent(), nil
	}
	if err != nil {
		return nil, model.FileState{}, model.Failf(err, "cannot read %q", string(p))
	}
	defer unix.Close(fd)
	f := opened{fd: fd, path: p}
	if err := unix.Fstat(fd, &f.st); err != nil {
		return nil, model.FileState{}, model.Failf(err, "cannot look at %q", string(p))
	}
	if kindOf(uint32(f.st.Mode)) != model.KindFile {
		return nil, model.FileState{Kind: model.KindOther, Mode: modeText(uint32(f.st.Mode))}, nil
	}
	return take(f)
}

func modeText(mode uint32) string { return fmt.Sprintf("%06o", mode&(unix.S_IFMT|0o7777)) }
