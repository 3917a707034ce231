package cli

import (
	"context"
	"fmt"
	"time"

	"overturn/gitops"
	"overturn/model"
	"overturn/model/settings"
	"overturn/review/agents"
	"overturn/review/comments"
	"overturn/rollback/journal"
)

// handOver says to the agent what the user asked to be said with its next prompt, or,
// where the user has that on, what was taken back of its turns: the one case in which a
// hook prints something. As good as always there is nothing, which costs one look.
func (h *hookRun) handOver(ctx context.Context, turn model.Turn) error {
	adapter, err := agentSet().Get(h.event.Agent)
	if err != nil {
		return err
	}
	teller, able := adapter.(agents.Teller)
	if !able || !h.event.TakesContext || h.event.Subagent != "" {
		return nil
	}
	store := comments.New(comments.Deps{Repo: h.repo, Clock: h.app.env.Clock, IDs: h.app.ids, Trace: traceOf(h.repo, h.app.env.Clock)})
	to := model.Told{At: h.app.env.Clock().UTC(), Agent: h.event.Agent, Thread: h.event.Session, Turn: turn.Number}
	told, err := store.Tell(ctx, to, func(waiting comments.HandOver) error {
		return h.say(teller, waiting.Text, "overturn: handed over with this prompt: "+heldWords(waiting))
	})
	if told != nil || err != nil || h.settings.Tell != settings.TellRollbacks {
		return err
	}
	return h.tellBack(ctx, teller, store, to)
}

// say writes the answer of the hook.
func (h *hookRun) say(teller agents.Teller, text, notice string) error {
	out, ok := teller.Tell(h.event, text, notice)
	if !ok {
		return model.Errorf(model.CodeFailed, "%s takes nothing with the event %s", h.event.Agent, safe(h.event.Name))
	}
	if n, err := h.app.stdout.Write(out); err != nil || n < len(out) {
		return model.Failf(err, "%d of %d bytes were written", n, len(out))
	}
	return nil
}

// tellBack tells what was taken back of the thread's turns since the one before to.Turn
// began. The engine that reads the history is built only where there is some since then.
func (h *hookRun) tellBack(ctx context.Context, teller agents.Teller, store *comments.Store, to model.Told) error {
	turns, err := h.ledger.Load().Briefs(ctx, to.Thread, 2)
	if err != nil {
		return err
	}
	var since time.Time // of a thread that has no other turn: a revert may have taken them out
	if len(turns) > 1 {
		since = turns[0].StartedAt
	}
	if recent, err := rolledBackSince(h.repo, since); err != nil || !recent {
		return err
	}
	e, err := h.app.wireWith(h.repo, h.settings)
	if err != nil {
		return err
	}
	back, err := e.takenBackSince(ctx, to.Thread, since)
	if err != nil || len(back) == 0 {
		return err
	}
	_, err = store.TellBack(ctx, to, back, func(said comments.HandOver) error {
		return h.say(teller, said.Text, "overturn: told with this prompt: "+heldWords(said))
	})
	return err
}

// rolledBackSince tells whether the newest journal is younger than since. Ids of journals
// carry the time of their making, in milliseconds.
func rolledBackSince(repo *gitops.Repo, since time.Time) (bool, error) {
	ids, err := journal.Open(repo.StateDir()).IDs()
	if err != nil || len(ids) == 0 {
		return false, err
	}
	return !ids[0].Time().Before(since.Truncate(time.Millisecond)), nil
}

// heldWords counts what a hand-over holds.
func heldWords(h comments.HandOver) string {
	back := fmt.Sprintf("%s that you took back", count(len(h.TakenBack), "change"))
	switch {
	case len(h.TakenBack) == 0:
		return count(len(h.Comments), "comment")
	case len(h.Comments) == 0:
		return back
	}
	return count(len(h.Comments), "comment") + " and " + back
}
