package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/settings"
	"overturn/ui/keymap"
)

func newConfig(a *app) *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:   "config [list|get|set|unset|edit|keys|path]",
		Short: "Show and change the settings, and the keys of the review",
		Long: `Show and change the settings. They come in layers, each over the one before:

  default      what overturn does when nothing is set
  user         settings.json in the user's configuration folder
  project      .overturn/settings.json, which the project may commit
  local        .overturn/settings.local.json, of this checkout
  environment  OVERTURN_… variables

The files are JSON and may hold comments; set and unset keep them, and the order.
How a person wants the review (review.… and keys.…) is of the user's file and the
environment alone: what comes with a repository changes neither keys nor looks.

Without a verb: the list.

` + settingsHelp(),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.configList(cmd.Context(), origin) },
	}
	originFlag(cmd, &origin)
	cmd.AddCommand(newConfigList(a), newConfigGet(a), newConfigSet(a), newConfigUnset(a), newConfigEdit(a), newConfigKeys(a), newConfigPath(a))
	return cmd
}

// settingsHelp lists every setting.
func settingsHelp() string {
	var b strings.Builder
	b.WriteString("Settings:\n")
	for _, d := range settings.Definitions() {
		fmt.Fprintf(&b, "  %-24s %s (%s)\n", d.Key, d.Help, d.Spelt)
	}
	return strings.TrimRight(b.String(), "\n")
}

// place is where settings are read from: a work tree, or none.
type configPlace struct {
	repo *gitops.Repo // nil outside of a repository
	root string
	why  error // there is no repository
}

func (a *app) configPlace(ctx context.Context) configPlace {
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil {
		return configPlace{why: err}
	}
	return configPlace{repo: repo, root: repo.Root}
}

// configProblem is what in the settings does not hold.
type configProblem struct {
	Where  string `json:"where"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

func (p configProblem) String() string { return fmt.Sprintf("%s: %s: %s", p.Where, p.Name, p.Reason) }

// told is a list of problems in one text.
func told(list []configProblem) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, p.String())
	}
	return strings.Join(parts, "; ")
}

// problems lists names that nobody obeys, and keys and themes that cannot be.
func (a *app) problems(root string, set settings.Settings) []configProblem {
	list := []configProblem{}
	for _, s := range settings.Strangers(root, a.userDir()) {
		list = append(list, configProblem(s))
	}
	where := func(key string) string {
		for _, v := range set.Values {
			if v.Key == key {
				return v.Where
			}
		}
		file, _ := settings.FileOf(root, a.userDir(), settings.OriginUser)
		return file
	}
	_, keys := keymap.Remap(bound(set))
	for _, p := range keys {
		list = append(list, configProblem{where(settings.KeyPrefix + string(p.Intent)), settings.KeyPrefix + string(p.Intent), p.Reason})
	}
	if err := knownTheme(set.Review.Theme); err != nil {
		list = append(list, configProblem{where("review.theme"), "review.theme", err.Error()})
	}
	return list
}

// bound is the user's keys as the key map takes them.
func bound(set settings.Settings) []keymap.Bound {
	var list []keymap.Bound
	for _, b := range set.Review.Keys {
		list = append(list, keymap.Bound{Intent: keymap.Intent(b.Intent), Keys: b.Keys})
	}
	return list
}

func newConfigList(a *app) *cobra.Command {
	var origin bool
	cmd := &cobra.Command{
		Use:   "list [--origin]",
		Short: "List the settings in force; names that nobody obeys are told on stderr",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.configList(cmd.Context(), origin) },
	}
	originFlag(cmd, &origin)
	return cmd
}

// originFlag is the list's, and that of the verb without a verb, which is the list.
func originFlag(cmd *cobra.Command, origin *bool) {
	cmd.Flags().BoolVar(origin, "origin", false, "say where each value comes from")
}

// configList prints overturn.config/1. A broken layer is left out and told at the end.
func (a *app) configList(ctx context.Context, origin bool) error {
	place := a.configPlace(ctx)
	set, broken := settings.Load(place.root, a.userDir(), a.env.Getenv)
	wire := struct {
		Settings []settings.Value `json:"settings"`
		Problems []configProblem  `json:"problems"`
	}{set.Values, a.problems(place.root, set)}
	if err := a.emit("overturn.config/1", wire, func(w *bufio.Writer) { listSettings(w, set.Values, origin) }); err != nil {
		return err
	}
	if !a.json {
		for _, p := range wire.Problems {
			a.say("%s", safe(p.String()))
		}
	}
	return broken
}

func listSettings(w *bufio.Writer, values []settings.Value, origin bool) {
	width := 0
	for _, v := range values {
		width = max(width, len(v.Key))
	}
	for _, v := range values {
		line := fmt.Sprintf("%-*s  %s", width, safe(v.Key), safe(v.Value))
		if origin {
			line = fmt.Sprintf("%-11s  %s", v.Origin, line)
			if v.Where != "" {
				line += "  (" + safe(v.Where) + ")"
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func newConfigGet(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "get KEY",
		Short: "Print one setting; of keys.INTENT the keys in force",
		Args:  exactlyOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := definition(args[0])
			if err != nil {
				return err
			}
			set, err := settings.Load(a.configPlace(cmd.Context()).root, a.userDir(), a.env.Getenv)
			if err != nil {
				return err
			}
			value := valueOf(set, d)
			return a.emit("overturn.config/1", struct {
				Settings []settings.Value `json:"settings"`
			}{[]settings.Value{value}}, func(w *bufio.Writer) { fmt.Fprintln(w, safe(value.Value)) })
		},
	}
}

// valueOf is a setting in force: of an intent that is not set, the keys of the
// catalogue.
func valueOf(set settings.Settings, d settings.Definition) settings.Value {
	if i := slices.IndexFunc(set.Values, func(v settings.Value) bool { return v.Key == d.Key }); i >= 0 {
		return set.Values[i]
	}
	keys, _ := keymap.Remap(bound(set))
	c, _ := keys.Command(keymap.Intent(strings.TrimPrefix(d.Key, settings.KeyPrefix)))
	return settings.Value{Key: d.Key, Value: spelt(c.Keys), Origin: settings.OriginDefault}
}

// spelt is keys as `config set` takes them.
func spelt(keys []string) string {
	if len(keys) == 0 {
		return settings.NoKey
	}
	list := slices.Clone(keys)
	for i, k := range list {
		list[i] = strings.Replace(k, " ", "space", 1)
	}
	return strings.Join(list, " ")
}

// definition finds a setting by its name, or says which there are.
func definition(key string) (settings.Definition, error) {
	d, ok := settings.Define(key)
	if !ok {
		var names []string
		for _, d := range settings.Definitions() {
			names = append(names, d.Key)
		}
		return d, model.Usagef("there is no setting %q", key).WithHint("there are %s", strings.Join(names, ", "))
	}
	if intent, isKey := strings.CutPrefix(d.Key, settings.KeyPrefix); isKey {
		if _, ok := keymap.New().Command(keymap.Intent(intent)); !ok {
			_, problems := keymap.Remap([]keymap.Bound{{Intent: keymap.Intent(intent)}})
			return d, model.Usagef("%s", problems[0].String()).WithHint("`overturn config keys` lists the intents")
		}
	}
	return d, nil
}
