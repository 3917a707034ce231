//go:build unix

package treetest

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

func (m *Maker) link(target, path string) bool {
	return m.roomFor(path) && os.Symlink(target, m.Path(path)) == nil
}

// linkTo is a link to a path of the work tree, by a relative way.
func (m *Maker) linkTo(target string) bool {
	path := m.fresh()
	way, err := filepath.Rel(filepath.Dir(m.Path(path)), m.Path(target))
	return target != "" && err == nil && m.link(way, path)
}

// become replaces what stands at path.
func (m *Maker) become(path, kind string) {
	m.Remove(path)
	switch kind {
	case "file":
		m.Write(path, m.contentFor(path))
	case "link":
		m.Symlink([]string{"t", "a", "../up", "/etc"}[m.rnd.IntN(4)], path)
	case "folder":
		m.Write(path+"/in", m.content())
		m.Write(path+"/deep/er", m.content())
	}
}

func (m *Maker) fifo() bool {
	path := m.fresh() + ".fifo"
	return m.roomFor(path) && syscall.Mkfifo(m.Path(path), 0o644) == nil
}

func (m *Maker) socket() bool {
	path := m.fresh() + ".sock"
	return m.roomFor(path) && syscall.Mknod(m.Path(path), syscall.S_IFSOCK|0o644, 0) == nil
}

// shut takes every right from path and tells whether that keeps us out: it does not
// keep root out.
func (m *Maker) shut(path string) bool {
	if path == "" {
		return false
	}
	m.Chmod(path, 0)
	file, err := os.Open(m.Path(path))
	if err == nil {
		_ = file.Close()
	}
	return err != nil
}

func (m *Maker) mode() bool {
	modes := []os.FileMode{0o755, 0o644, 0o600, 0o744, 0o664, 0o444, 0o400, 0o711}
	return m.onFile(func(p string) { m.Chmod(p, modes[m.rnd.IntN(len(modes))]) })
}

// sameSize changes a byte and puts the time back.
func (m *Maker) sameSize() bool {
	path := m.someFile()
	if path == "" || filepath.Ext(path) == ".u16" {
		return false
	}
	full := m.Path(path)
	info, err := os.Stat(full)
	data, _ := os.ReadFile(full)
	if err != nil || len(data) == 0 {
		return false
	}
	at := m.rnd.IntN(len(data))
	data[at] ^= 1
	if data[at] == '\r' || data[at] == '\n' || data[at] == 0 {
		data[at] = 'x'
	}
	m.Write(path, string(data))
	m.must(os.Chtimes(full, time.Time{}, info.ModTime()))
	return true
}

func (m *Maker) rename() bool {
	from, to := m.someFile(), m.fresh()
	if from == "" || (filepath.Ext(from) == ".u16") != (filepath.Ext(to) == ".u16") {
		return false
	}
	return m.roomFor(to) && os.Rename(m.Path(from), m.Path(to)) == nil
}
