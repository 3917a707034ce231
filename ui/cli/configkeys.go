package cli

import (
	"bufio"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/model/settings"
	"overturn/ui/keymap"
)

func newConfigKeys(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "keys",
		Short: "List the intents of the review with their keys",
		Long: `List what a key of the review can mean: the intent, its keys, and what it does.
Other keys are given with: overturn config set keys.INTENT KEY…`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := settings.Load("", a.userDir(), a.env.Getenv)
			if err != nil {
				return err
			}
			type row struct {
				Intent string   `json:"intent"`
				Keys   []string `json:"keys"`
				Title  string   `json:"title"`
				Group  string   `json:"group"`
				Mine   bool     `json:"mine"`
			}
			wire := struct {
				Keys     []row           `json:"keys"`
				Problems []configProblem `json:"problems"`
			}{nil, a.problems("", set)}
			keys, _ := keymap.Remap(bound(set))
			for _, c := range keys.Commands() {
				wire.Keys = append(wire.Keys, row{string(c.Intent), model.NotNil(c.Keys), c.Title, string(c.Group), keys.Mine(c.Intent)})
			}
			err = a.emit("overturn.keys/1", wire, func(w *bufio.Writer) {
				for _, r := range wire.Keys {
					mine := ""
					if r.Mine {
						mine = " (yours)"
					}
					fmt.Fprintf(w, "%-22s %-20s %s%s\n", r.Intent, safe(spelt(r.Keys)), r.Title, mine)
				}
			})
			if !a.json {
				for _, p := range wire.Problems {
					a.say("%s", safe(p.String()))
				}
			}
			return err
		},
	}
}

func newConfigPath(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the files that settings are read from, weakest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			type row struct {
				Origin settings.Origin `json:"origin"`
				Path   string          `json:"path"`
				Exists bool            `json:"exists"`
			}
			wire := struct {
				Files []row `json:"files"`
			}{[]row{}}
			for _, f := range settings.Files(a.configPlace(cmd.Context()).root, a.userDir()) {
				_, err := os.Lstat(f.Path)
				wire.Files = append(wire.Files, row{f.Origin, f.Path, err == nil})
			}
			return a.emit("overturn.config-files/1", wire, func(w *bufio.Writer) {
				for _, f := range wire.Files {
					absent := ""
					if !f.Exists {
						absent = "  (not there)"
					}
					fmt.Fprintf(w, "%-8s %s%s\n", f.Origin, safe(f.Path), absent)
				}
			})
		},
	}
}
