package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops/remotes/queue"
	"overturn/model"
)

func newSyncStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what waits for which remote; the network is not asked",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			s, err := e.syncStatus(cmd.Context())
			if err != nil {
				return err
			}
			return a.emit("overturn.sync/1", s, func(w *bufio.Writer) { a.syncLines(w, s) })
		},
	}
}

// syncStatusWire is overturn.sync/1 of `sync status`.
type syncStatusWire struct {
	Remote  string            `json:"remote"` // of the setting checkpoints.remote, ""
	Pushed  []string          `json:"pushed"`
	Queued  []queuedWire      `json:"queued"`
	Fetched []string          `json:"fetched"`
	Remotes []remoteWaitsWire `json:"remotes"`
	Hooks   map[string]string `json:"git_hooks"` // by name of the hook: where it is, or ""
}

// remoteWaitsWire is one remote in use, and what waits for it.
type remoteWaitsWire struct {
	Remote   string       `json:"remote"`
	Approved time.Time    `json:"approved_at"`
	Pushed   time.Time    `json:"pushed_at,omitzero"`
	Failed   time.Time    `json:"failed_at,omitzero"`
	Failure  string       `json:"failure"`
	Queued   []queuedWire `json:"queued"`
}

func (e *engines) syncStatus(ctx context.Context) (*syncStatusWire, error) {
	q := queue.Open(e.repo, e.refs, e.app.env.Clock)
	used, err := q.Remotes()
	if err != nil {
		return nil, err
	}
	each, _, err := q.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	s := &syncStatusWire{Remote: e.settings.Checkpoints.Remote, Pushed: []string{}, Queued: []queuedWire{}, Fetched: []string{}, Remotes: []remoteWaitsWire{}}
	if s.Hooks, err = e.gitHooks(); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range used {
		wire := remoteWaitsWire{Remote: r.Name, Approved: r.Approved, Pushed: r.Pushed, Failed: r.Failed, Failure: r.Failure, Queued: []queuedWire{}}
		for _, w := range each[r.Key] {
			wire.Queued = append(wire.Queued, queuedWire{w.Ref, w.Failure.Reason})
			if !seen[w.Ref] {
				seen[w.Ref] = true
				s.Queued = append(s.Queued, queuedWire{w.Ref, w.Failure.Reason})
			}
		}
		s.Remotes = append(s.Remotes, wire)
	}
	return s, nil
}

func (a *app) syncLines(w *bufio.Writer, s *syncStatusWire) {
	if len(s.Remotes) == 0 {
		fmt.Fprintln(w, "no record went to a remote yet: overturn sync push asks, and sends them")
	}
	for _, r := range s.Remotes {
		last := "no push went through yet"
		if !r.Pushed.IsZero() {
			last = "last push " + a.age(r.Pushed)
		}
		fmt.Fprintf(w, "%s: %s, %s\n", safe(r.Remote), waits(len(r.Queued)), last)
		if r.Failure != "" {
			fmt.Fprintf(w, "  failed %s: %s\n", a.age(r.Failed), safe(r.Failure))
		}
		queuedLines(w, slices.DeleteFunc(slices.Clone(r.Queued), func(q queuedWire) bool { return q.Reason == "" }))
	}
	for _, name := range gitHookNames() {
		if at := s.Hooks[name]; at != "" {
			fmt.Fprintf(w, "git hook %s: %s\n", name, safe(at))
		}
	}
}

// waits says how many records wait.
func waits(n int) string {
	switch n {
	case 0:
		return "nothing waits"
	case 1:
		return "1 record waits"
	}
	return count(n, "record") + " wait"
}

// queuedCount is how many records wait for a remote in use, for `status`.
func (e *engines) queuedCount(ctx context.Context) (int, error) {
	q := queue.Open(e.repo, e.refs, e.app.env.Clock)
	_, n, err := q.Waiting(ctx)
	if err != nil {
		return 0, model.Failf(err, "cannot tell what waits to be pushed")
	}
	return n, nil
}
