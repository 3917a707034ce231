package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"overturn/model"
)

func newDemo(a *app) *cobra.Command {
	var noTUI bool
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make a disposable repository with real recorded turns and open it",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := demoDir(dir)
			if err != nil {
				return err
			}
			if err := a.makeDemo(cmd.Context(), where); err != nil {
				return err
			}
			a.say("the demo repository is %s; remove it when you are done", where)
			if noTUI || !a.interactive() {
				fmt.Fprintln(a.stdout, where)
				return nil
			}
			a.dir = where
			return runReview(cmd.Context(), a, model.Scope{}, false)
		},
	}
	cmd.Flags().BoolVar(&noTUI, "no-tui", false, "leave the repository and print its path as the last line")
	cmd.Flags().StringVar(&dir, "dir", "", "make it in `DIR`, which must be empty or absent (default: a temporary folder)")
	return cmd
}

// demoDir is an empty folder of its own: the demo never writes into another.
func demoDir(dir string) (string, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "overturn-demo-")
		if err != nil {
			return "", model.Failf(err, "cannot make a folder for the demo")
		}
		return made, nil
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", model.Failf(err, "cannot tell where %q is", dir)
	}
	if err := os.MkdirAll(full, 0o755); err != nil {
		return "", model.Failf(err, "cannot make %s", full)
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return "", model.Failf(err, "cannot read %s", full)
	}
	if len(entries) > 0 {
		return "", model.Usagef("%s is not empty", full).WithHint("name a folder that is empty or not there yet")
	}
	return full, nil
}

// makeDemo plays the demo's story in a new repository at dir.
func (a *app) makeDemo(ctx context.Context, dir string) error {
	s := &story{app: a, dir: dir}
	s.begin(ctx)
	for _, scene := range demoScenes() {
		scene(ctx, s)
		if s.err != nil {
			return model.Failf(s.err, "the demo could not be made in %s", dir)
		}
	}
	return nil
}
