package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/durable"
	"overturn/model/settings"
	"overturn/themes"
	"overturn/ui/keymap"
)

func newConfigSet(a *app) *cobra.Command {
	var where string
	cmd := &cobra.Command{
		Use:   "set [--where user|project|local] KEY VALUE…",
		Short: "Set one setting in a file, and keep all else that stands there",
		Long: `Set one setting in a file; comments and the order of the file stay. Without --where
it is this checkout's own file (.overturn/settings.local.json, which git status shows
unless it is ignored), for review.… and keys.… the user's.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return model.Usagef("set needs a key and a value")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := definition(args[0])
			if err != nil {
				return err
			}
			if !strings.HasPrefix(d.Key, settings.KeyPrefix) && len(args) > 2 {
				return model.Usagef("set takes one value for %s, not %d", d.Key, len(args)-1)
			}
			return a.configSet(cmd.Context(), d, where, strings.Join(args[1:], " "))
		},
	}
	whereFlag(cmd, &where)
	return cmd
}

func newConfigUnset(a *app) *cobra.Command {
	var where string
	cmd := &cobra.Command{
		Use:   "unset [--where user|project|local] KEY",
		Short: "Take one setting out of a file; where it is not, nothing changes",
		Args:  exactlyOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, ok := settings.Define(args[0]) // an intent that is unknown can be taken out too
			if !ok {
				_, err := definition(args[0])
				return err
			}
			f, err := a.configFile(cmd.Context(), d, where)
			if err != nil {
				return err
			}
			return f.change(func(data []byte) ([]byte, error) {
				text, found, err := settings.Without(data, f.layer, d)
				if err == nil && !found {
					a.say("%s does not stand in %s", safe(d.Key), safe(f.path))
				}
				return text, err
			})
		},
	}
	whereFlag(cmd, &where)
	return cmd
}

func whereFlag(cmd *cobra.Command, where *string) {
	cmd.Flags().StringVar(where, "where", "", "in the file of `LAYER`: user, project or local")
}

// configSet sets a value that holds, and says what else follows from it.
func (a *app) configSet(ctx context.Context, d settings.Definition, where, value string) error {
	encoded, err := d.Encode(value)
	if err == nil {
		err = takes(d, value)
	}
	if err != nil {
		return model.Usagef("%s: %v", d.Key, err).WithHint("it takes %s", d.Spelt)
	}
	f, err := a.configFile(ctx, d, where)
	if err != nil {
		return err
	}
	before, _ := settings.Load(f.root, a.userDir(), a.env.Getenv)
	if err := refusedKeys(before, d, value); err != nil {
		return err
	}
	if err := f.change(func(data []byte) ([]byte, error) { return settings.Changed(data, f.layer, d, encoded) }); err != nil {
		return err
	}
	a.said(f, d, before)
	return nil
}

// said tells on stderr what the change did, where that may not be what is expected.
func (a *app) said(f configFile, d settings.Definition, before settings.Settings) {
	after, err := settings.Load(f.root, a.userDir(), a.env.Getenv)
	if err != nil {
		return // the next verb says it
	}
	if v := valueOf(after, d); v.Origin != f.layer {
		a.say("%s is written, and %s is in force: %s", safe(f.path), safe(v.Value), safe(strings.TrimSpace(string(v.Origin)+" "+v.Where)))
	}
	told := a.problems(f.root, before)
	for _, p := range a.problems(f.root, after) {
		if !slices.Contains(told, p) {
			a.say("%s: %s", safe(p.Name), safe(p.Reason))
		}
	}
}

// takes holds a value against what only the whole program knows.
func takes(d settings.Definition, value string) error {
	switch d.Key {
	case "review.theme":
		return knownTheme(value)
	case "checkpoints.primary":
		return backends().Check(value, true)
	case "checkpoints.mirrors":
		for _, name := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
			if err := backends().Check(name, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownTheme refuses the name of a theme that there is not.
func knownTheme(name string) error {
	if _, ok := themes.Named(name); ok || name == "" || name == "auto" || name == "light" || name == "dark" {
		return nil
	}
	return errors.New("there is no theme " + name + "; `overturn themes` lists them")
}

// refusedKeys refuses keys that would not hold.
func refusedKeys(set settings.Settings, d settings.Definition, value string) error {
	intent, ok := strings.CutPrefix(d.Key, settings.KeyPrefix)
	if !ok {
		return nil
	}
	keys := strings.Fields(value)
	if slices.Contains(keys, settings.NoKey) {
		keys = nil
	}
	list := slices.DeleteFunc(bound(set), func(b keymap.Bound) bool { return string(b.Intent) == intent })
	_, already := keymap.Remap(list)
	_, problems := keymap.Remap(append(list, keymap.Bound{Intent: keymap.Intent(intent), Keys: keys}))
	for _, p := range problems {
		clash := string(p.Intent) != intent && strings.HasSuffix(p.Reason, "is the key of "+intent+" already")
		if (string(p.Intent) == intent || clash) && !slices.Contains(already, p) {
			return model.Usagef("%s%s", settings.KeyPrefix, p.String()).WithHint("`overturn config keys` lists the keys in force")
		}
	}
	return nil
}

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
	if err := f.ready(); err != nil {
		return err
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

// ready makes the folder of the file. A link in the user's folder is followed, as those
// who keep their settings elsewhere want it; one in a repository is refused.
func (f *configFile) ready() error {
	dir, perm := filepath.Dir(f.path), fs.FileMode(0o755)
	if f.layer == settings.OriginUser {
		perm = 0o700
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
	durable.Point("cli.configready.mkdir")
	if err := os.MkdirAll(dir, perm); err != nil {
		return model.Failf(err, "cannot make the folder %s", dir)
	}
	return nil
}
