package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestEveryCommandThatIsNamedExists holds each command line that the program prints as a
// next step, and each that the documents show, against the verbs that there are.
func TestEveryCommandThatIsNamedExists(t *testing.T) {
	root := newRoot(newApp(nil, nil, nil))
	verbs := map[string]bool{}
	for _, verb := range root.Commands() {
		verbs[verb.Name()] = true
	}
	named := append(commandsInSource(t, "../..", verbs), commandsInDocs(t, "../..")...)
	if len(named) < 200 {
		t.Fatalf("found %d commands; the search is broken", len(named))
	}
	for _, n := range named {
		if why := wrongCommand(root, n); why != "" {
			t.Errorf("%s: overturn %s: %s", n.at, strings.Join(n.words, " "), why)
		}
	}
}

// namedCommand is a command line as text names it, without the program's name.
type namedCommand struct {
	at    string
	words []string
	prose bool // other words follow
}

var (
	inTicks = regexp.MustCompile("`overturn( [^`]*)?`")
	inProse = regexp.MustCompile("(?:^|[^`/.a-z-])overturn ([a-z]+[^`:;,.()\n\"']*)")
)

// commandsIn finds the command lines of a text: those in ticks, and those that begin with
// a verb.
func commandsIn(text, at string, verbs map[string]bool) (named []namedCommand) {
	for _, m := range inTicks.FindAllStringSubmatch(text, -1) {
		named = append(named, namedCommand{at: at, words: strings.Fields(m[1])})
	}
	for _, m := range inProse.FindAllStringSubmatch(text, -1) {
		words := strings.Fields(m[1])
		if verbs[words[0]] {
			named = append(named, namedCommand{at, words, true})
		}
	}
	return named
}

// commandsInSource finds the command lines in the strings of the module, tests apart.
func commandsInSource(t *testing.T, root string, verbs map[string]bool) (named []namedCommand) {
	walk(t, root, ".go", func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			named = append(named, commandsIn(text, files.Position(lit.Pos()).String(), verbs)...)
			return true
		})
	})
	return named
}

// commandsInDocs finds the command lines of documents: indented ones, up to a comment, and
// those in ticks.
func commandsInDocs(t *testing.T, root string) (named []namedCommand) {
	walk(t, root, ".md", func(path string) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			at := path + ":" + strconv.Itoa(i+1)
			if rest, ok := strings.CutPrefix(line, "    overturn "); ok {
				rest, _, _ = strings.Cut(rest, "  ")
				named = append(named, namedCommand{at: at, words: strings.Fields(rest)})
			}
			named = append(named, commandsIn(line, at, nil)...)
		}
	})
	return named
}

func walk(t *testing.T, root, ext string, do func(path string)) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err == nil && filepath.Ext(path) == ext {
			do(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wrongCommand says what of a command line there is not, "" where all of it is.
func wrongCommand(root *cobra.Command, n namedCommand) string {
	cmd, rest, err := root.Find(n.words)
	if err != nil {
		return err.Error()
	}
	if first := append(rest, "-")[0]; !n.prose && cmd.HasSubCommands() && cmd != root && !strings.HasPrefix(first, "-") {
		for _, verb := range strings.Split(first, "|") { // as a table of documents has it
			if sub, _, err := cmd.Find([]string{verb}); err != nil || sub == cmd {
				return "there is no " + cmd.CommandPath() + " " + verb
			}
		}
		return ""
	}
	for _, word := range rest {
		if word == "--" {
			break
		}
		word = strings.Trim(word, "[],;.")
		name, long := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if long && !strings.Contains(name, "%") && name != "help" && cmd.Flag(name) == nil {
			return "there is no flag --" + name
		}
	}
	return ""
}
