package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
	"overturn/rollback/journal"
)

func newRecover(a *app) *cobra.Command {
	var finish, unwind, keep bool
	cmd := &cobra.Command{
		Use:   "recover [ID]",
		Short: "Settle a rollback or revert that was cut short: finish it, or unwind it",
		Args:  oneAtMost,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := idStart(args[0], "interrupted rollback"); err != nil {
					return err
				}
			}
			if finish && unwind {
				return model.Usagef("--finish and --unwind exclude each other")
			}
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			cut, err := engine.Interrupted(cmd.Context())
			if err != nil {
				return err
			}
			if cut == nil {
				return a.emitRecover(&rollback.Recovered{})
			}
			if len(args) == 1 {
				if _, err := uniqueID(args[0], "interrupted rollback", []model.ID{cut.ID}, func(id model.ID) model.ID { return id }); err != nil {
					return err
				}
			}
			way, err := a.recoverWay(cut, finish, unwind)
			if err != nil {
				return err
			}
			return a.recover(cmd.Context(), engine, cut.ID, rollback.RecoverOptions{Way: way, Keep: keep})
		},
	}
	cmd.Flags().BoolVar(&finish, "finish", false, "carry out what is left of it")
	cmd.Flags().BoolVar(&unwind, "unwind", false, "put back what it had done")
	cmd.Flags().BoolVar(&keep, "keep-conversation", false, "finish a revert, and leave the agent's conversation as it is")
	return cmd
}

// recoverWay is the way that a flag names, or that the user chooses.
func (a *app) recoverWay(cut *rollback.Interrupted, finish, unwind bool) (string, error) {
	switch {
	case finish:
		return journal.WayFinish, nil
	case unwind:
		return journal.WayUnwind, nil
	case !a.interactive():
		return "", model.Usagef("%s", cutShort(cut)).
			WithHint("name the way: overturn recover --finish, or overturn recover --unwind")
	}
	a.say("%s", cutShort(cut))
	for _, choice := range []string{journal.WayUnwind, journal.WayFinish} {
		yes, err := a.ask(fmt.Sprintf("%s it? type y, anything else is no:", choice), "y")
		if err != nil {
			return "", err
		}
		if yes {
			return choice, nil
		}
	}
	return "", model.Errorf(model.CodeCancelled, "cancelled; nothing was written")
}

// cutShort says how far something came before it was cut short.
func cutShort(cut *rollback.Interrupted) string {
	beside := ""
	if cut.Thread {
		beside = "; the agent's conversation and the turns go along with them"
	}
	return fmt.Sprintf("%s %s was cut short at %d of %d paths%s", cut.Kind, cut.ID, cut.Done, cut.Of, beside)
}

func (a *app) recover(ctx context.Context, engine *rollback.Engine, id model.ID, o rollback.RecoverOptions) error {
	result, err := engine.RecoverWith(ctx, id, o)
	if result == nil {
		return err
	}
	if printErr := a.emitRecover(result); printErr != nil {
		return printErr
	}
	if err == nil && result.Outcome == model.OutcomePartial {
		err = model.Errorf(model.CodePartial, "settled in part: %s skipped", count(len(result.Skipped), "path")).
			WithHint("the report gives the reason of each: look at these paths; overturn history keeps the record of the rollback")
	}
	return err
}

func (a *app) emitRecover(r *rollback.Recovered) error {
	wire := struct {
		Found    bool          `json:"found"`
		ID       model.ID      `json:"id"`
		Way      string        `json:"way"`
		Outcome  model.Outcome `json:"outcome"`
		Restored model.Paths   `json:"restored"`
		Skipped  []model.Noted `json:"skipped"`
		Kept     []model.Noted `json:"kept"`

		Conversation *model.Conversation `json:"conversation"`
	}{r.Found, r.ID, r.Way, r.Outcome, r.Restored, model.NotNil(r.Skipped), model.NotNil(r.Kept), r.Conversation}
	return a.emit("overturn.recover/1", wire, func(w *bufio.Writer) {
		if !r.Found {
			fmt.Fprintln(w, "nothing to settle: no rollback was cut short")
			return
		}
		fmt.Fprintf(w, "rollback %s: %s, %s\n", r.ID, r.Way, r.Outcome)
		for _, p := range r.Restored {
			fmt.Fprintf(w, "restored  %s\n", patch.Quote(p))
		}
		for _, n := range r.Skipped {
			fmt.Fprintf(w, "skipped   %s (%s)\n", patch.Quote(n.Path), safe(n.Reason))
		}
		for _, n := range r.Kept {
			fmt.Fprintf(w, "kept      %s (%s)\n", patch.Quote(n.Path), safe(n.Reason))
		}
		conversationLine(w, r.Conversation)
	})
}
