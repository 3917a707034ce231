package ui_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestComplaints: what users of other reviews complain about most (56 of it, collected
// from their trackers) has a test here that it does not come up again: the table names
// one for each, and each that it names is there.
func TestComplaints(t *testing.T) {
	raw, err := os.ReadFile("testdata/complaints.json")
	if err != nil {
		t.Fatal(err)
	}
	var table map[string]struct {
		Complaint string
		Tests     []string
	}
	if err := json.Unmarshal(raw, &table); err != nil {
		t.Fatal(err)
	}
	const all = 56
	if len(table) != all {
		t.Errorf("the table has %d rows, not %d", len(table), all)
	}
	texts := map[string]string{}
	for n := 1; n <= all; n++ {
		row := table[fmt.Sprintf("%02d", n)]
		if row.Complaint == "" || len(row.Tests) == 0 {
			t.Errorf("complaint %d has no test", n)
		}
		for _, name := range row.Tests {
			if !isTest(t, texts, name) {
				t.Errorf("complaint %d, %s: there is no test %s", n, row.Complaint, name)
			}
		}
	}
}

// isTest tells whether "folder.TestName", or "folder.TestName/case", is a test of the
// module. texts keeps the tests of each folder.
func isTest(t *testing.T, texts map[string]string, name string) bool {
	t.Helper()
	at := strings.LastIndexByte(name, '.')
	folder, test := name[:max(at, 0)], name[at+1:]
	test, sub, _ := strings.Cut(test, "/")
	if _, read := texts[folder]; !read {
		files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts[folder] += string(data)
		}
	}
	found, err := regexp.MatchString(`(?m)^func `+regexp.QuoteMeta(test)+`\(t \*testing\.T\)`, texts[folder])
	if err != nil {
		t.Fatal(err)
	}
	return found && strings.Contains(texts[folder], `"`+sub)
}
