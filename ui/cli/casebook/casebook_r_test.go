package casebook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/model"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/review/patch"
	"overturn/ui/cli/clitest"
)

// TestCasebookR: repositories that go-git's own layers cannot open or get wrong.
func TestCasebookR(t *testing.T) {
	runCases(t, []caseOf{
		{"R-01", caseExtensions},
		{"R-02", caseAlternates},
		{"R-04", caseReadersAtOnce},
		{"R-06", caseRefsAreNoFiles},
		{"R-08", caseNoLibraryStatus},
		{"R-09", caseShallow},
	})
	gittest.CheckArgv(t, clitest.ArgvLog())
}

// everyView reads everything that can be read of a repository with a turn.
func (b *book) everyView(scopes ...string) {
	b.t.Helper()
	for _, verb := range []string{"status", "turns", "threads", "history", "plan", "agents"} {
		b.ok(verb)
	}
	for _, scope := range append([]string{"working", "latest", "1", "0..1", "thread"}, scopes...) {
		for _, form := range []string{"--patch", "--json"} {
			b.ok("diff", scope, form)
		}
	}
	b.ok("checkpoint", "list")
	s := b.screen()
	b.see(s, "1 Working")
	for _, key := range []string{"1", "2", "3", "4"} {
		b.typed(s, key)
	}
	b.leave(s)
}

// wholeCycle is capture, edits of all kinds, capture, views, rollback, undo, redo.
func (b *book) wholeCycle() {
	b.t.Helper()
	b.Write("of the user", "untracked\n")
	before := b.world()
	b.start("T")
	b.sh(`echo agent >> a; rm b; echo new > new; chmod 755 c`)
	b.end("T")
	after := b.world()
	turn := b.newest("T")
	if turn.Status != "ready" || turn.names() != "a modified, b deleted, c mode, new added" {
		b.t.Errorf("%s %s: %s", turn.Status, turn.StatusReason, turn.names())
	}
	b.rollback("latest")
	b.restored(before)
	b.undo()
	b.restored(after)
	b.ok("redo")
	b.restored(before)
	b.Git("status", "--porcelain") // git itself still takes the repository
}

// threeFiles commits what wholeCycle changes.
func (b *book) threeFiles() {
	b.t.Helper()
	b.sh("for f in a b c; do echo $f > $f; done; mkdir -p d; echo d > d/d")
	b.Commit("base")
}

// caseExtensions: settings of the repository's format that the library refuses are
// no concern of ours; one that git itself refuses is refused in its words.
func caseExtensions(b *book) {
	b.threeFiles()
	for _, format := range []string{
		"git config extensions.worktreeConfig true; git config --worktree core.sparseCheckout false",
		"git config core.repositoryFormatVersion 1; git config extensions.preciousObjects true; git config extensions.noop true",
		"git sparse-checkout set --cone d; git sparse-checkout disable",
	} {
		b.sh(format)
		b.wholeCycle()
		b.sh("git reset -q --hard; rm -f new")
	}
	b.everyView("branch=main")
	linked := bookOf(b.t, b.Worktree("linked"))
	linked.sh("git config --worktree core.autocrlf false")
	linked.wholeCycle()

	config := b.Read(".git/config")
	b.sh("git config extensions.fromTheFuture true")
	before := b.files()
	for _, verb := range [][]string{{"status"}, {"turn", "start", "--thread", "T"}, {"rollback", "--yes"}} {
		if s := b.overturn(verb...); s.code == 0 || !strings.Contains(strings.ToLower(s.stderr), "fromthefuture") {
			b.t.Errorf("%q: %+v", verb, s)
		}
	}
	b.hook(`{"event":"session-start","thread":"T"}`)
	b.untouched(before, result{})
	b.Write(".git/config", config)
}

// caseAlternates: objects that lie in another repository, or in that one's other, by
// absolute and relative paths, are found, and what is stored of ours is here.
func caseAlternates(b *book) {
	b.threeFiles()
	b.sh("git clone -q -s . ../one; git clone -q -s ../one ../two; git clone -q -s . ../relative; printf '../../../repo/.git/objects\n' > ../relative/.git/objects/info/alternates")
	for _, name := range []string{"one", "two", "relative"} {
		c := bookOf(b.t, b.At(b.Path("../"+name)))
		c.wholeCycle()
		c.everyView("branch=origin/main")
		for _, line := range strings.Fields(c.Git("for-each-ref", "--format=%(objectname)", "refs/overturn")) {
			if out, err := b.GitMayFail("cat-file", "-e", line); err == nil {
				b.t.Errorf("%s of %s was stored in the other repository %s", line, name, out)
			}
		}
		c.Git("fsck", "--no-dangling", "--no-progress")
	}
}

// caseReadersAtOnce: ten readers work on one engine while turns are recorded, packs
// are joined and git repacks; each gets what one alone would get. .ci/run has the
// race detector look on.
func caseReadersAtOnce(b *book) {
	ctx := context.Background()
	for i := range 12 {
		b.Write(fmt.Sprintf("f%02d", i), strings.Repeat("line\n", 50))
	}
	b.Commit("base")
	b.turn("T", func() { b.sh("for f in f*; do echo agent >> $f; done; rm f00; echo new > new") })
	repo := b.Open()
	store := objects.Open(repo)
	defer store.Close()
	moved := refs.New(repo)
	engine := snapshot.New(repo, store, moved, snapshot.Options{Clock: time.Now})
	reading := review.New(review.Deps{Repo: repo, Objects: store, Refs: moved, Snapshots: engine, Clock: time.Now,
		Ledger: ledger.New(ledger.Deps{Repo: repo, Objects: store, Refs: moved, Snapshots: engine, Clock: time.Now})})
	want, err := rendered(ctx, reading)
	if err != nil || strings.Count(want, "\n") != 13 {
		b.t.Fatalf("%v\n%s", err, want)
	}
	var readers sync.WaitGroup
	for range 10 {
		readers.Go(func() {
			for range 3 {
				if got, err := rendered(ctx, reading); err != nil || got != want {
					b.t.Errorf("a reader got %v\n%s", err, got)
				}
			}
		})
	}
	for i := range 4 {
		b.turn("T", func() { b.Write("f01", fmt.Sprint(i, "\n")) })
	}
	b.sh("git repack -q -a -d; git pack-refs --all")
	readers.Wait()
}

// rendered is turn 1 with the lines and the owner of each file.
func rendered(ctx context.Context, e *review.Engine) (string, error) {
	scope, err := model.ParseScope("1")
	if err != nil {
		return "", err
	}
	scope.Thread = "T"
	cs, err := e.Compare(ctx, scope)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range cs.Files {
		d, err := e.Diff(ctx, cs, f, patch.Options{})
		if err != nil {
			return "", err
		}
		owner, _, err := e.Owner(ctx, cs, f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%s %s +%d -%d %s\n", f.Path, f.Change, d.Adds, d.Dels, owner)
	}
	return out.String(), nil
}
