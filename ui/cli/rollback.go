package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

func newRollback(a *app) *cobra.Command {
	var expect, why string
	var yes, partial bool
	cmd := &cobra.Command{
		Use:   "rollback",
		Short: "Carry out the staged set: take back what \"stage\" chose",
		Long: `Carry out the staged set. On a terminal it shows the plan and asks; elsewhere it
needs --expect with the fingerprint that plan printed. The work tree is compared
with the plan once more just before anything is written.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if expect != "" {
				if err := patch.ParseFingerprint(expect); err != nil {
					return err
				}
			}
			e, err := a.open(cmd.Context(), a.dir)
			if err != nil {
				return err
			}
			engine, err := e.writing()
			if err != nil {
				return err
			}
			if expect, err = a.confirm(cmd.Context(), engine, expect, yes); err != nil {
				return err
			}
			result, err := engine.Execute(cmd.Context(), rollback.ExecuteOptions{Expect: expect, Why: why, Partial: partial, Progress: a.progress()})
			return a.emitResult(result, err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&expect, "expect", "", "the `FINGERPRINT` of the plan that was reviewed")
	flags.BoolVar(&yes, "yes", false, "on a terminal: do not ask")
	flags.StringVar(&why, "why", "", "the reason in a line, `TEXT`: it stands in the history and in what the agent is told")
	flags.BoolVar(&partial, "partial", false, "leave out conflicts instead of refusing all")
	return cmd
}

// confirm settles the fingerprint to go by: the one given, or on a terminal that
// of the plan that was shown and agreed to.
func (a *app) confirm(ctx context.Context, engine *rollback.Engine, expect string, yes bool) (string, error) {
	if !a.interactive() {
		if expect == "" {
			// What cannot be carried out at all is said first.
			if staged, err := engine.Staged(ctx); err == nil && len(staged) == 0 {
				return "", model.Usagef("nothing is staged").WithHint("`overturn stage` chooses what to take back")
			}
			return "", model.Usagef("without a terminal a rollback needs --expect FINGERPRINT").
				WithHint("overturn plan prints the plan and its fingerprint")
		}
		return expect, nil
	}
	plan, _, err := engine.Plan(ctx)
	if err != nil {
		return "", err
	}
	if expect == "" {
		expect = plan.Fingerprint
	}
	if len(plan.Targets) == 0 || yes {
		return expect, nil
	}
	if err := a.emitPlan(plan, true); err != nil {
		return "", err
	}
	question, want := confirmation(plan)
	agreed, err := a.ask(question, want)
	if err == nil && !agreed {
		engine.Declined(plan)
		err = model.Errorf(model.CodeCancelled, "cancelled; nothing was written")
	}
	return expect, err
}

// confirmation is the question before a rollback and the answer that agrees: y for
// one file, the number of paths where more is at stake.
func confirmation(p *model.Plan) (question, want string) {
	risky := len(p.Targets) > 1 || p.Reversible == model.ReversibleNo
	for _, t := range p.Targets {
		risky = risky || t.Op == model.OpDelete || t.Discard
	}
	if !risky {
		return "roll this back? type y, anything else cancels:", "y"
	}
	n := strconv.Itoa(len(p.Targets))
	return fmt.Sprintf("roll back %s? type %s, anything else cancels:", count(len(p.Targets), "path"), n), n
}

// progress shows how far a long rollback is, on a terminal only.
func (a *app) progress() func(done, of int) {
	if a.json || !isTerminal(a.stderr) {
		return nil
	}
	return func(done, of int) {
		if of >= 50 && (done == of || done%25 == 0) {
			fmt.Fprintf(a.stderr, "\r%d of %d", done, of)
			if done == of {
				fmt.Fprintln(a.stderr)
			}
		}
	}
}

// emitResult prints the report of a rollback, and turns an outcome that is not
// complete into its exit code. A report may come with an error.
func (a *app) emitResult(r *model.Result, err error) error {
	if r == nil {
		return err
	}
	if printErr := a.emit("overturn.rollback/1", r, func(w *bufio.Writer) { resultText(w, r) }); printErr != nil {
		return printErr
	}
	if err == nil && r.Outcome == model.OutcomePartial {
		err = model.Errorf(model.CodePartial, "done in part: %s skipped", count(len(r.Skipped), "path")).
			WithHint("the report gives the reason of each: mend it and stage these paths again, or take back what was done, which overturn history lists")
	}
	return err
}

// keptLines are the paths that stay, and those that had to be left.
func keptLines(w *bufio.Writer, r *model.Result) {
	for _, n := range r.Kept {
		fmt.Fprintf(w, "kept      %s (%s)\n", patch.Quote(n.Path), safe(n.Reason))
	}
	for _, n := range r.Skipped {
		fmt.Fprintf(w, "skipped   %s (%s)\n", patch.Quote(n.Path), safe(n.Reason))
	}
}

func resultText(w *bufio.Writer, r *model.Result) {
	if r.Outcome == model.OutcomeComplete && r.ID == "" {
		fmt.Fprintln(w, "nothing to do: all of it is already back")
		keptLines(w, r)
		return
	}
	fmt.Fprintf(w, "%s\n", r.Outcome)
	revertedLine(w, r)
	for _, list := range []struct {
		word  string
		paths model.Paths
	}{{"restored", r.Restored}, {"created", r.Created}, {"deleted", r.Deleted}, {"merged", r.Merged}} {
		for _, p := range list.paths {
			fmt.Fprintf(w, "%-9s %s\n", list.word, patch.Quote(p))
		}
	}
	keptLines(w, r)
	conversationLine(w, r.Conversation)
	domainLines(w, r.Domains, false)
	undone := r.Outcome == model.OutcomeUndone
	if len(r.Residual) > 0 && !undone { // an undo brings back what the effects belong to
		fmt.Fprintln(w, "not rolled back:")
		effectLines(w, r.Residual)
		adviceLine(w, r.Advice)
	}
	if r.Verified && len(r.Post) > 0 {
		fmt.Fprintln(w, "verified: every path was read back")
	}
	switch {
	case r.Undo != "" && undone:
		fmt.Fprintln(w, "do it again with: overturn redo")
	case r.Undo != "":
		fmt.Fprintf(w, "take it back with: %s\n", r.Undo)
	}
}
