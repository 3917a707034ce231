package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

// historyWire is one entry of `history ID`; the fields of HistoryEntry are those of
// the list. Did goes with targets, one for one.
type historyWire struct {
	model.HistoryEntry
	Of       model.ID       `json:"of"`
	Scopes   []string       `json:"scopes"`
	Settled  string         `json:"settled"`
	Safety   string         `json:"safety"`
	Targets  []model.Target `json:"targets"`
	Did      []string       `json:"did"`
	Kept     []model.Noted  `json:"kept"`
	Skipped  []model.Noted  `json:"skipped"`
	Residual []model.Effect `json:"residual"`
	Verified bool           `json:"verified"`
	Undo     string         `json:"undo"`
	NoUndo   string         `json:"no_undo"`
}

// historyOne shows one entry whole.
func (a *app) historyOne(ctx context.Context, engine *rollback.Engine, id model.ID) error {
	p, err := engine.HistoryOf(ctx, id)
	if err != nil {
		return err
	}
	wire := struct {
		Entries []historyWire `json:"entries"`
	}{[]historyWire{{
		p.HistoryEntry, p.Of, model.NotNil(p.Scopes), p.Settled, p.Safety, model.NotNil(p.Targets), model.NotNil(p.Did),
		model.NotNil(p.Kept), model.NotNil(p.Skipped), model.NotNil(p.Residual), p.Verified, p.Undo, p.NoUndo,
	}}}
	return a.emit("overturn.history/1", wire, func(w *bufio.Writer) { a.pastText(w, p) })
}

func (a *app) pastText(w *bufio.Writer, p *rollback.Past) {
	fmt.Fprintf(w, "%s %s  %s  %s (%s)\n", p.Kind, p.ID, p.Outcome, p.At.UTC().Format(time.RFC3339), a.age(p.At))
	row := func(word, text string) {
		if text != "" {
			fmt.Fprintf(w, "%-9s %s\n", word, text)
		}
	}
	row("of", string(p.Of))
	row("why", safe(p.Why))
	row("scope", safe(strings.Join(p.Scopes, ", ")))
	row("settled", p.Settled)
	row("safety", p.Safety)
	for i, t := range p.Targets {
		row(p.Did[i], pastTarget(t))
	}
	for _, n := range p.Kept {
		row("kept", patch.Quote(n.Path)+" ("+safe(n.Reason)+")")
	}
	for _, n := range p.Skipped {
		row("skipped", patch.Quote(n.Path)+" ("+safe(n.Reason)+")")
	}
	if len(p.Residual) > 0 {
		fmt.Fprintln(w, "not rolled back:")
		effectLines(w, p.Residual)
		adviceLine(w, model.Advice(p.Residual))
	}
	if p.Verified {
		fmt.Fprintln(w, "verified: every path was read back")
	}
	if p.Undo != "" {
		fmt.Fprintf(w, "take it back with: %s\n", p.Undo)
	} else {
		fmt.Fprintf(w, "cannot be taken back: %s\n", safe(p.NoUndo))
	}
}

// pastTarget is what an entry was to do to a path, and how the plan judged it.
func pastTarget(t model.Target) string {
	text := fmt.Sprintf("%-6s %s  %s", t.Op, patch.Quote(t.Path), t.Verdict)
	if t.Reason != "" {
		text += " (" + safe(t.Reason) + ")"
	}
	return text
}
