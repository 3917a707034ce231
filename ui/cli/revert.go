package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"overturn/model"
	"overturn/review/patch"
	"overturn/review/recorders"
	"overturn/rollback"
)

// revertFlags are what a call of revert says.
type revertFlags struct {
	to                         int
	thread, expect, why        string
	plan, yes, partial, silent bool // silent: the conversation stays as it is
}

func newRevert(a *app) *cobra.Command {
	var f revertFlags
	cmd := &cobra.Command{
		Use:   "revert --to N",
		Short: "Take a whole thread back to the end of turn N: files, conversation, turns",
		Long: `Take a thread back to boundary N, the end of turn N (0: before the first): the
files that its later turns changed, then the agent's conversation where the agent
allows it, then these turns, which "turns --reverted" lists from then on. What the
user or another thread changed stays. On a terminal it shows the plan and asks;
elsewhere it needs --expect with the fingerprint that --plan printed.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("to") {
				return model.Usagef("revert needs --to N, the turn that the thread goes back to the end of").
					WithHint("`overturn turns` lists them; 0 is before the first")
			}
			if f.expect != "" {
				if err := patch.ParseFingerprint(f.expect); err != nil {
					return err
				}
			}
			return a.revert(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.to, "to", 0, "back to the end of turn `N`; 0 is before the first turn")
	flags.StringVar(&f.thread, "thread", "", "of thread `T` (default: the one with the newest turn here)")
	flags.BoolVar(&f.plan, "plan", false, "show what would be done, and its fingerprint; do nothing")
	flags.StringVar(&f.expect, "expect", "", "the `FINGERPRINT` of the plan that was reviewed")
	flags.BoolVar(&f.yes, "yes", false, "on a terminal: do not ask")
	flags.BoolVar(&f.silent, "keep-conversation", false, "leave the agent's conversation as it is")
	flags.StringVar(&f.why, "why", "", "the reason in a line, `TEXT`: it stands in the history")
	flags.BoolVar(&f.partial, "partial", false, "leave out files that conflict instead of refusing all")
	return cmd
}

func (a *app) revert(ctx context.Context, f revertFlags) error {
	e, err := a.openSettled(ctx)
	if err != nil {
		return err
	}
	thread, err := e.thread(ctx, f.thread)
	if err != nil {
		return err
	}
	if by := e.book.Recorder(ctx, thread); by != "" {
		return model.Refusedf("thread %q is of %s: only threads that overturn recorded here go back whole", thread, by).
			WithHint(otherThreadsHint(by), thread.Word())
	}
	engine, err := e.writing()
	if err != nil {
		return err
	}
	o := rollback.RevertOptions{Thread: thread, To: f.to, Keep: f.silent}
	o.ExecuteOptions = rollback.ExecuteOptions{Expect: f.expect, Why: f.why, Partial: f.partial, Progress: a.progress()}
	if f.plan {
		p, err := engine.PlanRevert(ctx, o)
		if err != nil {
			return err
		}
		return a.emitRevertPlan(p)
	}
	if o.Expect, err = a.confirmRevert(ctx, engine, o, f.yes); err != nil || o.Expect == "" {
		return err
	}
	result, err := engine.Revert(ctx, o)
	return a.emitResult(result, err)
}

// otherThreadsHint says what can be done with a thread of the recorder by, a format for its id:
// what was recorded in another repository is for reading alone.
func otherThreadsHint(by string) string {
	if by == recorders.NameElsewhere {
		return "it is taken back where it was recorded; `overturn diff thread --thread %s` shows what it did"
	}
	return "`overturn stage N --thread %s -- PATH` takes files of a turn back"
}

// confirmRevert settles the fingerprint to go by, as confirm does; "" where there was
// nothing to confirm, which was said.
func (a *app) confirmRevert(ctx context.Context, engine *rollback.Engine, o rollback.RevertOptions, yes bool) (string, error) {
	if !a.interactive() && o.Expect != "" {
		return o.Expect, nil
	}
	p, err := engine.PlanRevert(ctx, o) // what cannot be done at all is said first
	switch {
	case err != nil:
		return "", err
	case p.Turns() == 0:
		return p.Fingerprint, nil
	case !a.interactive():
		return "", model.Usagef("without a terminal a revert needs --expect FINGERPRINT").
			WithHint("`%s --plan` prints the plan and its fingerprint", o.Command(p.Thread))
	case p.Refused != nil && !o.Partial, yes:
		return p.Fingerprint, nil
	}
	if err := a.emitRevertPlan(p); err != nil {
		return "", err
	}
	want := strconv.Itoa(len(p.Targets))
	question := fmt.Sprintf("roll back %s, and take %s out of the thread? type %s, anything else cancels:", count(len(p.Targets), "path"), count(p.Turns(), "turn"), want)
	if len(p.Targets) == 0 {
		want = strconv.Itoa(p.Turns())
		question = fmt.Sprintf("take %s out of the thread? type %s, anything else cancels:", count(p.Turns(), "turn"), want)
	}
	agreed, err := a.ask(question, want)
	if err == nil && !agreed {
		engine.Declined(p.Plan)
		err = model.Errorf(model.CodeCancelled, "cancelled; nothing was written")
	}
	if o.Expect == "" {
		o.Expect = p.Fingerprint
	}
	return o.Expect, err
}

// revertWire is overturn.plan/1 of a revert. Refused is why it could not be carried
// out now, null where it can.
type revertWire struct {
	*model.Plan
	Thread       model.ThreadID      `json:"thread"`
	To           int                 `json:"to"`
	Latest       int                 `json:"latest"`
	Conversation *model.Conversation `json:"conversation"`
	Base         string              `json:"base"` // "HEAD" where it stands for a baseline that is not there
	BaseHead     string              `json:"base_head"`
	Refs         []string            `json:"refs"`
	Refused      *errorWire          `json:"refused"`
}

func (a *app) emitRevertPlan(p *rollback.RevertPlan) error {
	wire := revertWire{Plan: p.Plan, Thread: p.Thread, To: p.To, Latest: p.Latest, Refs: model.NotNil(p.Refs)}
	if p.FromHead {
		wire.Base, wire.BaseHead = "HEAD", p.Head.Commit
	}
	if p.Turns() > 0 {
		wire.Conversation = &p.Conversation
	}
	if err := p.Refused; err != nil {
		wire.Refused = &errorWire{"overturn.error/1", string(model.CodeOf(err)), err.Error(), model.HintOf(err)}
	}
	return a.emit("overturn.plan/1", wire, func(w *bufio.Writer) { revertText(w, p) })
}

func revertText(w *bufio.Writer, p *rollback.RevertPlan) {
	thread := safe(string(p.Thread))
	switch p.Turns() {
	case 0:
		fmt.Fprintf(w, "nothing to do: thread %s is at boundary %d\n", thread, p.To)
		return
	case 1:
		fmt.Fprintf(w, "thread %s goes back to boundary %d: turn %d leaves it\n", thread, p.To, p.Latest)
	default:
		fmt.Fprintf(w, "thread %s goes back to boundary %d: turns %d to %d leave it\n", thread, p.To, p.To+1, p.Latest)
	}
	if p.FromHead {
		fmt.Fprintf(w, "base: %s; the baseline is not there\n", p.Head)
	}
	targetLines(w, p.Plan)
	conversationLine(w, &p.Conversation)
	fmt.Fprintf(w, "refs      %s parked, and put back by undo\n", count(len(p.Refs), "snapshot"))
	domainLines(w, p.Domains, true)
	if len(p.Effects) > 0 {
		fmt.Fprintf(w, "effects outside these files, not taken back (reversible: %s)\n", p.Reversible)
		effectLines(w, p.Effects)
		adviceLine(w, p.Advice)
	}
	if p.Refused != nil {
		fmt.Fprintf(w, "cannot be done now: %s\n", safe(p.Refused.Error()))
		if hint := model.HintOf(p.Refused); hint != "" {
			fmt.Fprintf(w, "  %s\n", safe(hint))
		}
	}
	fmt.Fprintf(w, "fingerprint %s\n", p.Fingerprint)
}

// revertedLine says which turns left their thread, or came in again.
func revertedLine(w *bufio.Writer, r *model.Result) {
	t := r.Reverted
	if t == nil {
		return
	}
	turns, base := fmt.Sprintf("turns %d to %d", t.To+1, t.Latest), ""
	if t.To+1 == t.Latest {
		turns = fmt.Sprintf("turn %d", t.Latest)
	}
	if t.Base != "" {
		base = "; base: " + t.Base
	}
	what := "out of it"
	if t.Back {
		what = "in it again"
	}
	fmt.Fprintf(w, "thread    %s: %s %s%s\n", safe(string(t.Thread)), turns, what, base)
}

// conversationLine says what becomes, or became, of the agent's conversation; nil: there
// is nothing to say.
func conversationLine(w *bufio.Writer, c *model.Conversation) {
	if c == nil {
		return
	}
	what := safe(c.Agent)
	if c.Turns > 0 {
		what += ", " + count(c.Turns, "turn")
	}
	fmt.Fprintf(w, "conversation of %s: %s\n", what, safe(c.Note))
}
