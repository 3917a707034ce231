package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/durable"
)

// Apply makes all updates or none, and returns when they are durable. A ref that
// holds another value than expected is a *MovedError. Names outside overturn's own
// are refused; a ref in another's folder place (a and a/b) is an error; a lock that
// another process holds is waited for, a second at most.
func (s *Store) Apply(ctx context.Context, updates []Update) error {
	t, err := s.Begin(ctx, updates)
	if err != nil {
		return err
	}
	defer t.Release()
	locks := t.Locks()
	syncOne := func(i int) error {
		durable.Point("refs.apply.sync")
		return locks[i].Sync()
	}
	if err := together(len(locks), syncOne); err != nil {
		return model.Failf(err, "cannot write the refs").WithHint("see that the disk is not full")
	}
	return t.Commit(ctx)
}

// Begin is the first half of Apply: it takes the locks, holds the refs against
// what is expected, and writes the new values into the locks. The caller syncs
// Locks, so that the values share a round of syncs with the objects that they name
// (objects.Writer.Flush takes them), then calls Commit; and Release in any case.
func (s *Store) Begin(ctx context.Context, updates []Update) (*Transaction, error) {
	deletes := false
	seen := make(map[string]bool, len(updates))
	for _, u := range updates {
		if err := s.checkUpdate(u); err != nil {
			return nil, err
		}
		if seen[u.Name] {
			return nil, model.Errorf(model.CodeFailed, "ref %s is named twice in one change", u.Name)
		}
		seen[u.Name] = true
		deletes = deletes || u.New == ""
	}
	t := &Transaction{s: s, updates: append([]Update(nil), updates...), folders: map[string]bool{}}
	if t.byGit = deletes || s.repo.RefStorage != "files"; t.byGit {
		return t, nil
	}
	sort.Slice(t.updates, func(i, j int) bool { return t.updates[i].Name < t.updates[j].Name }) // one order for all: no deadlock
	if err := t.prepare(ctx); err != nil {
		t.Release()
		return nil, err
	}
	durable.Point("refs.apply.locked")
	return t, nil
}

func (s *Store) checkUpdate(u Update) error {
	if err := checkName(u.Name); err != nil {
		return err
	}
	if u.Old != "" && !s.repo.IsOID(u.Old) || u.New != "" && !s.repo.IsOID(u.New) || u.Old == "" && u.New == "" {
		return model.Errorf(model.CodeFailed, "ref %s cannot move from %q to %q", u.Name, u.Old, u.New)
	}
	return nil
}

// Transaction is a change of refs between Begin and Commit. It is for one goroutine.
type Transaction struct {
	s       *Store
	updates []Update
	byGit   bool // git does all of it, at Commit
	locks   []*os.File
	packed  *gitops.Packed
	folders map[string]bool // to be synced at the end
	moved   int             // how many locks became refs
}

func (t *Transaction) prepare(ctx context.Context) error {
	for _, u := range t.updates {
		lock, err := t.lock(ctx, u.Name)
		if err != nil {
			return err
		}
		t.locks = append(t.locks, lock)
	}
	var err error
	if t.packed, err = t.s.repo.PackedRefsData(); err != nil {
		return err
	}
	for _, u := range t.updates {
		if err := t.check(u); err != nil {
			return err
		}
	}
	return t.fill()
}

// Locks are the files that must be synced before Commit.
func (t *Transaction) Locks() []*os.File { return t.locks }

// Commit moves the refs, all or none, and returns when that is durable.
func (t *Transaction) Commit(ctx context.Context) error {
	if len(t.updates) == 0 {
		return nil
	}
	if t.byGit {
		return t.s.applyByGit(ctx, t.updates)
	}
	if err := t.rename(); err != nil {
		return err
	}
	durable.Point("refs.apply.renamed")
	return t.sync()
}

// check looks up the present value under the lock, and for refs in the way.
func (t *Transaction) check(u Update) error {
	found, err := t.s.looseValue(u.Name)
	if err == nil && found == "" {
		found, err = gitops.LookupPacked(t.packed, u.Name)
	}
	if err != nil {
		return model.Failf(err, "cannot read ref %s", u.Name)
	}
	if found != u.Old {
		return &MovedError{Name: u.Name, Want: u.Old, Found: found}
	}
	if found != "" {
		return nil
	}
	return t.inTheWay(u.Name)
}

