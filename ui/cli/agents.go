package cli

import (
	"bufio"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

func newAgents(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "agents",
		Short: "List what each coding agent supports, has, and recorded last",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			repo, err := gitops.Find(cmd.Context(), a.dir, a.env)
			if err != nil && model.CodeOf(err) != model.CodeNoRepository {
				return err
			}
			return a.reportAgents(cmd.Context(), repo, agentSet().All(), nil)
		},
	}
}

// reportAgents prints rows for the agents given; failed is what went wrong with
// some of them, told when the others have been listed.
func (a *app) reportAgents(ctx context.Context, repo *gitops.Repo, list []agents.Agent, failed error) error {
	return a.reportRows(ctx, repo, list, failed, a.agentLines)
}

// reportRows is reportAgents with lines of its own.
func (a *app) reportRows(ctx context.Context, repo *gitops.Repo, list []agents.Agent, failed error, lines func(*bufio.Writer, []agentRow)) error {
	rows := make([]agentRow, 0, len(list))
	last := a.lastTurns(ctx, repo)
	for _, ag := range list {
		row := a.mapRow(repo, ag)
		if row.Where == agents.Local && repo != nil && shown(ctx, repo, row.Path) {
			row.Note = join(row.Note, row.Path+" is neither committed nor ignored: git status shows it (a line for it in .git/info/exclude hides it)")
		}
		row.recorded(last[ag.Name()], enabledAt(repo, ag.Name()))
		rows = append(rows, row)
	}
	if err := a.emit("overturn.agents/1", struct {
		Agents []agentRow `json:"agents"`
	}{rows}, func(w *bufio.Writer) { lines(w, rows) }); err != nil {
		return err
	}
	return failed
}

// agentRow says where an agent's hooks are and whether they record here.
func (a *app) agentRow(repo *gitops.Repo, in installer) (agentRow, error) {
	host := a.host(rootOf(repo))
	row := agentRow{Agent: in.name, Trusted: "unknown", Hooks: []string{}}
	if !in.Found(host) {
		row.Note = "the agent was not found on this machine"
	}
	for _, s := range in.Files(host) {
		events, err := agents.Installed(in, s)
		if err != nil {
			return row, err
		}
		if len(events) == 0 {
			continue
		}
		if s.Where == agents.User && !a.recordsHere(repo, in.name) {
			row.Note = join(row.Note, "its hooks in "+s.Path+" do not record here: run overturn enable "+in.name)
			continue
		}
		row.Installed, row.Where, row.Path, row.Hooks = true, s.Where, s.Path, events
		trusted, note := in.Trust(host, s)
		row.Trusted, row.Note = trusted, join(row.Note, note)
		return row, nil
	}
	return row, nil
}

func (a *app) recordsHere(repo *gitops.Repo, agent string) bool {
	if repo == nil {
		marks, err := a.readUserMarks()
		return err == nil && marks.Agents[agent] != nil && marks.Agents[agent].All
	}
	return a.recordsByUserFile(repo, agent)
}

// shown tells whether git status lists a file as untracked. When git cannot say,
// nothing is claimed.
func shown(ctx context.Context, repo *gitops.Repo, path string) bool {
	out, err := repo.Git(ctx, "status", "--porcelain", "--untracked-files=all", "--", path)
	return err == nil && strings.HasPrefix(string(out), "??")
}

// lastTurns is the newest turn of each agent in this work tree.
func (a *app) lastTurns(ctx context.Context, repo *gitops.Repo) map[string]*lastTurn {
	last := map[string]*lastTurn{}
	if repo == nil {
		return last
	}
	e, err := a.wire(repo)
	if err != nil {
		return last
	}
	threads, err := e.ledger.Threads(ctx)
	if err != nil {
		return last
	}
	for _, t := range threads {
		if old := last[t.Agent]; old != nil && !t.LastAt.After(old.at) {
			continue
		}
		turns, err := e.ledger.Briefs(ctx, t.ID, 1)
		if err != nil || len(turns) == 0 {
			continue
		}
		newest := turns[len(turns)-1]
		last[t.Agent] = &lastTurn{t.ID, newest.Number, newest.State, newest.Status, t.LastAt}
	}
	return last
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
