package githooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
)

// Put has the hook of the given name run line first. A hook that does already is
// brought up to date. The caller keeps others from Put and Remove meanwhile.
func (f Folder) Put(ctx context.Context, name, line string) error {
	if err := f.mayWrite(ctx, name, line); err != nil {
		return err
	}
	info, err := os.Lstat(f.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		if f.waits(name) {
			return f.replace(name, wrapper(line, filepath.Base(f.kept(name))), 0o755)
		}
		return f.create(name, line)
	}
	if err != nil {
		return model.Failf(err, "cannot look at the git hook %s", f.file(name))
	}
	if info.Mode().IsRegular() && info.Mode()&0o111 == 0 {
		return model.Refusedf("the git hook %s is not executable, so git does not run it", f.file(name)).
			WithHint("make it executable or remove it, then run this again")
	}
	if !info.Mode().IsRegular() {
		return f.wrap(name, line)
	}
	data, err := os.ReadFile(f.file(name))
	if err != nil {
		return model.Failf(err, "cannot read the git hook %s", f.file(name))
	}
	if !isShell(string(data)) {
		return f.wrap(name, line)
	}
	next := put(string(data), line)
	if next == string(data) {
		return nil
	}
	return f.replace(name, next, info.Mode().Perm())
}

// waits tells whether a hook stands beside its place.
func (f Folder) waits(name string) bool {
	_, err := os.Lstat(f.kept(name))
	return err == nil
}

// create makes a hook that is ours alone.
func (f Folder) create(name, line string) error {
	durable.Point("githooks.create.mkdir")
	if err := os.MkdirAll(f.Path, 0o755); err != nil {
		return model.Failf(err, "cannot make the folder of git hooks").WithHint("check that %s can be written", filepath.Dir(f.Path))
	}
	return f.replace(name, ownHead+block(line), 0o755)
}

// wrap moves a hook that is no shell script aside, and calls it.
func (f Folder) wrap(name, line string) error {
	if f.waits(name) {
		return model.Refusedf("there are two git hooks: %s and %s", f.file(name), f.kept(name)).
			WithHint("something wrote the hook anew since overturn moved it aside: remove the one that is not wanted")
	}
	durable.Point("githooks.wrap.rename")
	if err := os.Rename(f.file(name), f.kept(name)); err != nil {
		return model.Failf(err, "cannot move the git hook %s aside", f.file(name))
	}
	return f.replace(name, wrapper(line, filepath.Base(f.kept(name))), 0o755)
}

func (f Folder) replace(name, text string, perm fs.FileMode) error {
	durable.SweepTemps(f.file(name))
	if err := durable.ReplaceFile(f.file(name), []byte(text), perm); err != nil {
		return model.Failf(err, "cannot write the git hook %s", f.file(name)).WithHint("check that %s can be written", f.Path)
	}
	return nil
}

// Remove takes our lines out of a hook; a hook that was ours alone goes, one that was
// moved aside comes back.
func (f Folder) Remove(name string) error {
	durable.SweepTemps(f.file(name))
	data, err := os.ReadFile(f.file(name))
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return model.Failf(err, "cannot read the git hook %s", f.file(name))
	}
	before, ours, after, ok := cut(string(data))
	if f.waits(name) && (gone || ok && string(data) == wrapper(lineOf(ours), filepath.Base(f.kept(name)))) {
		durable.Point("githooks.remove.rename")
		if err := os.Rename(f.kept(name), f.file(name)); err != nil {
			return model.Failf(err, "cannot put the git hook %s back", f.file(name))
		}
		return durable.SyncDir(f.Path)
	}
	switch {
	case gone || !ok:
		return nil
	case before == ownHead && after == "":
		durable.Point("githooks.remove.remove")
		if err := os.Remove(f.file(name)); err != nil {
			return model.Failf(err, "cannot remove the git hook %s", f.file(name))
		}
		return durable.SyncDir(f.Path)
	}
	info, err := os.Stat(f.file(name))
	if err != nil {
		return model.Failf(err, "cannot look at the git hook %s", f.file(name))
	}
	return f.replace(name, before+after, info.Mode().Perm())
}

// lineOf is the call within our lines.
func lineOf(ours string) string {
	return ours[len(begin)+1 : len(ours)-len(end)-2]
}
