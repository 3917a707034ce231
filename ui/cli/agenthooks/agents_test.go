package agenthooks_test

import (
	"strings"
	"testing"
)

type agentRow struct {
	Agent, Trusted, Recorded, Measured, Where string
	Installed                                 bool
	ConversationRollback                      bool `json:"conversation_rollback"`
	Supports, Hooks, Needs                    []string
	Conversation                              struct{ Supported bool }
	Telling                                   struct{ Supported bool }
	LastTurn                                  *struct {
		Thread, State, Status string
		Turn                  int
	} `json:"last_turn"`
	LastTurnAt *string `json:"last_turn_at"`
}

func (r *replay) agents() map[string]agentRow {
	r.t.Helper()
	var list struct{ Agents []agentRow }
	r.json(&list, "agents")
	rows := map[string]agentRow{}
	for _, row := range list.Agents {
		rows[row.Agent] = row
	}
	return rows
}

// TestMapOfAgents: every agent is in it, with what it supports; a turn that was recorded
// before the hooks were put in place says nothing of them.
func TestMapOfAgents(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "claude-code")
	rows := r.agents()
	for _, a := range adapters() {
		row, ok := rows[a.Name()]
		if !ok || len(row.Supports) == 0 || len(row.Needs) == 0 || row.Installed || row.Recorded != "unknown" || row.LastTurnAt != nil {
			t.Errorf("%s: %+v", a.Name(), row)
		}
		if row.ConversationRollback != row.Conversation.Supported || (row.Measured == "") != (a.Name() == "cursor" || a.Name() == "generic") {
			t.Errorf("%s: %+v", a.Name(), row)
		}
	}
	if rows["cursor"].Telling.Supported || rows["cursor"].ConversationRollback || !rows["codex"].Telling.Supported || !rows["gemini"].ConversationRollback {
		t.Errorf("%+v", rows)
	}

	turn := func(id string) {
		r.fire(r.claude("UserPromptSubmit", "S", id, `,"prompt":"go"`))
		r.fire(r.claude("Stop", "S", id, ""))
	}
	turn("p1")
	r.ok("enable", "claude-code")
	row := r.agents()["claude-code"]
	if !row.Installed || row.Where != "local" || len(row.Hooks) != len(row.Supports) || row.Recorded != "no" || row.LastTurn == nil || row.LastTurn.Turn != 1 {
		t.Errorf("after enable: %+v", row)
	}
	if text := r.ok("agents"); !strings.Contains(text, "nothing yet since the hooks were put in place") || !strings.Contains(text, "start it anew") {
		t.Errorf("after enable:\n%s", text)
	}
	turn("p2")
	r.ok("enable", "claude-code") // changes nothing: the hooks are as old as they were
	row = r.agents()["claude-code"]
	if row.Recorded != "yes" || row.LastTurn.Turn != 2 || row.LastTurn.State != "completed" || row.LastTurn.Status != "ready" || row.LastTurn.Thread != "S" || row.LastTurnAt == nil {
		t.Errorf("after a turn: %+v, %+v", row, row.LastTurn)
	}
	if text := r.ok("agents"); !strings.Contains(text, "turn 2 ") || !strings.Contains(text, "(completed, snapshot ready)") {
		t.Errorf("after a turn:\n%s", text)
	}
	r.ok("disable", "claude-code")
	if row = r.agents()["claude-code"]; row.Installed || row.Recorded != "unknown" || row.LastTurn == nil {
		t.Errorf("after disable: %+v", row)
	}
}
