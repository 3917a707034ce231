package outgoing_test

import (
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/branchstore"
	"overturn/gitops/checkpoint/refstore"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/remotes/outgoing"
	"overturn/gitops/remotes/redact"
)

// token is made up; it opens nothing.
func token() string { return "gh" + "p_x7Kd93mQpLs82NvbTqWe41RyUoZc56HaFgJi" }

const marker = "[redacted:github-pat]"

// world is a repository with one store of records, and its rewriter.
type world struct {
	*storetest.Bench
	t     *testing.T
	cache string
	out   *outgoing.Rewriter
}

func newWorld(t *testing.T, open storetest.Factory) *world {
	w := &world{Bench: storetest.NewBench(t, open), t: t, cache: filepath.Join(t.TempDir(), "outgoing")}
	w.out = w.rewriter(redact.Options{}, w.cache)
	return w
}

// each runs a test over both backends that keep records in git.
func each(t *testing.T, test func(t *testing.T, w *world)) {
	for name, open := range map[string]storetest.Factory{"git-refs": refstore.Open, "git-branch": branchstore.Open} {
		t.Run(name, func(t *testing.T) { test(t, newWorld(t, open)) })
	}
}

func (w *world) rewriter(o redact.Options, cache string) *outgoing.Rewriter {
	w.t.Helper()
	r, err := redact.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	return outgoing.New(outgoing.Options{Objects: w.Context.Objects, Redactor: r, Cache: cache})
}

// put stores a record with a change, and returns its tip and itself.
func (w *world) put(n int, change func(*checkpoint.Record)) *checkpoint.Record {
	w.t.Helper()
	rec := w.Record(w.t, n)
	rec.Turn.Start, rec.Turn.End = nil, nil
	if change != nil {
		change(rec)
	}
	w.Put(w.t, rec)
	return rec
}

func (w *world) update(rec *checkpoint.Record, change func(*checkpoint.Record)) {
	w.t.Helper()
	if err := w.Store.Update(w.t.Context(), rec.ID(), func(r *checkpoint.Record) error { change(r); return nil }); err != nil {
		w.t.Fatal(err)
	}
}

// tip is the commit of the ref that holds the record.
func (w *world) tip(rec *checkpoint.Record) string {
	w.t.Helper()
	ref := checkpoint.BranchRef
	if w.Store.Type() == checkpoint.TypeRefs {
		ref, _ = checkpoint.RefName(rec.ID())
	}
	return w.Repo.Git("rev-parse", ref)
}

// leaves is what leaves for tip, stored.
func (w *world) leaves(r *outgoing.Rewriter, tip string, published ...string) (string, []outgoing.Finding) {
	w.t.Helper()
	out, found, err := r.Outgoing(w.t.Context(), tip, published...)
	if err == nil {
		err = r.Save(w.t.Context())
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return out, found
}

// all is every byte of a commit and its history: commits, and the files in them.
func (w *world) all(commit string) string {
	w.t.Helper()
	var text strings.Builder
	for line := range strings.Lines(w.Repo.Git("rev-list", "--objects", commit) + "\n") {
		oid, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind := w.Repo.Git("cat-file", "-t", oid); kind != "tree" {
			text.WriteString(w.Repo.Git("cat-file", kind, oid) + "\n")
		}
	}
	return text.String()
}

func isAncestor(w *world, old, young string) bool {
	_, err := w.Repo.GitMayFail("merge-base", "--is-ancestor", old, young)
	return err == nil
}

// again is another process's rewriter, with the same cache.
func again(w *world) *outgoing.Rewriter { return w.rewriter(redact.Options{}, w.cache) }