// inTheWay refuses a new ref whose name is a folder of others, or has another as
// its folder: among the files, in packed-refs, or in this very change.
func (t *Transaction) inTheWay(name string) error {
	conflict := func(other string) error {
		return model.Errorf(model.CodeFailed, "ref %s cannot be made: %s is in the way", name, other)
	}
	for _, u := range t.updates {
		if strings.HasPrefix(u.Name, name+"/") || strings.HasPrefix(name, u.Name+"/") {
			return conflict(u.Name)
		}
	}
	children := map[string]string{}
	if info, err := os.Lstat(t.s.path(name)); err == nil && info.IsDir() {
		if err := t.s.walk(context.Background(), name, children); err != nil {
			return err
		}
	}
	for child := range children {
		return conflict(child)
	}
	below := ""
	if err := gitops.PackedBelow(t.packed, name+"/", func(child, _ string) bool { below = child; return false }); err != nil {
		return err
	}
	if below != "" {
		return conflict(below)
	}
	for parent := filepath.ToSlash(filepath.Dir(name)); strings.Count(parent, "/") > 1; parent = filepath.ToSlash(filepath.Dir(parent)) {
		if oid, err := gitops.LookupPacked(t.packed, parent); err != nil || oid != "" {
			return conflict(parent)
		}
	}
	return nil
}

// fill writes the new values.
func (t *Transaction) fill() error {
	for i, u := range t.updates {
		durable.Point("refs.fill.write")
		if _, err := t.locks[i].WriteString(u.New + "\n"); err != nil {
			return model.Failf(err, "cannot write ref %s", u.Name).WithHint("see that the disk is not full")
		}
	}
	return nil
}

// rename turns locks into refs. A failure here (an empty folder that cannot be
// removed, a vanished file system) takes back those that are through.
func (t *Transaction) rename() error {
	for i, u := range t.updates {
		file := t.s.path(u.Name)
		durable.Point("refs.rename.rename")
		err := os.Rename(file+".lock", file)
		if err != nil {
			// Empty folders may stay where refs were deleted; git removes them too.
			if removeEmpty(file) == nil {
				durable.Point("refs.rename.rename")
				err = os.Rename(file+".lock", file)
			}
		}
		if err != nil {
			return errors.Join(model.Failf(err, "cannot move ref %s", u.Name), t.takeBack(i))
		}
		t.folders[filepath.Dir(file)] = true
		t.moved = i + 1
	}
	return nil
}

// removeEmpty removes a folder that holds nothing but empty folders.
func removeEmpty(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return fs.ErrInvalid
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := removeEmpty(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	durable.Point("refs.removeempty.remove")
	return os.Remove(dir)
}

// takeBack puts the first n refs back to what they were.
func (t *Transaction) takeBack(n int) error {
	var errs []error
	for _, u := range t.updates[:n] {
		file := t.s.path(u.Name)
		if u.Old == "" {
			errs = append(errs, os.Remove(file))
		} else {
			errs = append(errs, durable.ReplaceFile(file, []byte(u.Old+"\n"), 0o666))
		}
	}
	return errors.Join(errs...)
}

// syncFolder makes the names in a folder durable. A folder that is gone was emptied
// by git's pack-refs, after the ref in it had moved into packed-refs, which git
// synced: what is left to be made durable is the name of that file.
func (s *Store) syncFolder(dir string) error {
	err := durable.SyncDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return durable.SyncDir(s.repo.CommonDir)
	}
	return err
}

func (t *Transaction) sync() error {
	list := make([]string, 0, len(t.folders))
	for dir := range t.folders {
		list = append(list, dir)
	}
	if err := together(len(list), func(i int) error { return t.s.syncFolder(list[i]) }); err != nil {
		return model.Failf(err, "the refs moved, and may be lost in a power cut")
	}
	return nil
}

// Release removes the locks that did not become refs, and lets go of all. A lock is
// removed while it is held: once let go, another may take it for a dead one's, and
// the name may be that of the next lock already.
func (t *Transaction) Release() {
	for i, lock := range t.locks {
		if i >= t.moved {
			durable.Point("refs.release.remove")
			os.Remove(t.s.path(t.updates[i].Name) + ".lock")
		}
		lock.Close()
	}
}

// together runs n syncs at the same time, so that one commit of the file system's
// journal serves them all.
func together(n int, f func(i int) error) error {
	if n == 0 {
		return nil
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = f(i)
		}()
	}
	errs[0] = f(0)
	wg.Wait()
	return errors.Join(errs...)
}
