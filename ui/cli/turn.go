package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/ledger"
)

func newTurn(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "turn",
		Short: "Record a boundary, evidence or an effect by hand or from a script",
		Args:  noVerb,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return model.Usagef("turn needs to know what to record").WithHint("use turn start, end, touch or effect")
		},
	}
	cmd.AddCommand(newTurnStart(a), newTurnEnd(a), newTurnTouch(a), newTurnEffect(a))
	return cmd
}

// threadFlag adds --thread, which the turn verbs need.
func threadFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "thread", "", "thread `T`, at most 180 bytes (required)")
}

func requiredThread(s string) (model.ThreadID, error) {
	if s == "" {
		return "", model.Usagef("--thread is required")
	}
	return model.ParseThreadID(s)
}

func newTurnStart(a *app) *cobra.Command {
	var thread string
	ev := ledger.StartEvent{}
	cmd := &cobra.Command{
		Use:   "start --thread T",
		Short: "Record the start of a turn",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.recordTurn(cmd.Context(), thread, func(ctx context.Context, id model.ThreadID, l *ledger.Ledger) (model.Turn, error) {
				ev.Thread = id
				return l.Start(ctx, ev)
			})
		},
	}
	threadFlag(cmd, &thread)
	cmd.Flags().StringVar(&ev.Agent, "agent", "generic", "agent `A` that works in the turn")
	cmd.Flags().StringVar(&ev.TurnID, "turn-id", "", "the agent's own `ID` of the turn")
	cmd.Flags().StringVar(&ev.Prompt, "prompt", "", "what the agent was asked")
	cmd.Flags().BoolVar(&ev.RequireClean, "require-clean", false, "refuse when there is uncommitted work, naming the paths")
	return cmd
}

func newTurnEnd(a *app) *cobra.Command {
	var thread, state string
	ev := ledger.EndEvent{}
	cmd := &cobra.Command{
		Use:   "end --thread T",
		Short: "Record the end of a turn",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := endState(state)
			if err != nil {
				return err
			}
			return a.recordTurn(cmd.Context(), thread, func(ctx context.Context, id model.ThreadID, l *ledger.Ledger) (model.Turn, error) {
				ev.Thread, ev.State = id, s
				return l.End(ctx, ev)
			})
		},
	}
	threadFlag(cmd, &thread)
	cmd.Flags().StringVar(&ev.Agent, "agent", "generic", "agent `A`, for a turn that had no start")
	cmd.Flags().StringVar(&ev.TurnID, "turn-id", "", "the agent's own `ID` of the turn (default: the open one)")
	cmd.Flags().StringVar(&state, "state", "completed", "how it ended: completed, failed, cancelled, interrupted or unknown")
	cmd.Flags().StringVar(&ev.MessageID, "message-id", "", "`M`, the agent's id of its last message")
	return cmd
}

func endState(s string) (model.TurnState, error) {
	switch st := model.TurnState(s); st {
	case model.TurnCompleted, model.TurnFailed, model.TurnCancelled, model.TurnInterrupted, model.TurnUnknown:
		return st, nil
	}
	return "", model.Usagef("--state %q is not how a turn ends", s).WithHint("use completed, failed, cancelled, interrupted or unknown")
}

func newTurnTouch(a *app) *cobra.Command {
	var thread string
	cmd := &cobra.Command{
		Use:   "touch --thread T PATH…",
		Short: "Record that the agent's own tool wrote these paths",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return model.Usagef("turn touch needs a PATH")
			}
			id, err := requiredThread(thread)
			if err != nil {
				return err
			}
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			paths, err := a.rootPaths(e.repo, args)
			if err != nil {
				return err
			}
			for i, p := range paths {
				if p == "" {
					return model.Usagef("%q is the whole work tree; turn touch takes files", args[i])
				}
			}
			if err := e.ledger.Touch(cmd.Context(), id, paths); err != nil {
				return err
			}
			return a.emitNewest(cmd.Context(), e, id)
		},
	}
	threadFlag(cmd, &thread)
	return cmd
}

// emitNewest prints the newest turn of a thread.
func (a *app) emitNewest(ctx context.Context, e *engines, id model.ThreadID) error {
	turns, err := e.ledger.Turns(ctx, id, 1)
	if err != nil {
		return err
	}
	if len(turns) == 0 {
		return model.Usagef("thread %q has no turn", id)
	}
	return a.emitTurn(&turns[len(turns)-1])
}

func newTurnEffect(a *app) *cobra.Command {
	var thread, domain, reversible string
	effect := model.Effect{}
	cmd := &cobra.Command{
		Use:   "effect --thread T --domain D --summary S",
		Short: "Journal what the turn did outside the files",
		Long: `Journal an effect: something the turn did that snapshots do not cover. A
compensation says what would make up for it; overturn never carries one out.

Domains: ` + domainList(),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkEffect(&effect, domain, reversible); err != nil {
				return err
			}
			effect.At = a.env.Clock().UTC()
			return a.recordTurn(cmd.Context(), thread, func(ctx context.Context, id model.ThreadID, l *ledger.Ledger) (model.Turn, error) {
				return l.Effect(ctx, id, effect)
			})
		},
	}
	threadFlag(cmd, &thread)
	cmd.Flags().StringVar(&domain, "domain", "", "kind of state `D` (required)")
	cmd.Flags().StringVar(&effect.Summary, "summary", "", "what was done (required)")
	cmd.Flags().StringVar(&reversible, "reversible", "unknown", "yes, no or unknown")
	cmd.Flags().StringVar(&effect.Compensation, "compensation", "", "what would make up for it")
	cmd.Flags().StringVar(&effect.Identity, "identity", "", "what names it: pid and start time, request key")
	return cmd
}

func domainList() string {
	var names []string
	for _, d := range model.Domains() {
		names = append(names, string(d))
	}
	return strings.Join(names, " ")
}

func checkEffect(e *model.Effect, domain, reversible string) error {
	for _, d := range model.Domains() {
		if string(d) == domain {
			e.Domain = d
		}
	}
	if e.Domain == "" {
		return model.Usagef("--domain %q is not a domain", domain).WithHint("domains: %s", domainList())
	}
	if strings.TrimSpace(e.Summary) == "" {
		return model.Usagef("--summary is required")
	}
	switch r := model.Reversible(reversible); r {
	case model.ReversibleYes, model.ReversibleNo, model.ReversibleUnknown:
		e.Reversible = r
		return nil
	}
	return model.Usagef("--reversible %q is none of yes, no and unknown", reversible)
}

// recordTurn opens the repository, records, and prints the turn that came of it.
func (a *app) recordTurn(ctx context.Context, thread string, record func(context.Context, model.ThreadID, *ledger.Ledger) (model.Turn, error)) error {
	id, err := requiredThread(thread)
	if err != nil {
		return err
	}
	e, err := a.open(ctx, a.dir)
	if err != nil {
		return err
	}
	if err := e.repo.EnsureStateDir(); err != nil {
		return err
	}
	turn, err := record(ctx, id, e.ledger)
	if err != nil {
		return err
	}
	a.sayUnprotected(&turn)
	return a.emitTurn(&turn)
}

// sayUnprotected warns of a turn that cannot be taken back: its record is in
// order, and whoever relies on its snapshots has to know.
func (a *app) sayUnprotected(t *model.Turn) {
	if t.Status != model.StatusReady {
		a.say("turn %d is not protected, nothing can be rolled back to it: %s", t.Number, safe(t.StatusReason))
	}
}
