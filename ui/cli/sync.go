package cli

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops/remotes"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/queue"
	"overturn/gitops/remotes/redact"
	"overturn/model"
)

func newSync(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Exchange records of turns with git remotes",
		Long: `Exchange the durable records of turns with ordinary git remotes: prompts, evidence
and lists of changes, with secrets taken out; contents of files only where the
setting sharing.snapshots says so. Nothing goes to a remote before you agreed to it
once. Of all verbs, only these, "checkpoint list --remote" and what says so use the
network.`,
		Args: noVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSyncPush(a), newSyncFetch(a), newSyncStatus(a))
	return cmd
}

// exchange is what exchanges records with remotes, built on first use.
type exchange struct {
	*remotes.Engine
	queue    *queue.Queue
	outgoing *outgoing.Rewriter
}

// remotes builds the exchange of this repository.
func (e *engines) remotes(limits remotes.Limits) (*exchange, error) {
	options := redact.Options{Allow: e.settings.Redaction.Allow}
	for _, p := range e.settings.Redaction.Patterns {
		options.Patterns = append(options.Patterns, redact.Pattern(p))
	}
	redactor, err := redact.New(options)
	if err != nil {
		return nil, err
	}
	x := &exchange{queue: queue.Open(e.repo, e.refs, e.app.env.Clock)}
	x.outgoing = outgoing.New(outgoing.Options{
		Objects: e.objects, Redactor: redactor, Cache: filepath.Join(e.repo.CommonDir, "overturn", "outgoing"),
	})
	x.Engine = remotes.New(remotes.Deps{
		Repo: e.repo, Objects: e.objects, Refs: e.refs, Queue: x.queue, Outgoing: x.outgoing,
		Clock: e.app.env.Clock, Trace: e.trace, Remote: e.settings.Checkpoints.Remote, Offered: e.settings.Checkpoints.Offered, Limits: limits,
	})
	return x, nil
}

// syncWire is overturn.sync/1. Of several remotes the members are those of all.
type syncWire struct {
	Remote  string       `json:"remote"`
	Pushed  []string     `json:"pushed"`
	Queued  []queuedWire `json:"queued"`
	Fetched []string     `json:"fetched"`
	Remotes []remoteWire `json:"remotes"`
	DryRun  bool         `json:"dry_run,omitempty"`
}

type queuedWire struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// remoteWire is one remote of a report.
type remoteWire struct {
	Remote   string       `json:"remote"`
	Pushed   []string     `json:"pushed"`
	Queued   []queuedWire `json:"queued"`
	Fetched  []string     `json:"fetched"`
	Stale    []string     `json:"stale,omitempty"`
	Redacted int          `json:"redacted,omitempty"`
	Findings []foundWire  `json:"findings,omitempty"`
	Failure  string       `json:"failure,omitempty"`
}

// foundWire is a secret that `sync push --dry-run --show` took out, or that holds a record.
type foundWire struct {
	Ref  string `json:"ref"`
	Path string `json:"path"` // in the record; "" for the message of a commit
	Rule string `json:"rule"`
	Line int    `json:"line"`
}

// add puts one remote's part into the report.
func (s *syncWire) add(r remoteWire) {
	r.Pushed, r.Queued, r.Fetched = model.NotNil(r.Pushed), model.NotNil(r.Queued), model.NotNil(r.Fetched)
	s.Remotes = append(s.Remotes, r)
	names := make([]string, len(s.Remotes))
	for i, one := range s.Remotes {
		names[i] = one.Remote
	}
	s.Remote = strings.Join(names, ",")
	s.Pushed = append(s.Pushed, r.Pushed...)
	s.Queued = append(s.Queued, r.Queued...)
	s.Fetched = append(s.Fetched, r.Fetched...)
}

func newSyncWire() *syncWire {
	return &syncWire{Pushed: []string{}, Queued: []queuedWire{}, Fetched: []string{}, Remotes: []remoteWire{}}
}

// shownRefs is how many refs are named for one reason; the JSON has all.
const shownRefs = 3

// queuedLines lists what stays, by reason.
func queuedLines(w *bufio.Writer, list []queuedWire) {
	var reasons []string
	byReason := map[string][]string{}
	for _, q := range list {
		if byReason[q.Reason] == nil {
			reasons = append(reasons, q.Reason)
		}
		byReason[q.Reason] = append(byReason[q.Reason], safe(refLabel(q.Ref)))
	}
	for _, reason := range reasons {
		refs, more := byReason[reason], ""
		if len(refs) > shownRefs {
			refs, more = refs[:shownRefs], " …"
		}
		why := ""
		if reason != "" {
			why = ": " + safe(reason)
		}
		fmt.Fprintf(w, "  %s queued%s (%s%s)\n", stay(len(byReason[reason])), why, strings.Join(refs, ", "), more)
	}
}

// refLabel is a record by its id, the branch of records by its name.
func refLabel(ref string) string {
	if strings.HasPrefix(ref, "refs/heads/") {
		return "branch " + strings.TrimPrefix(ref, "refs/heads/")
	}
	return ref[strings.LastIndexByte(ref, '/')+1:]
}
