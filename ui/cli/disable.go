package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

func newDisable(a *app) *cobra.Command {
	var git gitHookFlags
	cmd := &cobra.Command{
		Use:   "disable [AGENT…]",
		Short: "Take overturn's hooks out of the settings of coding agents",
		Long: `Take overturn's hooks out of the settings of the agents named, or of all:
out of this checkout's files and the repository's, and out of the user's own
file when no other repository records by it. Without an AGENT git's hooks are
cleared too; with --git-hooks or --commit-trailers they alone. What was recorded
stays.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if git.any() && len(args) > 0 {
				return model.Usagef("git hooks are disabled by themselves").WithHint("call disable once more, for the agents")
			}
			if git.any() {
				return a.disableOnlyGitHooks(cmd.Context(), git)
			}
			return a.disable(cmd.Context(), args)
		},
	}
	git.flags(cmd.Flags())
	return cmd
}

func (a *app) disable(ctx context.Context, names []string) error {
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil && model.CodeOf(err) != model.CodeNoRepository {
		return err
	}
	list := installers()
	if len(names) > 0 {
		if list, err = a.chosen(repo, names); err != nil {
			return err
		}
	}
	lock, err := a.lockMarks(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var failed error
	if len(names) == 0 && repo != nil {
		failed = a.disableGitHooks(repo, gitHookNames())
	}
	had := map[string]string{}
	for _, in := range list {
		if row, err := a.agentRow(repo, in); err == nil && row.Installed {
			had[in.name] = row.Path
		}
		if err := a.disableOne(repo, in); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return a.reportRows(ctx, repo, adaptersOf(list), failed, func(w *bufio.Writer, rows []agentRow) { a.disabledLines(w, rows, had) })
}

// disabledLines names the files whose hooks recorded here, by had, and tells all of an
// agent whose hooks are still in place.
func (a *app) disabledLines(w *bufio.Writer, rows []agentRow, had map[string]string) {
	if len(had) == 0 {
		fmt.Fprintln(w, "no hooks of agents recorded here")
	}
	for _, r := range rows {
		switch {
		case r.Installed:
			a.agentLines(w, []agentRow{r})
		case had[r.Agent] != "":
			fmt.Fprintf(w, "%-12s hooks record here no more (%s)\n", r.Agent, safe(had[r.Agent]))
		}
	}
}

// disableOne goes through every file that may hold the agent's hooks; one that
// cannot be edited does not keep the others from being cleared.
func (a *app) disableOne(repo *gitops.Repo, in installer) error {
	marks, err := a.readUserMarks()
	if err != nil {
		return err
	}
	user := marks.of(in.name)
	user.All = false
	if repo != nil {
		user.remove(repo.CommonDir)
	}
	var folders []string
	if repo != nil {
		if folders, err = madeFolders(repo, in.name); err != nil {
			return err
		}
	}
	var failed error
	for _, s := range in.Files(a.host(rootOf(repo))) {
		if s.Where == agents.User && len(user.Repositories) > 0 {
			continue
		}
		made := folders
		if s.Where == agents.User {
			made = user.Folders
		}
		if _, err := agents.Disable(in, s, made...); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	if failed != nil {
		return failed
	}
	if len(user.Repositories) == 0 {
		delete(marks.Agents, in.name)
	}
	if err := writeMarks(a.userMarksPath(), marks, len(marks.Agents) == 0); err != nil || repo == nil {
		return err
	}
	return unmarkRepo(repo, in.name)
}

func madeFolders(repo *gitops.Repo, agent string) ([]string, error) {
	marks, err := readRepoMarks(repo)
	if err != nil || marks.Agents[agent] == nil {
		return nil, err
	}
	return marks.Agents[agent].Folders, nil
}

func unmarkRepo(repo *gitops.Repo, agent string) error {
	marks, err := readRepoMarks(repo)
	if err != nil || marks.Agents[agent] == nil {
		return err
	}
	delete(marks.Agents, agent)
	return writeMarks(repoMarksPath(repo), marks, len(marks.Agents) == 0)
}
