package cli

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/agents"
)

// agentRow is one agent of overturn.agents/1. Installed: its hooks record in this
// repository. Trusted: yes, no or unknown. Hooks are those that are in place, Supports
// those that there are. Recorded: a turn was recorded here after the hooks came; unknown
// where none are in place.
type agentRow struct {
	Agent                string          `json:"agent"`
	Installed            bool            `json:"installed"`
	Where                agents.Where    `json:"where"` // "" when not installed
	Path                 string          `json:"path"`
	Trusted              string          `json:"trusted"`
	Hooks                []string        `json:"hooks"`
	ConversationRollback bool            `json:"conversation_rollback"`
	LastTurnAt           *time.Time      `json:"last_turn_at"`
	Note                 string          `json:"note"`
	Program              string          `json:"program"`
	Measured             string          `json:"measured"` // version that the adapter was tried with, "" where none was
	Supports             []string        `json:"supports"`
	Needs                []string        `json:"needs"`
	Conversation         conversationRow `json:"conversation"`
	Telling              tellingRow      `json:"telling"`
	Recorded             string          `json:"recorded"` // yes, no, unknown
	LastTurn             *lastTurn       `json:"last_turn"`
}

type conversationRow struct {
	Supported bool   `json:"supported"`
	Closed    bool   `json:"closed"`
	NewID     bool   `json:"new_id"`
	How       string `json:"how"`
	Why       string `json:"why"`
}

type tellingRow struct {
	Supported bool   `json:"supported"`
	Why       string `json:"why"`
}

// lastTurn is the newest turn of an agent in this work tree.
type lastTurn struct {
	Thread model.ThreadID       `json:"thread"`
	Turn   int                  `json:"turn"`
	State  model.TurnState      `json:"state"`
	Status model.SnapshotStatus `json:"status"`
	at     time.Time
}

// mapRow is the row of an agent but for what was recorded.
func (a *app) mapRow(repo *gitops.Repo, ag agents.Agent) agentRow {
	row := agentRow{Agent: ag.Name(), Trusted: "unknown", Hooks: []string{}}
	profile := agents.ProfileOf(ag)
	if in, ok := ag.(agents.Installer); ok {
		var err error
		if row, err = a.agentRow(repo, installer{ag.Name(), in}); err != nil {
			row.Note = join(row.Note, err.Error())
		}
	}
	row.Program, row.Measured = profile.Program, profile.Measured
	row.Supports, row.Needs = model.NotNil(profile.Events), model.NotNil(profile.Needs)
	c := agents.CapabilityOf(ag)
	row.ConversationRollback, row.Conversation = c.Supported, conversationRow(c)
	row.Telling.Supported, row.Telling.Why = agents.CanTell(ag)
	return row
}

// recorded holds the newest turn against the hooks: one that is older than since, when
// they were put in place, says nothing of them.
func (r *agentRow) recorded(last *lastTurn, since time.Time) {
	r.Recorded = "unknown"
	if r.LastTurn = last; last != nil {
		r.LastTurnAt = &last.at
	}
	if !r.Installed {
		return
	}
	r.Recorded = "no"
	if last != nil && last.at.After(since) {
		r.Recorded = "yes"
	}
}

func (a *app) agentLines(w *bufio.Writer, rows []agentRow) {
	for _, r := range rows {
		state, own := "hooks not installed", hasHooks(r.Agent)
		if !own {
			state = "has no hooks that overturn could put in place"
		}
		if r.Installed {
			state = fmt.Sprintf("hooks installed (%s: %s)", r.Where, safe(r.Path))
			if r.Trusted == "no" {
				state += ", not trusted"
			}
		}
		fmt.Fprintf(w, "%-12s %s\n", r.Agent, state)
		line := func(name, value string) {
			if value != "" {
				fmt.Fprintf(w, "  %-12s %s\n", name, safe(value))
			}
		}
		line("hooks", strings.Join(r.Hooks, " "))
		if !r.Installed {
			line("supports", strings.Join(r.Supports, " "))
		}
		line("recorded", r.recordedWords(a))
		if r.Recorded != "yes" {
			line("needs", strings.Join(r.Needs, "; "))
		}
		line("conversation", agents.Capability(r.Conversation).Words())
		telling := "with its next prompt"
		if !r.Telling.Supported {
			telling = "no: " + r.Telling.Why
		}
		line("told", telling)
		if own {
			line("tried with", triedWith(r.Program, r.Measured))
		}
		line("note", r.Note)
	}
}

// hasHooks tells an agent whose hooks overturn puts in place.
func hasHooks(agent string) bool {
	ag, err := agentSet().Get(agent)
	_, ok := ag.(agents.Installer)
	return err == nil && ok
}

// triedWith names the version that an adapter was tried with.
func triedWith(program, measured string) string {
	if measured == "" {
		return "nothing: by the documentation of " + program + " alone"
	}
	return program + " " + measured
}

// recordedWords says when a turn was recorded last, and whether that was by the hooks
// that are in place now.
func (r *agentRow) recordedWords(a *app) string {
	last := ""
	if t := r.LastTurn; t != nil {
		last = fmt.Sprintf("turn %d %s (%s, snapshot %s)", t.Turn, a.age(t.at), t.State, t.Status)
	}
	switch {
	case r.Recorded == "no" && last == "":
		return "nothing yet since the hooks were put in place"
	case r.Recorded == "no":
		return last + ", nothing yet since the hooks were put in place"
	}
	return last
}
