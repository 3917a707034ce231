package durable_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

// TestEveryChangeHasAPoint reads the program's source and holds that beside every
// call that changes what is on the disk, between it and the next one, the process
// can be killed; or that the call is named in needsNone, with the reason.
func TestEveryChangeHasAPoint(t *testing.T) {
	s := newSource(t)
	for _, room := range []string{"model", "gitops", "review", "rollback", "ui/cli"} {
		s.rooms(room)
	}
	if s.changes < 60 || s.points < 60 {
		t.Errorf("only %d changes and %d points were found", s.changes, s.points)
	}
	excused := needsNone()
	var bare []string
	for _, at := range s.bare {
		if excused[at] == "" {
			bare = append(bare, at)
		}
	}
	sort.Strings(bare)
	for _, at := range slices.Compact(bare) {
		t.Errorf("no fail point beside %s", at)
	}
	for at := range excused {
		if !slices.Contains(s.bare, at) {
			t.Errorf("%s is named as needing no point, and there is no such call without one", at)
		}
	}
	t.Logf("%d changes, %d points, %d need none", s.changes, s.points, len(excused))
}

// source is the module, with as much of its types as tells files from buffers.
type source struct {
	t               *testing.T
	root            string
	fset            *token.FileSet
	std             types.Importer
	done            map[string]*types.Package
	changes, points int
	bare            []string
}

func newSource(t *testing.T) *source {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CGO_ENABLED", "0")
	fset := token.NewFileSet()
	return &source{t: t, root: root, fset: fset, std: importer.ForCompiler(fset, "source", nil), done: map[string]*types.Package{}}
}

// Import types what is outside the module only where files may come from there.
func (s *source) Import(path string) (*types.Package, error) {
	if s.done[path] == nil {
		switch {
		case path == "os" || path == "io" || path == "io/fs":
			p, err := s.std.Import(path)
			if err != nil {
				return nil, err
			}
			s.done[path] = p
		case strings.HasPrefix(path, "overturn/"):
			s.done[path], _, _ = s.check(strings.TrimPrefix(path, "overturn/"))
		default:
			s.done[path] = types.NewPackage(path, filepath.Base(path))
			s.done[path].MarkComplete()
		}
	}
	return s.done[path], nil
}

// check types one room as far as it can be.
func (s *source) check(room string) (*types.Package, []*ast.File, *types.Info) {
	names, err := filepath.Glob(filepath.Join(s.root, room, "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_darwin.go") || strings.HasSuffix(name, "_windows.go") || strings.HasSuffix(name, "_other.go") {
			continue
		}
		file, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: s, Error: func(error) {}}
	p, _ := config.Check("overturn/"+room, s.fset, files, info)
	return p, files, info
}

// rooms looks at a room and those in it; those for tests alone change nothing of
// the user's, and neither do the trial's and the demo's disposable repositories.
func (s *source) rooms(room string) {
	err := filepath.WalkDir(filepath.Join(s.root, room), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); strings.HasSuffix(name, "test") || name == "testdata" || name == "trial" {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(s.root, path)
		if err != nil {
			return err
		}
		_, files, info := s.check(filepath.ToSlash(rel))
		for _, file := range files {
			s.look(file, info)
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *source) look(file *ast.File, info *types.Info) {
	name, _ := filepath.Rel(s.root, s.fset.Position(file.Pos()).Filename)
	if strings.HasPrefix(filepath.Base(name), "demo") {
		return
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			s.function(filepath.ToSlash(name)+" "+f.Name.Name, f, info)
		}
	}
}

// function lists changes and points in the order in which they are written.
func (s *source) function(name string, f *ast.FuncDecl, info *types.Info) {
	type call struct {
		what  string
		point bool
	}
	var calls []call
	ast.Inspect(f.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		what := s.text(c.Fun)
		switch {
		case what == "durable.Point" || what == "Point":
			s.points++
			calls = append(calls, call{what, true})
		case s.changesDisk(c, info):
			s.changes++
			calls = append(calls, call{what, false})
		}
		return true
	})
	for i, c := range calls {
		if !c.point && !(i > 0 && calls[i-1].point) && !(i+1 < len(calls) && calls[i+1].point) {
			s.bare = append(s.bare, name+" "+c.what)
		}
	}
}

func (s *source) changesDisk(c *ast.CallExpr, info *types.Info) bool {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if t := info.Types[sel.X].Type; t != nil && t.String() == "*os.File" {
		return slices.Contains([]string{"Write", "WriteAt", "WriteString", "ReadFrom", "Sync", "Truncate", "Chmod", "Chown"}, sel.Sel.Name)
	}
	args := ""
	for _, a := range c.Args {
		args += s.text(a) + " "
	}
	switch s.text(sel) {
	case "os.OpenFile", "unix.Openat":
		return strings.Contains(args, "O_CREAT") || strings.Contains(args, "O_TRUNC")
	case "os.Rename", "os.Remove", "os.RemoveAll", "os.WriteFile", "os.Create", "os.CreateTemp", "os.Mkdir", "os.MkdirAll", "os.MkdirTemp",
		"os.Symlink", "os.Link", "os.Chmod", "os.Chtimes", "os.Truncate", "os.Chown", "os.Lchown", "os.CopyFS",
		"unix.Renameat", "unix.Renameat2", "unix.Unlinkat", "unix.Mkdirat", "unix.Symlinkat", "unix.Linkat", "unix.Fchmod", "unix.Fsync", "unix.Syncfs",
		"unix.Rename", "unix.Unlink", "unix.Ftruncate", "unix.Pwrite", "unix.Write":
		return true
	}
	return false
}

func (s *source) text(n ast.Node) string {
	file := s.fset.Position(n.Pos()).Filename
	data, err := os.ReadFile(file)
	if err != nil {
		s.t.Fatal(fmt.Errorf("%s: %w", file, err))
	}
	return string(data[s.fset.Position(n.Pos()).Offset:s.fset.Position(n.End()).Offset])
}

// needsNone names changes that no point stands beside, and why none has to.
func needsNone() map[string]string {
	const (
		failed = "tidies up after a call that failed; a kill there is one before the next call"
		test   = "only tests switch it on"
		probe  = "makes an empty file and removes it, to see whether one can write"
	)
	return map[string]string{
		"gitops/command.go logArguments f.Write":            test,
		"gitops/command.go logArguments os.OpenFile":        test,
		"model/durable/point.go note f.WriteString":         test,
		"model/durable/point.go note os.OpenFile":           test,
		"model/durable/point.go waitFor os.WriteFile":       test,
		"gitops/refs/apply.go takeBack os.Remove":           failed,
		"gitops/refs/lock.go markedLock os.Remove":          failed,
		"gitops/snapshot/tablefile.go saveTable os.Remove":  failed,
		"gitops/worktree/write_unix.go Write unix.Unlinkat": failed,
		"model/durable/replace.go ReplaceFile os.Remove":    failed,
		"review/ledger/inbox.go setAside os.Remove":         failed,
		"rollback/journal/store.go Begin os.Remove":         failed,
		"ui/cli/hookplace.go writeBinding os.Remove":        failed,
		"ui/cli/unprotected.go writable os.CreateTemp":      probe,
		"ui/cli/unprotected.go writable os.Remove":          probe,
	}
}
