package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"overturn/gitops/remotes"
	"overturn/gitops/remotes/queue"
)

// dryRun tells what would go; with --show as it would go, in JSON what would be taken
// out of it.
func (p *syncPush) dryRun(ctx context.Context, targets []remotes.Target) error {
	out := bufio.NewWriter(p.app.stdout)
	var shown io.Writer = out
	if p.app.json {
		shown = io.Discard
	}
	for _, t := range targets {
		waiting, err := p.x.queue.Pending(ctx, t.Key)
		if err != nil {
			return err
		}
		part := remoteWire{Remote: t.Label()}
		for _, ref := range waiting {
			part.Pushed = append(part.Pushed, ref.Name)
		}
		if p.show {
			if err := p.preview(ctx, shown, t, waiting, &part); err != nil {
				return err
			}
		}
		p.report.add(part)
	}
	if p.app.json || !p.show {
		return p.app.emit("overturn.sync/1", p.report, p.text)
	}
	p.text(out)
	return flush(out)
}

// preview shows the records that wait for a remote, without what it has of them already.
func (p *syncPush) preview(ctx context.Context, w io.Writer, t remotes.Target, waiting []queue.Ref, part *remoteWire) error {
	has := p.has(ctx, t)
	for _, ref := range waiting {
		fmt.Fprintf(w, "== %s to %s\n", safe(refLabel(ref.Name)), safe(t.Label()))
		var published []string
		if value := has[ref.Name]; value != "" {
			published = []string{value}
		}
		found, err := p.x.outgoing.Preview(ctx, w, ref.Value, published...)
		if err != nil {
			return err
		}
		for _, f := range found {
			part.Findings = append(part.Findings, foundWire{ref.Name, f.Path, f.Rule, f.Line})
		}
	}
	part.Redacted = len(part.Findings)
	return nil
}

// has is what a remote has, where records went to it before: one that nobody agreed to
// yet is not even asked.
func (p *syncPush) has(ctx context.Context, t remotes.Target) map[string]string {
	if approved, err := p.x.queue.Approved(t.Key); err != nil || !approved {
		return nil
	}
	has, err := p.x.Advertised(ctx, t)
	if err != nil {
		p.app.say("%s does not say what it has already: all of each record is shown (%s)", safe(t.Label()), safe(err.Error()))
	}
	return has
}
