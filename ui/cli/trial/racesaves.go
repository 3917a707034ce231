//go:build linux || darwin

package trial

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

func (a *racer) saveByRename() error { return a.saveAs(0o644) }

func (a *racer) saveAs(perm fs.FileMode) error {
	t := file(perm, a.next())
	return a.replace(t.put, t)
}

// saveInPlace empties the file and writes it, or makes it where there is none.
func (a *racer) saveInPlace() error {
	f, text := openOld(a.Path(a.path), os.O_RDWR)
	if f == nil {
		return a.saveByRename()
	}
	defer f.Close()
	a.touch(a.path)
	t := file(0, a.next())
	a.versions[t.text] = true
	if err := f.Truncate(0); err != nil {
		return err
	}
	a.destroyed(text)
	a.saved(t)
	_, err := f.WriteAt([]byte(t.text), 0)
	return err
}

func (a *racer) openHandle() error {
	a.handle, a.base = openOld(a.Path(a.path), os.O_RDWR|os.O_APPEND)
	return nil
}

func (a *racer) appendNow() error { return a.append(false) }

func (a *racer) appendLate() error { return a.append(true) }

func (a *racer) append(late bool) error {
	if a.handle == nil {
		if late {
			return nil
		}
		return a.saveByRename()
	}
	a.touch(a.path)
	more := a.next()
	a.saved(file(0, a.base+more))
	a.destroyed(a.base)
	a.mu.Lock()
	a.saves[len(a.saves)-1].late = late || a.race.Moment == momentFree // nobody knows what of the call is behind by then
	a.mu.Unlock()
	_, err := a.handle.WriteString(more)
	return err
}

// appendSoon appends while the call goes on.
func (a *racer) appendSoon() error {
	if err := a.openHandle(); err != nil || a.handle == nil {
		return err
	}
	a.touch(a.path)
	wait := time.Duration(a.Rand.IntN(4000)) * time.Microsecond
	a.aside(func() error {
		time.Sleep(wait)
		return a.append(true) // who knows what of the call is behind by then
	})
	return nil
}

// aside runs something beside the call.
func (a *racer) aside(work func() error) {
	a.beside.Go(func() { a.besideUp = work() })
}

// storm saves by rename until the call has ended.
func (a *racer) storm() error {
	a.touch(a.path)
	a.aside(func() error {
		for {
			if err := a.saveByRename(); err != nil {
				return err
			}
			select {
			case <-a.over:
				return nil
			case <-time.After(200 * time.Microsecond):
			}
		}
	})
	return nil
}

func (a *racer) chmod() error {
	f, text := openOld(a.Path(a.path), os.O_RDONLY)
	if f == nil {
		return a.saveAs(0o705)
	}
	defer f.Close()
	a.touch(a.path)
	a.saved(file(0o705, text))
	return f.Chmod(0o705)
}

func (a *racer) remove() error {
	name := a.Path(a.path)
	old, text := openOld(name, os.O_RDONLY)
	if old == nil {
		if at(name).kind == "folder" {
			return a.setAside(a.path)
		}
		return a.saveByRename() // nothing to delete: something new then
	}
	defer old.Close()
	a.touch(a.path)
	err := os.Remove(name)
	if err == nil && unlinked(old) {
		a.destroyed(text)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
