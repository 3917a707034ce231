package casebook_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// casebookIDs are the cases that the table must have, by group.
func casebookIDs() map[string]string {
	return map[string]string{
		"A": "01 02 04 06 10 11 13 14 15 16",
		"B": "01 02 04 05 07 08 10 11 15 16 17",
		"D": "01 02 04 05 08 09 10 11",
		"E": "01 02 03 05 07 08 09 12 13",
		"L": "01 02 05 07 08 09 10 11 12 14",
		"F": "01 02 03 04 06 08 10 11 13",
		"G": "01 02 04 06 07 09 11 12",
		"C": "01 02 03 04 05 06 08 09 12 13",
		"J": "01 02 04 06 07 09 10 13 14 15",
		"K": "01 02 04 06 07",
		"M": "01 02 05 06 08 09 11",
		"H": "01 02 03 04 09 10 11 12 13 14 15 17 18",
		"N": "01 02 03 04 06 07 08 10 12 14 16",
		"O": "01 03 04 05 06 08 11 13",
		"P": "01 02 05 07 08 09 11",
		"I": "01 03 05 07 08 10",
		"Q": "01 02 03 05 06 08 09 12 13 15",
		"R": "01 02 04 06 08 09",
		"S": "01 03 04",
	}
}

// TestCasebookTable: each case of the book has a test of its name, and each test
// that the table names is there.
func TestCasebookTable(t *testing.T) {
	raw, err := os.ReadFile("testdata/casebook.json")
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]string
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	for group, numbers := range casebookIDs() {
		for _, n := range strings.Fields(numbers) {
			if table[group+"-"+n] == "" {
				t.Errorf("%s-%s has no test", group, n)
			}
		}
	}
	written := testsWithCases(t)
	for id, name := range table {
		test, sub, _ := strings.Cut(name, "/")
		if sub != id || !written[test][id] {
			t.Errorf("%s: there is no test %s", id, name)
		}
	}
}

// testsWithCases is, for each test function of this folder and of those beside it that
// play cases, the texts in it: a case is one of them.
func testsWithCases(t *testing.T) map[string]map[string]bool {
	files, err := filepath.Glob("../*/casebook_*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") {
				tests[f.Name.Name] = texts(f)
			}
		}
	}
	return tests
}

func texts(f *ast.FuncDecl) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				found[s] = true
			}
		}
		return true
	})
	return found
}
