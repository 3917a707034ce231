package cli

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/themes"
)

func newThemes(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "themes",
		Short: "List the colour themes of the review",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			type row struct {
				Name  string `json:"name"`
				Dark  bool   `json:"dark"`
				About string `json:"about"`
			}
			wire := struct {
				Themes []row `json:"themes"`
			}{[]row{}}
			for _, t := range themes.All() {
				wire.Themes = append(wire.Themes, row{t.Name, t.Dark, t.About})
			}
			return a.emit("overturn.themes/1", wire, func(w *bufio.Writer) {
				for _, t := range wire.Themes {
					fmt.Fprintf(w, "%-12s %s\n", t.Name, t.About)
				}
			})
		},
	}
}
