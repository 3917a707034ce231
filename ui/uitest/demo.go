package uitest

import (
	"fmt"
	"strings"
	"time"

	"overturn/model"
	"overturn/ui/view"
)

// Shop is an engine with seven turns and a change of every kind.
func Shop() *Engine {
	e := NewEngine()
	e.View.Thread, e.View.Agent, e.View.Title = "7f3c", "claude-code", "Retry failed orders"
	e.View.Hooks = []view.Hook{{Agent: "claude-code", Installed: true}}
	prompts := []string{"Set up the project", "Add a client for the shop API", "Write tests", "Move config to its own file", "Handle time-outs", "Format everything", "Add retry with back-off to the client"}
	for i, p := range prompts {
		at := Now().Add(-time.Duration(len(prompts)-i) * 17 * time.Minute)
		e.View.Turns = append(e.View.Turns, view.Turn{Number: i + 1, Prompt: p, State: model.TurnCompleted, Status: model.StatusReady,
			StartedAt: at.Add(-time.Minute), CompletedAt: at, Files: 2 + i, Additions: 30 * i, Deletions: 7 * i})
	}
	e.View.Turns[3].Status, e.View.Turns[3].StatusReason, e.View.Turns[3].Files = model.StatusMissing, "the end of the turn was never captured: the agent was killed", -1
	e.View.Turns[4].State = model.TurnInterrupted
	e.View.Turns[6].Effects, e.View.Turns[6].Irreversible = 2, 1
	for _, t := range e.View.Turns {
		e.Cards[t.Number] = card(t)
	}
	e.Changes["7"] = []Change{
		{Path: "internal/client/client.go", Old: []byte(goFile(60, "")), New: []byte(goFile(60, "retry")), Owner: model.OwnerAgent},
		{Path: "internal/client/backoff.go", New: []byte("package client\n\nimport \"time\"\n\n// wait is how long attempt n waits.\nfunc wait(n int) time.Duration {\n\treturn time.Duration(n*n) * 50 * time.Millisecond\n}\n"), Owner: model.OwnerAgent},
		{Path: "internal/client/old_retry.go", Old: []byte("package client\n\n// TODO: retry\nfunc retry() {}\n"), Owner: model.OwnerAgent},
		{Path: "README.md", Old: []byte("# Shop\n\nA small shop.\n"), New: []byte("# Shop\n\nA small shop, with retries.\n"), Owner: model.OwnerMixed},
		{Path: "assets/logo.png", Old: []byte("a\x00"), New: []byte("b\x00"), Binary: true, Header: []string{"binary file: 14,201 bytes → 14,377 bytes"}, Owner: model.OwnerUser},
		{Path: "notes/日本語 メモ.txt", Old: []byte("一行目\n二行目は\tタブ\n"), New: []byte("一行目\n二行目は\tタブと絵文字 👨‍👩‍👧 です"), Owner: model.OwnerUnknown},
		{Path: "ugly/escape\x1b[31m.txt", Old: []byte("plain\n"), New: []byte("clear \x1b[2J title \x1b]0;owned\a bell\n if user\u202e } \u2066// admin\ncaf\xe9\r\n"), Owner: model.OwnerAgent},
	}
	e.Changes["working"] = append([]Change{}, e.Changes["7"][:4]...)
	e.Changes["branch"] = e.Changes["7"]
	e.LeftOut = []model.Noted{{Path: "data/dump.sql", Reason: "larger than 100 MiB"}}
	e.Effects = []model.Effect{{Domain: model.DomainPackages, Summary: "go get golang.org/x/time", Reversible: model.ReversibleYes, Compensation: "go get golang.org/x/time@none"}}
	e.Entries = []model.HistoryEntry{
		{ID: "01hqe4yv2k5v8w9x0y1z2a3b4c", Kind: "undo", Outcome: model.OutcomeUndone, Paths: model.Paths{"README.md", "internal/client/client.go"}, At: Now().Add(-25 * time.Hour)},
		{ID: "01hqe3yv2k5v8w9x0y1z2a3b4c", Kind: "rollback", Outcome: model.OutcomeComplete, Paths: model.Paths{"README.md", "internal/client/client.go"}, At: Now().Add(-26 * time.Hour), UndoneBy: "01hqe4yv2k5v8w9x0y1z2a3b4c"},
		{ID: "01hqe2yv2k5v8w9x0y1z2a3b4c", Kind: "rollback", Outcome: model.OutcomeComplete, Paths: model.Paths{"Makefile", "internal/client/client.go"}, At: Now().Add(-27 * time.Hour)},
	}
	return e
}

func card(t view.Turn) view.Card {
	end := t.CompletedAt
	c := view.Card{Backend: "git-refs", Turn: model.Turn{Thread: "7f3c", Agent: "claude-code", WorkTree: "main", Number: t.Number, Prompt: t.Prompt,
		State: t.State, Status: t.Status, StatusReason: t.StatusReason, Checkpoint: "01hqe5yv2k5v8w9x0y1z2a3b4c", Ref: fmt.Sprintf("refs/overturn/threads/N2YzYw/turn/%d", t.Number),
		StartedAt: t.StartedAt, CompletedAt: &end, Files: []model.FileChange{{Path: "README.md", Change: model.Modified, Additions: 3, Deletions: 1, Owner: model.OwnerAgent}},
		Start:   &model.Boundary{Head: "1a2b3c4d5e6f7890", Branch: "refs/heads/main", Inventory: model.Inventory{Unstaged: []model.Noted{{Path: "Makefile", Reason: "modified"}}}},
		Effects: []model.Effect{{Domain: model.DomainPublication, Summary: "git push origin main", Reversible: model.ReversibleNo, Compensation: "git revert"}}}}
	if t.Status == model.StatusMissing {
		c.Turn.Files = nil
		c.Repair = []string{"overturn show 4"}
	}
	return c
}

func goFile(n int, variant string) string {
	var b strings.Builder
	b.WriteString("package client\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"net/http\"\n)\n\n")
	for i := range n {
		fmt.Fprintf(&b, "// Get%d reads order %d from the shop.\nfunc (c *Client) Get%d(ctx context.Context, id string) (*http.Response, error) {\n", i, i, i)
		switch {
		case variant == "retry" && i%20 == 3:
			b.WriteString("\tfor attempt := range c.attempts {\n\t\tresp, err := c.once(ctx, id)\n\t\tif err == nil {\n\t\t\treturn resp, nil\n\t\t}\n\t\ttime.Sleep(wait(attempt))\n\t}\n")
		case variant == "retry" && i%20 == 9:
			b.WriteString("\tresp, err := c.http.Do(c.request(ctx, id, c.timeout))\n")
		default:
			b.WriteString("\tresp, err := c.http.Do(c.request(ctx, id))\n")
		}
		fmt.Fprintf(&b, "\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"get %%s: %%w\", id, err)\n\t}\n\treturn resp, nil\n}\n\n")
	}
	return b.String()
}
