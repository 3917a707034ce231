package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops/remotes"
	"overturn/gitops/remotes/queue"
	"overturn/model/trace"
)

// What a git hook may cost the user: a push waits this long for records at most, a
// commit for its trailers.
const (
	pushHookLimit   = 10 * time.Second
	pushHookAsk     = 3 * time.Second
	pushHookFirst   = 256 // refs in the first round: some of many arrive in time
	commitHookLimit = 2 * time.Second
)

// newGitHook is what the git hooks call. It never fails them: what goes wrong with a
// push is in the trace, with a commit a line on stderr.
func newGitHook(a *app) *cobra.Command {
	return &cobra.Command{
		Use:                "git-hook NAME [ARGUMENT…]",
		Short:              "What the git hooks of enable --git-hooks call",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			a.gitHook(cmd.Context(), args[0], args[1:])
			return nil
		},
	}
}

// gitHook does what the hook of the given name is for.
func (a *app) gitHook(ctx context.Context, name string, args []string) {
	limit := commitHookLimit
	if name == hookPrePush {
		limit = pushHookLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return // no repository of ours, or settings that are broken: other verbs tell
	}
	switch name {
	case hookPrePush:
		if err := a.pushHook(ctx, e, args); err != nil {
			e.trace.Record(trace.Event{Event: trace.SyncPushed, Outcome: "failed", Reason: err.Error(), Detail: map[string]any{"git_hook": name}})
		}
	case hookPrepareCommit, hookCommitMsg:
		if err := e.commitHook(ctx, name, args); err != nil {
			fmt.Fprintf(a.stderr, "overturn: no trailer was added to the commit: %s\n", safe(err.Error()))
		}
	}
}

// pushHook sends what waits for the remote that the user pushes to, if records may go
// there.
func (a *app) pushHook(ctx context.Context, e *engines, args []string) error {
	q := queue.Open(e.repo, e.refs, a.env.Clock)
	if len(args) == 0 || !q.InUse() {
		return nil
	}
	x, err := e.remotes(remotes.Limits{Ask: pushHookAsk, Move: pushHookLimit})
	if err != nil {
		return err
	}
	t, err := x.Target(ctx, args[0])
	if err != nil {
		return err
	}
	if approved, err := q.Approved(t.Key); err != nil || !approved {
		return err
	}
	if waiting, err := q.Pending(ctx, t.Key); err != nil || len(waiting) == 0 {
		return err
	}
	r, err := x.Push(ctx, t, remotes.PushOptions{First: pushHookFirst, Until: a.env.Clock().Add(pushHookLimit)})
	switch {
	case err != nil:
		fmt.Fprintf(a.stderr, "overturn: records stay queued: %s\n", safe(err.Error()))
	case len(r.Queued) > 0:
		fmt.Fprintf(a.stderr, "overturn: %s went to %s, %s queued (overturn sync status)\n", count(len(r.Pushed), "record"), safe(t.Label()), stay(len(r.Queued)))
	default:
		fmt.Fprintf(a.stderr, "overturn: %s went to %s\n", count(len(r.Pushed), "record"), safe(t.Label()))
	}
	return nil // Push traced it
}

// messageFile is the file of a commit message as git names it to its hooks.
func messageFile(root, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(root, name)
}
