package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/settings"
)

func newConfigEdit(a *app) *cobra.Command {
	var where string
	cmd := &cobra.Command{
		Use:   "edit [--where user|project|local]",
		Short: "Open a settings file in the editor, and check it afterwards",
		Long: `Open a settings file in the editor (GIT_EDITOR, core.editor, VISUAL, EDITOR, vi), the
user's where --where names no other. One that is not there yet begins with every
setting, as comments. Afterwards what is broken, or does not hold, is told.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.configEdit(cmd.Context(), where) },
	}
	whereFlag(cmd, &where)
	return cmd
}

func (a *app) configEdit(ctx context.Context, where string) error {
	if where == "" {
		where = string(settings.OriginUser)
	}
	f, err := a.configFile(ctx, settings.Definition{}, where)
	if err != nil {
		return err
	}
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		if err := f.change(func([]byte) ([]byte, error) { return template(f.layer), nil }); err != nil {
			return err
		}
	} else if err := f.follow(); err != nil {
		return err
	}
	if err := a.runEditor(ctx, a.configPlace(ctx).repo, f.path); err != nil {
		return err
	}
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = settings.Check(text, f.layer)
	}
	if err != nil {
		return model.Failf(err, "%s is broken", f.path).WithHint("`overturn config edit --where %s` opens it again", f.layer)
	}
	set, err := settings.Load(f.root, a.userDir(), a.env.Getenv)
	for _, p := range a.problems(f.root, set) {
		a.say("%s", safe(p.String()))
	}
	return err
}

// template is a file that sets nothing and says what there is to set.
func template(layer settings.Origin) []byte {
	var b strings.Builder
	b.WriteString("// Settings of overturn; `overturn config --help` tells more.\n{\n")
	block := ""
	for _, d := range settings.Definitions() {
		if d.Personal != (layer == settings.OriginUser) && d.Personal {
			continue
		}
		if d.Path[0] != block {
			block = d.Path[0]
			b.WriteString("  // \"" + block + "\":\n")
		}
		b.WriteString("  //   " + strings.TrimPrefix(d.Key, block+".") + ": " + d.Help + " (" + d.Spelt + ")\n")
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// runEditor runs the user's editor on a file, on the streams of the program. repo may
// be nil.
func (a *app) runEditor(ctx context.Context, repo *gitops.Repo, path string) error {
	editor := a.editor(ctx, repo)
	cmd := exec.CommandContext(ctx, "sh", "-c", editor+` "$@"`, strings.Fields(editor)[0], path)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = filepath.Dir(path), a.stdin, a.stdout, a.stderr
	if err := cmd.Run(); err != nil {
		return model.Failf(err, "the editor failed").WithHint("set VISUAL or EDITOR")
	}
	return nil
}

// editor is the user's, in git's order of choice: GIT_EDITOR, core.editor, VISUAL,
// EDITOR, vi. core.editor counts where the user or the machine set it; one that came
// with a repository is not run.
func (a *app) editor(ctx context.Context, repo *gitops.Repo) string {
	if e := a.env.Getenv("GIT_EDITOR"); strings.TrimSpace(e) != "" {
		return e
	}
	for _, scope := range []string{"--global", "--system"} {
		if repo == nil {
			break
		}
		if out, err := repo.Git(ctx, "config", scope, "--get", "core.editor"); err == nil && len(bytes.TrimSpace(out)) > 0 {
			return string(bytes.TrimSpace(out))
		}
	}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if e := a.env.Getenv(name); strings.TrimSpace(e) != "" {
			return e
		}
	}
	return "vi"
}
