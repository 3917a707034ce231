//go:build linux || darwin

package worktree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"overturn/model"
)

// State is what stands at p, read by bytes. A missing parent is KindAbsent, a
// parent that is not a folder *Blocked; a folder or special file is KindOther
// and is not opened.
func (t *Tree) State(p model.Path) (model.FileState, error) {
	_, state, err := t.look(p, func(io.Reader) error { return nil })
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
	var content bytes.Buffer
	link, state, err := t.look(p, func(r io.Reader) error {
		if limit > 0 {
			r = io.LimitReader(r, limit+1)
		}
		if _, err := content.ReadFrom(r); err != nil {
			return err
		}
		if limit > 0 && int64(content.Len()) > limit {
			return ErrTooLarge
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, state, err
	case state.Kind == model.KindLink:
		return link, state, nil
	case state.Kind == model.KindFile:
		return append([]byte{}, content.Bytes()...), state, nil
	}
	return nil, state, nil
}

// look opens p and hashes it; take sees the bytes of a file as they are read.
func (t *Tree) look(p model.Path, take func(io.Reader) error) ([]byte, model.FileState, error) {
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
		state, err := readFile(dir, p, take)
		return nil, state, err
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

// readFile never blocks: a file that turned into a FIFO meanwhile is seen by
// the handle's own kind.
func readFile(dir folder, p model.Path, take func(io.Reader) error) (model.FileState, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dir.fd, dir.name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err == unix.ENOENT {
		return model.Absent(), nil
	}
	if err != nil {
		return model.FileState{}, model.Failf(err, "cannot read %q", string(p))
	}
	file := os.NewFile(uintptr(fd), string(p))
	defer file.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return model.FileState{}, model.Failf(err, "cannot look at %q", string(p))
	}
	return hashOpen(file, st, take)
}

func hashOpen(file *os.File, st unix.Stat_t, take func(io.Reader) error) (model.FileState, error) {
	if kindOf(uint32(st.Mode)) != model.KindFile {
		return model.FileState{Kind: model.KindOther, Mode: modeText(uint32(st.Mode))}, nil
	}
	sum := sha256.New()
	tee := &counted{r: io.TeeReader(file, sum)}
	if err := take(tee); err != nil {
		if errors.Is(err, ErrTooLarge) {
			return model.FileState{Kind: model.KindFile, Mode: modeText(uint32(st.Mode)), Size: st.Size}, err
		}
		return model.FileState{}, model.Failf(err, "cannot read %q", file.Name())
	}
	if _, err := io.Copy(io.Discard, tee); err != nil {
		return model.FileState{}, model.Failf(err, "cannot read %q", file.Name())
	}
	return model.FileState{
		Kind: model.KindFile, Mode: modeText(uint32(st.Mode)), Size: tee.n,
		SHA256: hex.EncodeToString(sum.Sum(nil)),
	}, nil
}

// counted counts what was read, so that size and hash speak of the same bytes.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

func modeText(mode uint32) string { return fmt.Sprintf("%06o", mode&(unix.S_IFMT|0o7777)) }
