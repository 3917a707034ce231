package rollback

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"overturn/gitops"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
	"overturn/model/durable"
)

const (
	stagedFile = "staged.json"
	stagedLock = "staged.lock"
)

func (e *Engine) stagedPath() string { return filepath.Join(e.Repo.StateDir(), stagedFile) }

// stagedRef holds the contents that the staged set refers to.
func (e *Engine) stagedRef() string {
	return "refs/overturn/staged/" + base64.RawURLEncoding.EncodeToString([]byte(e.Repo.WorkTree))
}

// loadStaged reads the staged set; where there is none it is empty. One that
// cannot be read is an error and stays where it is.
func (e *Engine) loadStaged() (*stagedSet, error) {
	data, err := durable.ReadFile(e.stagedPath())
	if errors.Is(err, fs.ErrNotExist) {
		return &stagedSet{}, nil
	}
	if err != nil {
		return nil, model.Failf(err, "the staged set cannot be read")
	}
	set, err := decodeStaged(data)
	if err != nil {
		return nil, model.Failf(fmt.Errorf("%w: %w", errStagedBroken, err), "the staged set %s cannot be used", e.stagedPath()).
			WithHint("`overturn unstage` without a path moves it aside and starts an empty one")
	}
	set.text = data
	return set, nil
}

// saveStaged makes set the staged set: contents first, then the file. The contents
// of the old set are held until the file stands, so that after a crash either set
// is whole; the next save lets them go.
func (e *Engine) saveStaged(ctx context.Context, old, set *stagedSet, w *objects.Writer) error {
	set.tidy()
	if err := e.Repo.EnsureStateDir(); err != nil {
		return err
	}
	if len(set.Entries) == 0 {
		return e.emptyStaged(ctx)
	}
	if err := e.pin(ctx, w, old, set); err != nil {
		return err
	}
	data, err := set.encode()
	if err != nil {
		return model.Failf(err, "the staged set cannot be written")
	}
	if err := durable.ReplaceFile(e.stagedPath(), data, 0o600); err != nil {
		return model.Failf(err, "the staged set cannot be written")
	}
	return nil
}

// emptyStaged removes the staged set, and then lets its contents go. A ref that
// comes back holds what nothing refers to, until the next save moves it.
func (e *Engine) emptyStaged(ctx context.Context) error {
	durable.Point("rollback.emptystaged.remove")
	err := os.Remove(e.stagedPath())
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = durable.SyncDir(e.Repo.StateDir())
	}
	if err != nil {
		return model.Failf(err, "the staged set cannot be emptied")
	}
	now, err := e.Refs.Read(ctx, e.stagedRef())
	if err == nil && now != "" {
		err = e.Refs.Drop(ctx, e.stagedRef(), now)
	}
	if err != nil {
		return model.Failf(err, "the staged contents cannot be let go")
	}
	return nil
}

// clear lets go of the staged set once it was carried out; sum is that of its file, of
// which the plan was worked out. Where the file is another by now, somebody staged or
// unstaged meanwhile: only what is back already goes, and what was chosen since stays.
func (e *Engine) clear(ctx context.Context, sum string) error {
	err := e.letStagedGo(ctx, sum)
	if err != nil {
		return partly(err, "the rollback is done, but the staged set could not be emptied").WithHint("`overturn unstage` empties it")
	}
	return nil
}

