package cli

import (
	"fmt"
	"os"

	"overturn/model"
	"overturn/model/settings"
)

// unprotected tells why no turn can be recorded in this work tree: the state folder
// cannot be made or written. Nil when it can be.
func (e *engines) unprotected() error {
	err := e.repo.EnsureStateDir()
	if err == nil {
		err = writable(e.repo.StateDir())
	}
	if err == nil {
		return tooWide(e.repo, e.app.env, e.settings)
	}
	return model.Failf(err, "not protected: no turn can be recorded here").
		WithHint("see that %s is a folder that you can write", e.repo.StateDir())
}

// sizeLimit says that captures leave out more than they do by default, and who says so:
// a setting that comes with a repository can leave out all of it.
func (e *engines) sizeLimit() string {
	if e.settings.MaxFileSize >= settings.DefaultMaxFileSize {
		return ""
	}
	d, _ := settings.Define("capture.max_file_size")
	v := valueOf(e.settings, d)
	return fmt.Sprintf("files over %s are left out of snapshots: %s in %s", bytesText(e.settings.MaxFileSize), d.Key, safe(v.Where))
}

func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
