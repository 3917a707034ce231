package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"overturn/gitops"
	"overturn/gitops/githooks"
	"overturn/review/agents"
)

// The git hooks that overturn can be called from.
const (
	hookPrePush       = "pre-push"
	hookPrepareCommit = "prepare-commit-msg"
	hookCommitMsg     = "commit-msg"
)

// gitHookNames lists them.
func gitHookNames() []string { return []string{hookPrePush, hookPrepareCommit, hookCommitMsg} }

// gitHookFlags say which git hooks `enable` and `disable` are about.
type gitHookFlags struct{ push, trailers bool }

func (g *gitHookFlags) flags(set *pflag.FlagSet) {
	set.BoolVar(&g.push, "git-hooks", false, "the pre-push hook of git: records go along with a push")
	set.BoolVar(&g.trailers, "commit-trailers", false, "the hooks of git that tie a commit to the turns that made it")
}

func (g gitHookFlags) any() bool { return g.push || g.trailers }

// names are the hooks of the flags. A message that is written in an editor is there
// at commit-msg only: until then nobody knows whether it stays empty.
func (g gitHookFlags) names() []string {
	var list []string
	if g.push {
		list = append(list, hookPrePush)
	}
	if g.trailers {
		list = append(list, hookPrepareCommit, hookCommitMsg)
	}
	return list
}

// gitHooksWire is overturn.githooks/1: by name of the hook, its file where overturn is
// called from it, "" where it is not.
type gitHooksWire struct {
	Hooks map[string]string `json:"git_hooks"`
}

// enableGitHooks puts git hooks in place.
func (a *app) enableGitHooks(ctx context.Context, g gitHookFlags) error {
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil {
		return err
	}
	lock, err := a.lockMarks(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	program, err := a.programFor(agents.Local)
	if err != nil {
		return err
	}
	folder, err := githooks.FolderOf(repo)
	if err != nil {
		return err
	}
	var failed error
	for _, name := range g.names() {
		if err := folder.Put(ctx, name, githooks.Line(program, name)); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return errors.Join(failed, a.reportGitHooks(folder))
}

// disableOnlyGitHooks takes the git hooks of the flags out.
func (a *app) disableOnlyGitHooks(ctx context.Context, g gitHookFlags) error {
	repo, err := gitops.Find(ctx, a.dir, a.env)
	if err != nil {
		return err
	}
	lock, err := a.lockMarks(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := a.disableGitHooks(repo, g.names()); err != nil {
		return err
	}
	folder, err := githooks.FolderOf(repo)
	if err != nil {
		return err
	}
	return a.reportGitHooks(folder)
}

// disableGitHooks takes git hooks out, also where git used them before core.hooksPath
// was set.
func (a *app) disableGitHooks(repo *gitops.Repo, names []string) error {
	folder, err := githooks.FolderOf(repo)
	if err != nil {
		return err
	}
	var failed error
	for _, name := range names {
		failed = errors.Join(failed, folder.Remove(name), githooks.OwnFolder(repo).Remove(name))
	}
	return failed
}

// reportGitHooks prints where overturn is called from.
func (a *app) reportGitHooks(folder githooks.Folder) error {
	hooks, err := hooksAt(folder)
	if err != nil {
		return err
	}
	return a.emit("overturn.githooks/1", gitHooksWire{hooks}, func(w *bufio.Writer) {
		for _, name := range gitHookNames() {
			if hooks[name] == "" {
				fmt.Fprintf(w, "%-18s not called\n", name)
			} else {
				fmt.Fprintf(w, "%-18s %s\n", name, safe(hooks[name]))
			}
		}
	})
}

func hooksAt(folder githooks.Folder) (map[string]string, error) {
	hooks := map[string]string{}
	for _, name := range gitHookNames() {
		at, err := folder.At(name)
		if err != nil {
			return nil, err
		}
		hooks[name] = at
	}
	return hooks, nil
}

// gitHooks is where overturn is called from in this repository.
func (e *engines) gitHooks() (map[string]string, error) {
	folder, err := githooks.FolderOf(e.repo)
	if err != nil {
		return nil, err
	}
	return hooksAt(folder)
}
