package remotes

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"overturn/gitops/checkpoint"
	"overturn/gitops/refs"
	"overturn/gitops/remotes/queue"
	"overturn/model"
)

// hereName begins the names, in an outbox, of what is here already.
const hereName = "refs/here/"

// openInbox makes an outbox to fetch many records into: git sees in it which are here,
// or it would bring them all for the sake of one.
func (e *Engine) openInbox(ctx context.Context, t Target) (*outbox, error) {
	held, err := e.Refs.List(ctx, checkpoint.RefPrefix)
	if err != nil {
		return nil, err
	}
	branch, err := e.Refs.Read(ctx, checkpoint.BranchRef)
	if err != nil {
		return nil, err
	}
	if branch != "" {
		held = append(held, refs.Ref{Name: checkpoint.BranchRef, OID: branch})
	}
	list := make([]queue.Ref, len(held))
	for i, ref := range held {
		list[i] = queue.Ref{Name: fmt.Sprintf("%s%d", hereName, i), Value: ref.OID}
	}
	return e.openOutbox(t, list)
}

// refs lists what a fetch brought.
func (b *outbox) refs(ctx context.Context) (map[string]string, error) {
	out, err := b.git(ctx, b.e.Limits.Move, "for-each-ref", "--format=%(objectname) %(refname)", "refs/overturn/", "refs/heads/")
	if err != nil {
		return nil, model.Failf(err, "cannot list what was fetched")
	}
	came := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if value, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			came[name] = value
		}
	}
	return came, nil
}

// fetch brings refs into the outbox, under their own names. A remote that has none
// of them is no failure: a pattern may match nothing. What came and is damaged is an
// unsound, and then nothing came; the remote did answer.
func (b *outbox) fetch(ctx context.Context, t Target, limit time.Duration, patterns ...string) (map[string]string, error) {
	if err := b.bring(ctx, t, limit, patterns); err != nil {
		return nil, err
	}
	return b.refs(ctx)
}

// bring is git fetch. What it brings is named on its standard input: a line of
// arguments has an end.
func (b *outbox) bring(ctx context.Context, t Target, limit time.Duration, patterns []string) error {
	if err := b.e.gaveUp(t); err != nil {
		return err
	}
	var specs bytes.Buffer
	for _, pattern := range patterns {
		specs.WriteString("+" + pattern + ":" + pattern + "\n")
	}
	_, err := b.gitInput(ctx, limit, specs.Bytes(),
		// Refs here do not outlive the call, objects do.
		"-c", "core.fsync=committed", "-c", "fetch.fsckObjects=true", "-c", "fetch.writeCommitGraph=false", "-c", "fetch.parallel=1",
		"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance", "--no-prune", "--no-filter",
		"--no-show-forced-updates", "--stdin", "--", t.Name)
	if err == nil {
		return nil
	}
	if damage := unsoundIn(err); damage != nil {
		return model.Failf(damage, "cannot fetch from %s", t.Label()).WithHint("git fsck there names what is damaged")
	}
	err = transportError(err, t, "fetch from")
	b.e.giveUp(ctx, t, err)
	return err
}
