package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"overturn/model"
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
