package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"overturn/gitops/checkpoint"
	"overturn/gitops/remotes"
	"overturn/model"
)

// checkpointListing is one run of `checkpoint list`.
type checkpointListing struct {
	e              *engines
	thread         string
	remote, branch bool
}

func newCheckpointList(a *app) *cobra.Command {
	var l checkpointListing
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the records, newest first",
		Long: `List the records that are here, newest first; with --remote those of the remotes
too, by their names alone: overturn sync fetch ID brings one. A remote that does not
answer takes nothing from the list.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if l.e, err = a.openSettled(cmd.Context()); err != nil {
				return err
			}
			rows, err := l.rows(cmd.Context())
			if err != nil {
				return err
			}
			wire := struct {
				Checkpoints []checkpointWire `json:"checkpoints"`
			}{model.NotNil(rows)}
			return a.emit("overturn.checkpoints/1", wire, func(w *bufio.Writer) {
				for _, c := range rows {
					fmt.Fprintln(w, c.line(a))
				}
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&l.thread, "thread", "", "of thread `T` only")
	flags.BoolVar(&l.remote, "remote", false, "those of remotes too (asks the network)")
	flags.BoolVar(&l.branch, "branch", false, "only those that commits of the current branch name")
	return cmd
}

func (c *checkpointWire) line(a *app) string {
	if !c.Local {
		at := ""
		if !c.At.IsZero() {
			at = a.age(c.At)
		}
		return strings.TrimRight(fmt.Sprintf("%s  %-8s %-9s %-10s %s", c.ID, "remote", "", at, safe(strings.Join(c.Remotes, ", "))), " ")
	}
	line := fmt.Sprintf("%s  %-8s turn %-4d %-10s %s", c.ID, c.Status, c.Turn, a.age(c.At), safe(string(c.Thread)))
	if c.Reverted {
		line += ", taken back"
	}
	return line
}

func (l *checkpointListing) rows(ctx context.Context) ([]checkpointWire, error) {
	infos, err := l.e.records.List(ctx)
	if err != nil {
		return nil, err
	}
	var rows []checkpointWire
	at := map[model.ID]int{}
	for _, info := range infos {
		at[info.ID] = len(rows)
		rows = append(rows, l.e.checkpointRow(ctx, info))
	}
	if l.remote {
		if rows, err = l.withRemote(ctx, rows, at); err != nil {
			return nil, err
		}
	}
	named := func(model.ID) bool { return true }
	if l.branch {
		if named, err = l.e.namedByBranch(ctx); err != nil {
			return nil, err
		}
	}
	thread, err := l.only(ctx, rows)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(c checkpointWire) bool {
		return !named(c.ID) || thread != "" && c.Thread != thread
	})
	slices.SortStableFunc(rows, func(a, b checkpointWire) int { return b.At.Compare(a.At) })
	return rows, l.e.markReverted(ctx, rows)
}

// only is the thread whose records are wanted, "" for all: one that has records by its
// whole name or by a start that is its alone, else one that turns are known of.
func (l *checkpointListing) only(ctx context.Context, rows []checkpointWire) (model.ThreadID, error) {
	if l.thread == "" {
		return "", nil
	}
	var starts []model.ThreadID
	for _, c := range rows {
		switch {
		case string(c.Thread) == l.thread:
			return c.Thread, nil
		case strings.HasPrefix(string(c.Thread), l.thread) && !slices.Contains(starts, c.Thread):
			starts = append(starts, c.Thread)
		}
	}
	switch len(starts) {
	case 0:
		return l.e.book.Resolve(ctx, l.thread)
	case 1:
		return starts[0], nil
	}
	return "", model.Usagef("%d threads with records have names that start with %q", len(starts), l.thread).WithHint("give more of the name; `overturn threads` lists them")
}

// withRemote adds what remotes have. Nothing here needs them: that they fail is said
// and changes nothing else.
func (l *checkpointListing) withRemote(ctx context.Context, rows []checkpointWire, at map[model.ID]int) ([]checkpointWire, error) {
	x, err := l.e.remotes(remotes.Limits{})
	if err != nil {
		return nil, err
	}
	targets, err := x.Candidates(ctx)
	if err != nil {
		return nil, err
	}
	listing := x.List(ctx, targets)
	for _, failed := range listing.Failed {
		l.e.app.say("%s", safe(failed.Error()))
	}
	if n := len(listing.Failed); n > 0 && n == listing.Asked {
		l.e.app.say("no remote answered: these are the records that are here")
	}
	for _, t := range listing.Branches {
		l.e.app.say("%s also keeps records on a branch: overturn sync fetch brings them", safe(t.Label()))
	}
	for _, r := range listing.Records {
		i, here := at[r.ID]
		if !here {
			i = len(rows)
			rows = append(rows, checkpointWire{ID: r.ID, Backend: checkpoint.TypeRefs, At: r.At})
		}
		rows[i].Remote = true
		for _, t := range r.Remotes {
			rows[i].Remotes = append(rows[i].Remotes, t.Label())
		}
	}
	if l.thread == "" {
		return rows, nil
	}
	return l.hydrated(ctx, x, rows), nil
}

// hydrateRecords and hydrateLimit bound what is fetched to tell whose records are.
const (
	hydrateRecords = 50
	hydrateLimit   = 30 * time.Second
)

// hydrated brings the newest records that are only named, so that their threads are
// known. Each is tried once.
func (l *checkpointListing) hydrated(ctx context.Context, x *exchange, rows []checkpointWire) []checkpointWire {
	ctx, cancel := context.WithTimeout(ctx, hydrateLimit)
	defer cancel()
	tried := 0
	for i := range rows {
		if rows[i].Local || tried == hydrateRecords || ctx.Err() != nil {
			continue
		}
		tried++
		if found, err := x.Fetch(ctx, rows[i].ID); err != nil || !found {
			continue
		}
		whole := l.e.checkpointRow(ctx, checkpoint.Info{ID: rows[i].ID, At: rows[i].At, Type: checkpoint.TypeRefs})
		whole.Remote, whole.Remotes = true, rows[i].Remotes
		rows[i] = whole
	}
	return rows
}

// scannedCommits is how far back the branch's commits are searched for trailers.
const scannedCommits = 1000

// namedByBranch tells which records commits of the current branch name.
func (e *engines) namedByBranch(ctx context.Context) (func(model.ID) bool, error) {
	head, err := e.repo.Head(ctx)
	if err != nil {
		return nil, err
	}
	named := map[model.ID]bool{}
	if head.Commit != "" {
		out, err := e.repo.Git(ctx, "log", "-n", strconv.Itoa(scannedCommits), "--format=%(trailers:key="+trailerName+",valueonly)", head.Commit)
		if err != nil {
			return nil, model.Failf(err, "cannot read the trailers of the branch")
		}
		for _, word := range strings.Fields(string(out)) {
			if id, err := checkpoint.ParseID(word); err == nil {
				named[id] = true
			}
		}
	}
	return func(id model.ID) bool { return named[id] }, nil
}
