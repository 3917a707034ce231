package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/review/ledger"
	"overturn/review/marks"
)

// watcher tells when something that the review shows has moved: turns, the
// staged set, past rollbacks, HEAD, what another review marked as read. It sleeps in the kernel between changes; where
// the system has no such help it waits for ctx, and the review refreshes on focus
// and on R alone.
type watcher struct {
	repo   *gitops.Repo
	ledger *ledger.Ledger
	marks  *marks.Store
	last   string
}

func newWatcher(e *engines, m *marks.Store) *watcher {
	return &watcher{repo: e.repo, ledger: e.ledger, marks: m}
}

// wait blocks until something is new since the call before, or ctx ends. The first
// call remembers the state that it finds.
func (w *watcher) wait(ctx context.Context) error {
	if w.last == "" {
		w.last = w.token(ctx)
	}
	bell, err := newBell(ctx)
	if err != nil {
		<-ctx.Done()
		return ctx.Err()
	}
	defer bell.close()
	for {
		// Folders come and go with threads, so they are listed anew; what moved
		// between two bells is in the token.
		bell.watch(w.folders())
		if now := w.token(ctx); now != w.last {
			w.last = now
			return nil
		}
		if err := bell.ring(); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
	}
}

// folders are where the files lie whose changes are news.
func (w *watcher) folders() []string {
	state := w.repo.StateDir()
	list := []string{w.repo.GitDir, state, filepath.Join(state, "journal"), filepath.Join(state, "ledger")}
	threads, _ := filepath.Glob(filepath.Join(state, "ledger", "*"))
	return append(list, threads...)
}

// token is equal as long as nothing is new. The review's own captures write the
// stat table and the trace: neither is part of it.
func (w *watcher) token(ctx context.Context) string {
	var b strings.Builder
	generation, err := w.ledger.Generation(ctx)
	fmt.Fprint(&b, generation, err)
	head, err := w.repo.Head(ctx)
	fmt.Fprint(&b, head, err, " ", w.marks.News())
	state := w.repo.StateDir()
	for _, name := range []string{"staged.json", "waiting.json", "journal", "comments.json", "handover.json", "told"} {
		if info, err := os.Stat(filepath.Join(state, name)); err == nil {
			fmt.Fprint(&b, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