func (e *Engine) letStagedGo(ctx context.Context, sum string) error {
	unlock, err := e.lockStaged(ctx, "clear")
	if err != nil {
		return err
	}
	defer unlock()
	now, err := durable.ReadFile(e.stagedPath())
	if errors.Is(err, fs.ErrNotExist) || err == nil && sumOf(now) == sum {
		return e.emptyStaged(ctx)
	}
	if err != nil {
		return err
	}
	old, err := e.loadStaged()
	if err != nil {
		return err // one that is damaged stays for unstage to set aside
	}
	set, err := e.loadStaged()
	if err != nil {
		return err
	}
	plan, _, err := e.Plan(ctx)
	if err != nil {
		return err
	}
	back := map[model.Path]bool{}
	for _, t := range plan.Targets {
		back[t.Path] = t.Verdict == model.VerdictAlready
	}
	set.Entries = slices.DeleteFunc(set.Entries, func(e stagedEntry) bool { return back[e.Path] })
	set.dropKept(func(p model.Path) bool { return back[p] })
	w := e.Objects.NewWriter()
	defer w.Discard()
	return e.saveStaged(ctx, old, set, w)
}

// pin points the hidden ref at a commit whose tree holds the contents of all sets,
// named by their ids; with no contents the ref goes.
func (e *Engine) pin(ctx context.Context, w *objects.Writer, sets ...*stagedSet) error {
	held := map[string]bool{}
	for _, set := range sets {
		for _, entry := range set.Entries {
			held[entry.First.Blob], held[entry.Last.Blob] = true, true
		}
	}
	delete(held, "")
	commit := ""
	if len(held) > 0 {
		var err error
		if commit, err = writePins(w, held, e.Clock().UTC()); err != nil {
			return model.Failf(err, "the staged contents cannot be stored")
		}
		if err := w.Flush(ctx); err != nil {
			return model.Failf(err, "the staged contents cannot be stored")
		}
	}
	now, err := e.Refs.Read(ctx, e.stagedRef())
	if err != nil || now == commit {
		return err
	}
	if err := e.Refs.Apply(ctx, []refs.Update{{Name: e.stagedRef(), Old: now, New: commit}}); err != nil {
		return model.Failf(err, "the staged contents cannot be held")
	}
	return nil
}

func writePins(w *objects.Writer, held map[string]bool, at time.Time) (string, error) {
	var entries []objects.TreeEntry
	for oid := range held {
		entries = append(entries, objects.TreeEntry{Mode: objects.ModeFile, Name: oid, OID: oid})
	}
	tree, err := w.WriteTree(entries)
	if err != nil {
		return "", err
	}
	who := objects.Signature{Name: gitops.IdentityName, Email: gitops.IdentityEmail, When: at}
	return w.WriteCommit(objects.Commit{Tree: tree, Author: who, Committer: who, Message: "contents of the staged set\n"})
}

// errStagedBroken is a staged set that can be read and means nothing.
var errStagedBroken = errors.New("it is damaged")

// setAside moves a staged set that cannot be read out of the way, so that nothing
// of it is lost.
func (e *Engine) setAside() error {
	aside := e.stagedPath() + ".broken-" + e.Clock().UTC().Format("20060102T150405.000000000")
	durable.Point("rollback.setaside.rename")
	if err := os.Rename(e.stagedPath(), aside); err != nil {
		return model.Failf(err, "the staged set cannot be moved aside")
	}
	return durable.SyncDir(e.Repo.StateDir())
}

// withStaged runs change on the staged set under its lock and saves what it made;
// change works on a copy, so that a failure changes nothing. It writes contents to w.
func (e *Engine) withStaged(ctx context.Context, what string, change func(set *stagedSet, w *objects.Writer) error) error {
	unlock, err := e.lockStaged(ctx, what)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := e.loadStaged()
	if err != nil {
		return err
	}
	set, err := e.loadStaged()
	if err != nil {
		return err
	}
	w := e.Objects.NewWriter()
	defer w.Discard()
	if err := change(set, w); err != nil {
		return err
	}
	return e.saveStaged(ctx, old, set, w)
}

func (e *Engine) lockStaged(ctx context.Context, what string) (func(), error) {
	if err := e.Repo.EnsureStateDir(); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := durable.Acquire(waiting, filepath.Join(e.Repo.StateDir(), stagedLock), what)
	if err != nil {
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil // the system frees it with the process at the latest
}
