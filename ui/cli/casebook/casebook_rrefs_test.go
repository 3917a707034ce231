package casebook_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// caseRefsAreNoFiles is a static check, as the git here knows no other backend: the
// files of refs are looked at in gitops and gitops/refs alone, in functions that ask
// for the backend first or are only called after that. gitops/refs's tests go
// through git for everything (TestOtherBackend).
func caseRefsAreNoFiles(b *book) {
	allowed := map[string]string{
		"gitops/packedkept.go":        "read where RefStorage is files; held below",
		"gitops/find.go":              "tells a bare repository as git does",
		"gitops/snapshot/leftout.go":  "the HEAD of a nested repository, which is shown and never restored",
		"gitops/snapshot/nested.go":   "tells a nested repository as git does",
		"rollback/doctor/refs.go":     "the name of a check",
		"rollback/doctor/place.go":    "looks for a lock that was left",
		"rollback/journal/entry.go":   "the name of a step",
		"gitops/checkpoint/policy.go": "the name of a family of formats",
		"gitops/remotes/outbox.go":    "makes a git directory of its own for a push, with refs in files",
	}
	met, direct := map[string]bool{}, map[string]bool{}
	b.sources(func(name string, file *ast.File) {
		rel, err := filepath.Rel(filepath.Join("..", "..", ".."), name)
		if err != nil {
			b.t.Fatal(err)
		}
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, "gitops/gittest/") || strings.HasPrefix(rel, "ui/cli/trial/") || strings.HasPrefix(rel, "docs/") {
			return // they look at repositories of their own making from outside
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				if text == "refs" || text == "packed-refs" || strings.HasPrefix(text, "packed-refs.") || strings.HasPrefix(text, ".git/refs") || strings.HasPrefix(text, "/refs/") {
					met[rel] = true
				}
			}
			if sel, ok := n.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "ResolveRef", "PackedRefsData", "LookupPacked", "PackedRefs", "PackedBelow", "PackedParts":
					direct[rel] = true
				}
			}
			return true
		})
	})
	for name := range met {
		if allowed[name] == "" {
			b.t.Errorf("%s looks at the files of refs", name)
		}
	}
	for name := range allowed {
		if !met[name] {
			b.t.Errorf("%s no longer looks at the files of refs; take it off the list", name)
		}
	}
	for name := range direct {
		if dir := filepath.ToSlash(filepath.Dir(name)); dir != "gitops" && dir != "gitops/refs" {
			b.t.Errorf("%s reads refs past gitops/refs", name)
		}
	}
}

// caseNoLibraryStatus: of the library only the plumbing below objects is linked, so
// that nothing can ask its Status. Linked work trees, inside the work tree too, show
// what was changed in them and nothing else.
func caseNoLibraryStatus(b *book) {
	b.sources(func(name string, file *ast.File) {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if below, ok := strings.CutPrefix(path, "github.com/go-git/go-git/v5"); ok && !strings.HasPrefix(below, "/plumbing/") {
				b.t.Errorf("%s imports %s", name, path)
			}
		}
	})
	b.threeFiles()
	b.Git("worktree", "add", "-q", "-b", "inner", b.Path("d/inner"))
	for _, place := range []string{"", "d/inner", "../outer"} {
		c := b
		if place == "../outer" {
			c = bookOf(b.t, b.Worktree("outer"))
		} else if place != "" {
			c = bookOf(b.t, b.At(b.Path(place)))
		}
		if out := c.ok("diff", "working", "--name-status"); strings.TrimSpace(out) != "" {
			b.t.Errorf("%q shows %q", place, out)
		}
		c.wholeCycle()
		c.sh("rm 'of the user'")
	}
}

// caseShallow: a clone whose history ends early has all views, also where a
// comparison would have to go beyond.
func caseShallow(b *book) {
	b.threeFiles()
	b.sh("git checkout -q -b old; echo old > a; git commit -qam old; git checkout -q main; for i in 1 2 3; do echo $i > a; git commit -qam $i; done")
	b.sh("git clone -q --depth 1 --no-single-branch file://$PWD ../shallow; git clone -q --filter=blob:none file://$PWD ../partial 2> /dev/null || true")
	for _, name := range []string{"shallow", "partial"} {
		c := bookOf(b.t, b.At(b.Path("../"+name)))
		c.wholeCycle()
		c.everyView()
		c.ok("diff", "branch=origin/main")
		if s := c.overturn("diff", "branch=origin/old"); s.code == 0 && name == "shallow" || s.code != 0 && strings.TrimSpace(s.stderr) == "" || strings.Contains(s.stderr, "panic") {
			b.t.Errorf("%s against a branch with no base in reach: %+v", name, s)
		}
	}
}
