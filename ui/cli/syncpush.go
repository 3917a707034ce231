package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"overturn/gitops/remotes"
	"overturn/model"
)

func newSyncPush(a *app) *cobra.Command {
	var p syncPush
	cmd := &cobra.Command{
		Use:   "push [REMOTE…]",
		Short: "Send the records that wait to remotes",
		Long: `Send the records that wait to the remotes named; without a name to the one of the
setting checkpoints.remote, else to all that records went to before, else to the
current branch's remote or origin. The first push to a remote asks, and is remembered
for its address. Nothing is ever forced: what a remote has and we have not is joined.
Exit 3 when some records stay queued, 1 when none went.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.show && !p.dry {
				return model.Usagef("--show goes with --dry-run").WithHint("overturn sync push --dry-run --show sends nothing")
			}
			e, err := a.openSettled(cmd.Context())
			if err != nil {
				return err
			}
			if p.x, err = e.remotes(remotes.Limits{}); err != nil {
				return err
			}
			p.app = a
			return p.run(cmd.Context(), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.yes, "yes", false, "do not ask before the first push to a remote")
	flags.BoolVar(&p.dry, "dry-run", false, "tell what would go, and send nothing")
	flags.BoolVar(&p.show, "show", false, "with --dry-run: print what would go, as it would go")
	return cmd
}

// syncPush is one run of `sync push`.
type syncPush struct {
	app            *app
	x              *exchange
	yes, dry, show bool
	named          bool // the user named the remotes
	report         *syncWire
}

func (p *syncPush) run(ctx context.Context, names []string) error {
	p.named = len(names) > 0
	targets, err := p.targets(ctx, names)
	if err != nil {
		return err
	}
	p.report = newSyncWire()
	p.report.DryRun = p.dry
	if p.dry {
		return p.dryRun(ctx, targets)
	}
	for _, t := range targets {
		if err := p.agree(ctx, t); err != nil {
			return err
		}
	}
	var failed error
	for _, t := range targets {
		r, err := p.x.Push(ctx, t, remotes.PushOptions{Refill: true})
		part := pushPart(r)
		if err != nil {
			part.Failure = err.Error()
			failed = errors.Join(failed, err)
		}
		p.report.add(part)
	}
	if err := p.app.emit("overturn.sync/1", p.report, p.text); err != nil {
		return err
	}
	return p.outcome(failed)
}

// targets are the remotes to push to.
func (p *syncPush) targets(ctx context.Context, names []string) ([]remotes.Target, error) {
	if len(names) == 0 {
		return p.x.Usual(ctx)
	}
	var list []remotes.Target
	for _, name := range names {
		t, err := p.x.Target(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// agree asks before the first push to a remote.
func (p *syncPush) agree(ctx context.Context, t remotes.Target) error {
	approved, err := p.x.queue.Approved(t.Key)
	if err != nil {
		return err
	}
	offered := p.x.Offered && !p.named // --yes speaks for what the user chose
	if !approved && (!p.yes || offered) {
		if !p.app.interactive() && offered {
			return model.Refusedf("no record went to %s yet, and it is the setting checkpoints.remote of a file that may have come with this repository", t.Label()).
				WithHint("where you want it, name it: overturn sync push %s --yes", t.Label())
		}
		if !p.app.interactive() {
			return model.Refusedf("no record went to %s yet: the first push needs your word", t.Label()).
				WithHint("`overturn sync push --dry-run --show` shows what would go, `overturn sync push --yes` sends it")
		}
		waiting, err := p.x.queue.Pending(ctx, t.Key)
		if err != nil {
			return err
		}
		p.app.say("%s would go to %s (%s): prompts, commands, lists of changes, with secrets taken out.", count(len(waiting), "record"), safe(t.Label()), safe(t.Where))
		p.app.say("overturn sync push --dry-run --show prints all of it.")
		agreed, err := p.app.ask("send records there, now and later? type y, anything else cancels:", "y")
		if err != nil {
			return err
		}
		if !agreed {
			return model.Errorf(model.CodeCancelled, "cancelled; nothing was sent")
		}
	}
	return p.x.queue.Approve(ctx, t.Key, t.Label()) // an address may hold a password, and is kept for people alone
}

func pushPart(r *remotes.Report) remoteWire {
	part := remoteWire{Remote: r.Target.Label(), Pushed: r.Pushed, Stale: r.Stale, Redacted: r.Redacted}
	for _, q := range r.Queued {
		part.Queued = append(part.Queued, queuedWire{q.Ref, q.Reason})
	}
	return part
}

func (p *syncPush) text(w *bufio.Writer) {
	for _, r := range p.report.Remotes {
		name := safe(r.Remote)
		switch {
		case p.dry:
			fmt.Fprintf(w, "%s would go to %s\n", count(len(r.Pushed), "record"), name)
		case len(r.Pushed)+len(r.Queued) == 0 && r.Failure == "":
			fmt.Fprintf(w, "nothing waits for %s\n", name)
		case r.Failure == "" || len(r.Pushed) > 0:
			fmt.Fprintf(w, "%s went to %s\n", count(len(r.Pushed), "record"), name)
		}
		if r.Redacted > 0 {
			fmt.Fprintf(w, "%s taken out\n", count(r.Redacted, "secret"))
		}
		if r.Failure == "" {
			queuedLines(w, r.Queued)
		}
	}
}

// outcome is the exit: 1 when none went, 3 when some stay.
func (p *syncPush) outcome(failed error) error {
	switch {
	case len(p.report.Pushed) == 0 && failed != nil:
		return failed
	case len(p.report.Queued) == 0 && failed == nil:
		return nil
	case len(p.report.Pushed) == 0:
		return model.Errorf(model.CodeFailed, "no record went: %s queued", stay(len(p.report.Queued))).
			WithHint("the report gives the reason of each; overturn sync status shows it again")
	}
	e := model.Errorf(model.CodePartial, "done in part: %s queued", stay(len(p.report.Queued)))
	e.Err = failed
	return e.WithHint("the report gives the reason of each; the next push tries again")
}

func stay(n int) string {
	if n == 1 {
		return "1 record stays"
	}
	return count(n, "record") + " stay"
}
