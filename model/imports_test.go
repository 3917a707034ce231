package model_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "overturn"

// floors orders the top-level rooms: a floor leans only on those below it.
var floors = map[string]int{"model": 0, "themes": 0, "gitops": 1, "review": 2, "rollback": 3, "ui": 4, ".": 5}

// fences says which rooms may import an outside library: a room or anything
// below it (trailing "/…").
var fences = map[string][]string{
	"os/exec":                                   {"gitops", "gitops/gittest", "ui/cli", "ui/cli/clitest", "ui/cli/faulttest", "ui/cli/trial"},
	"net":                                       {"review/agents/opencode"},                   // its own server on the loopback; remotes are git's
	"net/url":                                   {"gitops/remotes", "review/agents/opencode"}, // words alone
	"github.com/go-git/":                        {"gitops/objects"},
	"github.com/sergi/go-diff":                  {"review/inline"},
	"github.com/oklog/ulid":                     {"model"},
	"github.com/spf13/cobra":                    {"ui/cli"},
	"github.com/charmbracelet/bubbletea":        {"ui/…"},
	"github.com/charmbracelet/bubbles":          {"ui/…"},
	"github.com/charmbracelet/lipgloss":         {"ui/…"},
	"github.com/charmbracelet/x/":               {"ui/…"},
	"github.com/muesli/termenv":                 {"ui/…"},
	"github.com/alecthomas/chroma":              {"ui/highlight"},
	"github.com/rogpeppe/go-internal":           {},
	"github.com/creack/pty":                     {},
	"github.com/klauspost/compress":             {"gitops/objects", "gitops/snapshot"},
	"github.com/sahilm/fuzzy":                   {"ui/…"},
	"github.com/charmbracelet/bubbles/viewport": {"ui/panes/help"},
}

// TestWalls holds every import of the module against ARCHITECTURE's floors and
// fences. Test files may use testscript, ptys and the test rooms of any floor.
func TestWalls(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, file)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || rel == "docs") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") {
			return nil
		}
		files++
		checkFile(t, file, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("only %d files were looked at: the walk is broken", files)
	}
}

func checkFile(t *testing.T, file, rel string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	room, test := path.Dir(rel), strings.HasSuffix(rel, "_test.go")
	for _, spec := range parsed.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if why := forbidden(room, name, test); why != "" {
			t.Errorf("%s imports %s: %s", rel, name, why)
		}
	}
}

// forbidden says why room may not import name, or "".
func forbidden(room, name string, test bool) string {
	if name == "C" {
		return "no cgo"
	}
	if inner, ok := strings.CutPrefix(name, module+"/"); ok {
		return forbiddenInside(room, inner, test)
	}
	best := ""
	for fence := range fences {
		if strings.HasPrefix(name, fence) && len(fence) > len(best) {
			best = fence
		}
	}
	if best == "" || test || isTestRoom(room) {
		return ""
	}
	for _, allowed := range fences[best] {
		if below, ok := strings.CutSuffix(allowed, "/…"); ok && (room == below || strings.HasPrefix(room, below+"/")) || room == allowed {
			return ""
		}
	}
	return "fenced off; allowed in " + strings.Join(fences[best], ", ")
}

func forbiddenInside(room, inner string, test bool) string {
	from, to := floorOf(room), floorOf(inner)
	if isTestRoom(inner) && !test && !isTestRoom(room) {
		return "a test room is for tests"
	}
	if to > from && !test {
		return "imports lean downward only"
	}
	top := strings.SplitN(room, "/", 2)[0]
	if top == "ui" && room != "ui/cli" && !test {
		for _, engine := range []string{"rollback", "review", "gitops"} {
			if inner == engine || strings.HasPrefix(inner, engine+"/") {
				return "only ui/cli knows the engines"
			}
		}
	}
	if strings.HasPrefix(room, "ui/panes/") && strings.HasPrefix(inner, "ui/panes/") && room != inner {
		return "panes do not import panes"
	}
	return ""
}

func floorOf(room string) int {
	if floor, ok := floors[strings.SplitN(room, "/", 2)[0]]; ok {
		return floor
	}
	return -1
}

func isTestRoom(room string) bool {
	return strings.HasSuffix(path.Base(room), "test")
}
