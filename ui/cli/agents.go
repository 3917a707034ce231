package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

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
			return a.reportAgents(cmd.Context(), repo, installers(), nil)
		},
	}
}

// agentRow is one agent of overturn.agents/1. Installed: its hooks record in this
// repository. Trusted: yes, no or unknown.
type agentRow struct {
	Agent                string       `json:"agent"`
	Installed            bool         `json:"installed"`
	Where                agents.Where `json:"where"` // "" when not installed
	Path                 string       `json:"path"`
	Trusted              string       `json:"trusted"`
	Hooks                []string     `json:"hooks"`
	ConversationRollback bool         `json:"conversation_rollback"`
	LastTurnAt           *time.Time   `json:"last_turn_at"`
	Note                 string       `json:"note"`
}

// reportAgents prints rows for the agents given; failed is what went wrong with
// some of them, told when the others have been listed.
func (a *app) reportAgents(ctx context.Context, repo *gitops.Repo, list []installer, failed error) error {
	rows := make([]agentRow, 0, len(list))
	last := a.lastTurns(ctx, repo)
	for _, in := range list {
		row, err := a.agentRow(repo, in)
		if err != nil {
			row.Note = join(row.Note, err.Error())
		}
		if row.Where == agents.Local && repo != nil && shown(ctx, repo, row.Path) {
			row.Note = join(row.Note, row.Path+" is neither committed nor ignored: git status shows it (a line for it in .git/info/exclude hides it)")
		}
		if at, ok := last[in.name]; ok {
			row.LastTurnAt = &at
		}
		rows = append(rows, row)
	}
	if err := a.emit("overturn.agents/1", struct {
		Agents []agentRow `json:"agents"`
	}{rows}, func(w *bufio.Writer) { agentLines(w, rows) }); err != nil {
		return err
	}
	return failed
}

func agentLines(w *bufio.Writer, rows []agentRow) {
	for _, r := range rows {
		state := "hooks not installed"
		if r.Installed {
			state = fmt.Sprintf("hooks installed (%s: %s)", r.Where, safe(r.Path))
			if r.Trusted == "no" {
				state += ", not trusted"
			}
		}
		fmt.Fprintf(w, "%-12s %s\n", r.Agent, state)
		if len(r.Hooks) > 0 {
			fmt.Fprintf(w, "  hooks      %s\n", strings.Join(r.Hooks, " "))
		}
		if r.LastTurnAt != nil {
			fmt.Fprintf(w, "  last turn  %s\n", r.LastTurnAt.Local().Format("2006-01-02 15:04:05"))
		}
		if r.Note != "" {
			fmt.Fprintf(w, "  note       %s\n", safe(r.Note))
		}
	}
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

// lastTurns is when each agent was recorded last in this work tree.
func (a *app) lastTurns(ctx context.Context, repo *gitops.Repo) map[string]time.Time {
	last := map[string]time.Time{}
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
		if t.LastAt.After(last[t.Agent]) {
			last[t.Agent] = t.LastAt
		}
	}
	return last
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
