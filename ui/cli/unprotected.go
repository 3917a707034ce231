package cli

import (
	"os"

	"overturn/model"
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

func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
