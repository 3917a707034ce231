package refs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
	"overturn/model/durable"
)

// lockWait bounds the wait for a ref's lock: others hold it for one write.
const lockWait = time.Second

// staleAfter is the age at which a lock that nobody holds, and that does not bear
// our mark, is taken for that of a process that was killed. git does not hold its
// locks as overturn does, and keeps one on a ref of ours only while gc packs it.
const staleAfter = 10 * time.Second

// lockMark is the time of access (in seconds since 1970) of overturn's own locks:
// with it, a lock that nobody holds is that of a dead overturn, however young. The
// bytes are git's to read, the time of change is what backups go by; the time of
// access is nobody's.
const lockMark = 0x6f766572

// lock makes NAME.lock, with the folders above it, and holds it: what others see
// is that its maker lives.
func (t *Transaction) lock(ctx context.Context, name string) (*os.File, error) {
	file, home := t.s.path(name)+".lock", t.s.home(name)
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		err := t.haveFolder(filepath.Dir(file)) // before the lock, which then is made once
		if err != nil {
			return nil, cannotLock(err, name, t.s.repo.CommonDir)
		}
		lock, err := makeLock(home, file)
		switch {
		case err == nil:
			return lock, nil
		case errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil: // git just removed an empty folder
			continue
		case errors.Is(err, fs.ErrExist):
			if err = t.s.breakStale(file); err == nil && ctx.Err() == nil {
				time.Sleep(5 * time.Millisecond)
				continue
			}
		}
		if err != nil {
			return nil, cannotLock(err, name, t.s.repo.CommonDir)
		}
		return nil, model.Errorf(model.CodeLocked, "ref %s is locked by another process", name).
			WithHint("try again; if no git or overturn is running, remove %s", file)
	}
}

func cannotLock(err error, name, folder string) error {
	return model.Failf(err, "cannot lock ref %s", name).WithHint("see that %s can be written", folder)
}

// home is the folder of all refs that name is one of.
func (s *Store) home(name string) string {
	for _, own := range prefixes() {
		if below(name, own) {
			return s.path(strings.TrimSuffix(own, "/"))
		}
	}
	return filepath.Dir(s.path(name))
}

// makeLock makes the lock at file under another name, in the folder home, which
// stays small and so is looked through for what the dead left; holds and marks it,
// and then puts it in its place: whenever its maker is killed, what stands there is
// known for what it is. git passes over names with a leading dot. Where there are no
// hard links, the lock is made in place.
func makeLock(home, file string) (*os.File, error) {
	made := filepath.Join(home, "."+rand.Text()+".lock")
	lock, err := markedLock(made)
	if err != nil {
		return nil, err
	}
	durable.Point("refs.lock.made")
	err = os.Link(made, file)
	durable.Point("refs.makelock.remove")
	if err = errors.Join(err, os.Remove(made)); err == nil {
		return lock, nil
	}
	lock.Close()
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return markedLock(file)
}

// markedLock makes a lock that is held and bears our mark.
func markedLock(file string) (*os.File, error) {
	durable.Point("refs.markedlock.open")
	lock, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	if _, err = durable.Hold(lock); err == nil {
		durable.Point("refs.markedlock.date")
		err = os.Chtimes(file, time.Unix(lockMark, 0), time.Time{})
	}
	if err != nil {
		lock.Close()
		return nil, errors.Join(err, os.Remove(file))
	}
	return lock, nil
}

// breakStale removes a lock whose maker was killed, and leaves any other. Whoever
// removes one holds that very file, so no two remove each other's.
func (s *Store) breakStale(file string) error {
	clock := s.repo.Env().Clock
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	ours := accessed(info) == lockMark*int64(time.Second)
	if !ours && (clock == nil || clock().Sub(info.ModTime()) < staleAfter) {
		return nil
	}
	if held, err := durable.Hold(f); !held || err != nil {
		return err
	}
	if now, err := os.Lstat(file); err == nil && os.SameFile(now, info) {
		durable.Point("refs.breakstale.remove")
		return os.Remove(file)
	}
	return nil
}

// haveFolder makes dir where it is missing.
func (t *Transaction) haveFolder(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	return t.makeFolder(dir)
}

// makeFolder makes the missing folders and notes whose names must be synced.
func (t *Transaction) makeFolder(dir string) error {
	parent := filepath.Dir(dir)
	durable.Point("refs.makefolder.mkdir")
	err := os.Mkdir(dir, 0o777)
	if errors.Is(err, fs.ErrNotExist) && dir != t.s.repo.CommonDir {
		if err = t.makeFolder(parent); err == nil {
			durable.Point("refs.makefolder.mkdir")
			err = os.Mkdir(dir, 0o777)
		}
	}
	if err == nil {
		t.folders[parent] = true
		return shareFolder(dir, parent)
	}
	if errors.Is(err, fs.ErrExist) {
		if info, serr := os.Stat(dir); serr == nil && !info.IsDir() {
			return fmt.Errorf("%s is a ref itself", dir)
		}
		return nil
	}
	return err
}

// shareFolder opens dir to those who may write its parent (core.sharedRepository).
func shareFolder(dir, parent string) error {
	info, err := os.Stat(parent)
	if err != nil || info.Mode()&0o020 == 0 {
		return err
	}
	durable.Point("refs.sharefolder.chmod")
	return os.Chmod(dir, info.Mode()&(fs.ModePerm|fs.ModeSetgid))
}
