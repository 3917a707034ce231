package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/settings"
)

// configFile is a settings file that is about to be changed.
type configFile struct {
	ctx   context.Context
	layer settings.Origin
	path  string
	root  string
	lock  string

	linked bool // path is what a link of the user's leads to
}

// configFile finds the file of a layer; where is as the user names it, "" for the one
// that fits.
func (a *app) configFile(ctx context.Context, d settings.Definition, where string) (configFile, error) {
	place := a.configPlace(ctx)
	layer := settings.Origin(where)
	switch {
	case where == "" && d.Personal:
		layer = settings.OriginUser
	case where == "":
		layer = settings.OriginLocal
	case layer != settings.OriginUser && layer != settings.OriginProject && layer != settings.OriginLocal:
		return configFile{}, model.Usagef("--where takes user, project or local, not %q", where)
	case d.Personal && layer != settings.OriginUser:
		return configFile{}, model.Usagef("%s is personal: what comes with a repository does not set it", d.Key).WithHint("--where user sets it for all repositories")
	}
	if layer != settings.OriginUser && place.why != nil {
		return configFile{}, place.why
	}
	path, err := settings.FileOf(place.root, a.userDir(), layer)
	if err != nil {
		return configFile{}, model.Failf(err, "there is no file to write").WithHint("set HOME or OVERTURN_HOME")
	}
	f := configFile{ctx: ctx, layer: layer, path: path, root: place.root}
	if layer == settings.OriginUser {
		f.lock = filepath.Join(a.userDir(), "settings.lock")
		return f, nil
	}
	if err := place.repo.EnsureStateDir(); err != nil {
		return f, err
	}
	f.lock = filepath.Join(place.repo.StateDir(), "settings.lock")
	return f, nil
}

// change replaces the text of the file by what edit makes of it, in one step and under
// a lock; nothing is written when it is the same.
func (f configFile) change(edit func([]byte) ([]byte, error)) error {
	if err := f.follow(); err != nil {
		return err
	}
	if f.layer == settings.OriginUser { // the lock lies beside the file
		if err := makeFolder(filepath.Dir(f.lock), 0o700); err != nil {
			return err
		}
	}
	lock, err := durable.Acquire(f.ctx, f.lock, "changing settings")
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }()
	durable.SweepTemps(f.path)
	perm := fs.FileMode(0o644)
	if info, err := os.Stat(f.path); err == nil {
		perm = info.Mode().Perm()
	}
	data, err := os.ReadFile(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return model.Failf(err, "cannot read %s", f.path)
	}
	text, err := edit(data)
	switch {
	case err != nil:
		return model.Errorf(model.CodeRefused, "%s stays as it is: %v", f.path, err).WithHint("`overturn config edit --where %s` opens it", f.layer)
	case string(text) == string(data):
		return nil
	}
	if !f.linked && settings.Empty(text) {
		return f.remove()
	}
	if err := makeFolder(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	if err := durable.ReplaceFile(f.path, text, perm); err != nil {
		return model.Failf(err, "cannot write %s", f.path)
	}
	return nil
}

// remove takes away a file that sets nothing any more, and the folder with it where that
// was the repository's and holds nothing else.
func (f configFile) remove() error {
	durable.Point("cli.configremove.file")
	if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return model.Failf(err, "cannot remove %s", f.path)
	}
	if f.layer != settings.OriginUser {
		durable.Point("cli.configremove.folder")
		_ = os.Remove(filepath.Dir(f.path)) // one that holds other files stays
	}
	return nil
}

// follow finds the file that is meant. A link in the user's folder is followed, as those
// who keep their settings elsewhere want it; one in a repository is refused.
func (f *configFile) follow() error {
	dir := filepath.Dir(f.path)
	if f.layer == settings.OriginUser {
		if real, err := filepath.EvalSymlinks(f.path); err == nil {
			info, err := os.Lstat(f.path)
			f.linked = err != nil || info.Mode()&fs.ModeSymlink != 0
			f.path = real
		}
	} else {
		for _, p := range []string{dir, f.path} {
			if info, err := os.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
				return model.Refusedf("%s is a link: what it leads to is not written", p).WithHint("put a file in its place")
			}
		}
	}
	return nil
}

// makeFolder makes a folder that a file is about to be written into: a file that is only
// looked at, or has nothing to take out, leaves none behind.
func makeFolder(dir string, perm fs.FileMode) error {
	durable.Point("cli.configready.mkdir")
	if err := os.MkdirAll(dir, perm); err != nil {
		return model.Failf(err, "cannot make the folder %s", dir)
	}
	return nil
}
