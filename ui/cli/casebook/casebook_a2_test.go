package casebook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// casePartialCapture: a capture that dies half way is no snapshot, and a base that
// is the empty tree, put in the place of the recorded one, is no target.
func casePartialCapture(b *book) {
	for _, n := range strings.Fields("1 2 3 4 5 6 7 8") {
		b.Write("d/"+n, "base\n")
	}
	b.Commit("base")
	for _, point := range []string{"objects.flush.before", "objects.flush.after", "ledger.flushed"} {
		thread := "dies-" + point
		b.Write("d/1", "dirty before "+point+"\n") // something to capture
		if s := b.with("OVERTURN_FAIL_POINT="+point).overturn("turn", "start", "--thread", thread); s.code == 0 {
			b.t.Fatalf("%s: nothing died", point)
		}
		if refs := b.Git("for-each-ref", "refs/overturn/threads"); strings.Contains(refs, "/turn/0") {
			b.t.Errorf("%s: there is a snapshot: %s", point, refs)
		}
		b.Write("d/2", "agent, "+point+"\n")
		b.end(thread)
		before := b.world()
		if turn := b.show(thread, "1"); turn.Status != "missing" {
			b.t.Errorf("%s: status %s, files %s", point, turn.Status, turn.names())
		}
		b.exits(1, "stage", "latest", "--thread", thread)
		b.exits(1, "stage", "thread", "--thread", thread)
		b.same(before)
	}

	b.turn("T", func() { b.Write("d/1", "agent\n") })
	start := b.show("T", "1").Start.Ref
	b.Remove("d")
	b.turn("none", func() {}) // the empty tree, as a snapshot
	b.sh("git checkout -q .")
	b.Git("update-ref", start, b.show("none", "1").Start.Ref)
	before := b.world()
	for _, scope := range []string{"latest", "1", "thread", "0..1"} {
		if s := b.exits(1, "stage", scope, "--thread", "T"); !strings.Contains(s.stderr, start) {
			b.t.Errorf("%s: %s", scope, s.stderr)
		}
	}
	b.same(before)
}

// caseCleanupOfWorkTree: overturn never removes a user's work tree; all that it
// cleans up in a linked one is its own.
func caseCleanupOfWorkTree(b *book) {
	b.Write(".gitignore", ".env\n*.db\n")
	b.Write("a", "a\n")
	b.Commit("base")
	linked := bookOf(b.t, b.Worktree("linked"))
	linked.Write(".env", "KEY=1\n")
	linked.Write("data/local.db", "rows\n")
	linked.turn("T", func() { linked.Write("a", "agent\n") })
	before := linked.world()
	linked.rollback("latest")
	linked.undo()
	linked.stage("latest")
	linked.ok("unstage")
	linked.ok("disable")
	linked.ok("recover")
	b.ok("status")
	b.ok("disable")
	linked.same(before, "a")
	linked.reads(".env", "KEY=1\n")
	linked.reads("a", "agent\n")
}

// caseNoLibraryWrites: nothing of the library writes a work tree. The packages of
// go-git that can (its root package has Worktree, Reset, Clean and Checkout) are
// imported nowhere; carry holds an untracked file beside every rollback.
func caseNoLibraryWrites(b *book) {
	b.sources(func(name string, file *ast.File) {
		for _, imp := range file.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				b.t.Fatal(err)
			}
			of, inside := strings.CutPrefix(path, "github.com/go-git/go-git/v5")
			if inside && !strings.HasPrefix(of, "/plumbing") || strings.HasPrefix(path, "github.com/go-git/go-billy") {
				b.t.Errorf("%s imports %s", name, path)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "PlainOpen", "PlainOpenWithOptions", "CheckoutOptions", "ResetOptions", "CleanOptions":
					b.t.Errorf("%s uses %s", name, sel.Sel.Name)
				}
			}
			return true
		})
	})
}

// sources parses each file of the product.
func (b *book) sources(look func(name string, file *ast.File)) {
	b.t.Helper()
	root := filepath.Join("..", "..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		seen++
		look(name, file)
		return nil
	})
	if err != nil || seen < 100 {
		b.t.Fatalf("%d files read: %v", seen, err)
	}
}

// caseIdleReview: a review that is open on a dirty repository writes nothing. The
// clock is only what times of day are shown by, so an hour is no more than the
// seconds here: no part of the screen wakes up by itself, which the sources show.
func caseIdleReview(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("a", "agent\n") })
	b.Write("staged", "staged\n")
	b.Git("add", "staged")
	b.Write("staged", "and changed\n")
	b.Write("late", "untracked\n")
	b.ok("stage", "latest")
	before := b.world()
	s := b.screen()
	if err := s.Wait("a", 20*time.Second); err != nil {
		b.t.Fatal(err)
	}
	time.Sleep(time.Second)
	b.Write("late", "untracked, and the screen is told of it\n")
	time.Sleep(500 * time.Millisecond)
	b.same(before, "late")
	b.leave(s)
	b.same(before, "late")
	b.sources(func(name string, file *ast.File) {
		if !strings.Contains(filepath.ToSlash(name), "/ui/") || strings.HasSuffix(name, "hook.go") || strings.HasSuffix(name, "agentrun.go") {
			return // a hook, and a program that is asked, have no screen, and end by a deadline
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				of, _ := sel.X.(*ast.Ident)
				switch sel.Sel.Name {
				case "NewTicker", "Every", "AfterFunc":
					if of != nil && (of.Name == "time" || of.Name == "tea") {
						b.t.Errorf("%s wakes up by itself: %s", name, sel.Sel.Name)
					}
				}
			}
			return true
		})
	})
}
