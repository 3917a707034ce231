package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/model/durable"
)

// maxSettings is the largest settings file that is read, in bytes.
const maxSettings = 8 << 20

// Changed is what Enable or Disable did to one file.
type Changed struct {
	Settings
	Written    bool   // the file is not as it was
	Removed    bool   // nothing else was in it
	MadeFolder string // the topmost folder above it that Enable made, "" when it was there
}

// Enable puts an agent's hooks into one file, making file and folder where they
// are missing. A file that is a link is changed where it leads; its mode stays.
// Content that cannot be edited is refused by name and left as it is.
func Enable(in Installer, s Settings, command string) (Changed, error) {
	done := Changed{Settings: s}
	path, src, mode, err := readSettings(s.Path)
	if err != nil {
		return done, err
	}
	out, err := in.Put(src, command)
	if err != nil {
		return done, refuse(s.Path, err)
	}
	if src != nil && bytes.Equal(src, out) {
		return done, nil
	}
	if done.MadeFolder, err = makeFolder(filepath.Dir(path)); err != nil {
		return done, err
	}
	done.Written = true
	return done, replace(path, src, out, mode)
}

// Disable takes an agent's hooks out of one file. A file that holds nothing else
// is removed, and with it the folders above it, as far as made names one that
// Enable made and nothing else is in them.
func Disable(in Installer, s Settings, made ...string) (Changed, error) {
	done := Changed{Settings: s}
	path, src, mode, err := readSettings(s.Path)
	if err != nil || src == nil {
		return done, err
	}
	out, empty, err := in.Take(src)
	if err != nil {
		return done, refuse(s.Path, err)
	}
	if !empty && bytes.Equal(src, out) {
		return done, nil
	}
	done.Written = true
	if !empty || path != s.Path {
		if empty {
			out = []byte("{}\n") // the link is the user's: it must lead to something
		}
		return done, replace(path, src, out, mode)
	}
	done.Removed = true
	if err := unchanged(path, src); err != nil {
		return done, err
	}
	durable.SweepTemps(path)
	durable.Point("agents.disable.remove")
	if err := os.Remove(path); err != nil {
		return done, model.Failf(err, "cannot remove %s", path)
	}
	removeFolders(filepath.Dir(path), made)
	return done, durable.SyncDir(existing(filepath.Dir(path)))
}

// Installed lists the events that call us in one file; nil when it is absent.
func Installed(in Installer, s Settings) ([]string, error) {
	_, src, _, err := readSettings(s.Path)
	if err != nil || src == nil {
		return nil, err
	}
	events, err := in.Has(src)
	if err != nil {
		return nil, refuse(s.Path, err)
	}
	return events, nil
}

// readSettings returns the real path and the bytes, nil for a file that is not there.
func readSettings(name string) (path string, src []byte, mode fs.FileMode, err error) {
	path = name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		path = real
	} else if target, err := os.Readlink(name); err == nil {
		return "", nil, 0, model.Errorf(model.CodeFailed, "%s is a link to %s, which is not there", name, target)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil, 0o644, nil
	case err != nil:
		return "", nil, 0, model.Failf(err, "cannot read %s", name)
	case !info.Mode().IsRegular():
		return "", nil, 0, model.Errorf(model.CodeFailed, "%s is not a file", name)
	case info.Size() > maxSettings:
		return "", nil, 0, model.Errorf(model.CodeFailed, "%s is too large for a settings file (%d bytes)", name, info.Size())
	}
	src, err = os.ReadFile(path)
	if err != nil {
		return "", nil, 0, model.Failf(err, "cannot read %s", name)
	}
	return path, append([]byte{}, src...), info.Mode().Perm(), nil
}

// replace also removes what a killed one left: whoever enables and disables does so
// under one lock.
func replace(path string, src, out []byte, mode fs.FileMode) error {
	durable.SweepTemps(path)
	if err := unchanged(path, src); err != nil {
		return err
	}
	if err := durable.ReplaceFile(path, out, mode); err != nil {
		return model.Failf(err, "cannot write %s", path)
	}
	return nil
}

// unchanged looks once more, right before the write: the agent itself may have
// saved its settings in between.
func unchanged(path string, src []byte) error {
	now, err := os.ReadFile(path)
	if src == nil && errors.Is(err, fs.ErrNotExist) || src != nil && err == nil && bytes.Equal(now, src) {
		return nil
	}
	return model.Errorf(model.CodeFailed, "%s was changed meanwhile; nothing was written", path).WithHint("try again")
}

// makeFolder makes dir and returns the topmost folder that it had to make.
func makeFolder(dir string) (made string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		made = d
	}
	if made == "" {
		return "", nil
	}
	durable.Point("agents.makefolder.mkdir")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", model.Failf(err, "cannot make the folder %s", dir)
	}
	return made, nil
}

// removeFolders removes dir and those above it, each while it is empty and lies
// at or below a folder that was made.
func removeFolders(dir string, made []string) {
	for _, top := range made {
		for d := dir; top != "" && (d == top || strings.HasPrefix(d, top+string(filepath.Separator))); d = filepath.Dir(d) {
			durable.Point("agents.removefolders.remove")
			if os.Remove(d) != nil {
				return
			}
		}
	}
}

func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func refuse(path string, err error) error {
	return &model.Error{Code: model.CodeFailed, Message: fmt.Sprintf("%s was left as it is", path), Err: err,
		Hint: "correct the file, then run the command again"}
}
