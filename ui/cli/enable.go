package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

func newEnable(a *app) *cobra.Command {
	var where string
	var git gitHookFlags
	cmd := &cobra.Command{
		Use:   "enable [AGENT…]",
		Short: "Put overturn's hooks into the settings of coding agents",
		Long: `Put overturn's hooks into the settings of the agents named, or of all that are
found on this machine. Where an agent has a settings file of this checkout that
is not committed, it is used; otherwise the user's own file: then only
repositories that were enabled are recorded, unless --where user asks for all.
Nothing else in a settings file changes, and "overturn disable" takes the hooks
out without a trace.

--git-hooks and --commit-trailers are about git's own hooks, beside those that are
there: a pre-push that sends records to remotes they went to before, and a trailer
Overturn-Checkpoint in the message of a commit that has files of a turn. With one of
them and no AGENT, agents are left as they are.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if git.any() && len(args) == 0 && where == "" {
				return a.enableGitHooks(cmd.Context(), git)
			}
			if git.any() {
				return model.Usagef("git hooks are enabled by themselves").WithHint("call enable once more, for the agents")
			}
			place, err := placeOf(where)
			if err != nil {
				return err
			}
			return a.enable(cmd.Context(), args, place)
		},
	}
	cmd.Flags().StringVar(&where, "where", "", "`PLACE` of the hooks: local, project or user")
	git.flags(cmd.Flags())
	return cmd
}

func placeOf(s string) (agents.Where, error) {
	switch w := agents.Where(s); w {
	case "", agents.Local, agents.Project, agents.User:
		return w, nil
	}
	return "", model.Usagef("--where %q is not a place for hooks", s).WithHint("use local, project or user")
}

func (a *app) enable(ctx context.Context, names []string, where agents.Where) error {
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil && (where != agents.User || model.CodeOf(err) != model.CodeNoRepository) {
		return err
	}
	list, err := a.chosen(repo, names)
	if err != nil {
		return err
	}
	lock, err := a.lockMarks(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	var failed error
	for _, in := range list {
		if err := a.enableOne(repo, in, where); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return a.reportAgents(ctx, repo, adaptersOf(list), failed)
}

// chosen are the agents named, or all that are found on this machine.
func (a *app) chosen(repo *gitops.Repo, names []string) ([]installer, error) {
	all := installers()
	if len(names) > 0 {
		var list []installer
		for _, name := range names {
			i := slices.IndexFunc(all, func(in installer) bool { return in.name == name })
			if i < 0 {
				if _, err := agentSet().Get(name); err != nil {
					return nil, err
				}
				return nil, model.Usagef("%s has no settings that overturn could change", name).
					WithHint("call overturn hook %s yourself; see overturn hook --help", name)
			}
			list = append(list, all[i])
		}
		return list, nil
	}
	host := a.host(rootOf(repo))
	list := slices.DeleteFunc(all, func(in installer) bool { return !in.Found(host) })
	if len(list) == 0 {
		return nil, model.Errorf(model.CodeFailed, "no coding agent was found on this machine").
			WithHint("name one: overturn enable claude-code")
	}
	return list, nil
}

func rootOf(repo *gitops.Repo) string {
	if repo == nil {
		return ""
	}
	return repo.Root
}

// enableOne puts one agent's hooks in place, then marks for whom they record. A
// crash in between leaves hooks that record nothing: enable again mends it.
func (a *app) enableOne(repo *gitops.Repo, in installer, where agents.Where) error {
	all := where == agents.User
	if where == "" {
		where = a.ownPlace(repo, in) // a repository that brings its hooks along keeps them there
	}
	if where == "" {
		where = in.Default()
	}
	s, ok := settingsAt(in, a.host(rootOf(repo)), where)
	if !ok {
		return model.Usagef("%s has no %s settings", in.name, where).WithHint("use --where project or --where user")
	}
	program, err := a.programFor(where)
	if err != nil {
		return err
	}
	done, err := agents.Enable(in, s, agents.HookCommand(program, in.name, where == agents.User))
	if err != nil {
		return err
	}
	if err := a.takeElsewhere(repo, in, where); err != nil {
		return err
	}
	if where == agents.User {
		if err := a.markUser(repo, in.name, all, done.MadeFolder); err != nil {
			return err
		}
	}
	if repo == nil {
		return nil
	}
	if err := repo.EnsureStateDir(); err != nil {
		return err
	}
	return markRepo(repo, in.name, where, done, a.env.Clock().UTC())
}

// takeElsewhere clears the other files of this repository: hooks in two of them
// would record everything twice.
func (a *app) takeElsewhere(repo *gitops.Repo, in installer, where agents.Where) error {
	if repo == nil {
		return nil
	}
	folders, err := madeFolders(repo, in.name)
	if err != nil {
		return err
	}
	for _, s := range in.Files(a.host(repo.Root)) {
		if s.Where == where || s.Where == agents.User {
			continue
		}
		if _, err := agents.Disable(in, s, folders...); err != nil {
			return err
		}
	}
	return nil
}

func settingsAt(in agents.Installer, h agents.Host, where agents.Where) (agents.Settings, bool) {
	for _, s := range in.Files(h) {
		if s.Where == where {
			return s, true
		}
	}
	return agents.Settings{}, false
}

func (a *app) markUser(repo *gitops.Repo, agent string, all bool, folder string) error {
	marks, err := a.readUserMarks()
	if err != nil {
		return err
	}
	m := marks.of(agent)
	m.All = m.All || all
	m.Folders = addFolder(m.Folders, folder)
	if repo != nil {
		m.add(repo.CommonDir)
	}
	return writeMarks(a.userMarksPath(), marks, false)
}

func markRepo(repo *gitops.Repo, agent string, where agents.Where, done agents.Changed, at time.Time) error {
	marks, err := readRepoMarks(repo)
	if err != nil {
		return err
	}
	m := marks.Agents[agent]
	if m == nil {
		m = &repoMark{}
		marks.Agents[agent] = m
	}
	if done.Written || m.Where != where {
		m.At = at
	}
	m.Where = where
	if where != agents.User {
		m.Folders = addFolder(m.Folders, done.MadeFolder)
	}
	return writeMarks(repoMarksPath(repo), marks, false)
}

func addFolder(list []string, folder string) []string {
	if folder == "" || slices.Contains(list, folder) {
		return list
	}
	return append(list, folder)
}

// programFor is how a settings file calls this program: by its bare name where
// that finds this very program, or where others read the file too; otherwise by
// its path.
func (a *app) programFor(where agents.Where) (string, error) {
	const name = "overturn"
	if where == agents.Project {
		return name, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", model.Failf(err, "cannot tell where this program is")
	}
	if found, err := exec.LookPath(name); err == nil && sameFile(found, self) {
		return name, nil
	}
	return self, nil
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}
