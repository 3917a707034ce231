package review_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review"
)

func (f *fixture) renamed(cs *review.ChangeSet) string {
	f.t.Helper()
	files, err := f.review.Renames(f.t.Context(), cs)
	f.must(err)
	var list []string
	for _, file := range files {
		row := fmt.Sprintf("%s %s", file.Change, file.Path)
		if file.OldPath != "" {
			row += " < " + string(file.OldPath)
		}
		list = append(list, row)
	}
	return strings.Join(list, "\n")
}

// scored is renamed with how alike the two sides are.
func (f *fixture) scored(cs *review.ChangeSet) string {
	f.t.Helper()
	files, err := f.review.Renames(f.t.Context(), cs)
	if err != nil {
		f.t.Fatal(err)
	}
	list := strings.Split(f.renamed(cs), "\n")
	for i, file := range files {
		if file.OldPath != "" {
			list[i] += fmt.Sprintf(" %d%%", file.Similarity)
		}
	}
	return strings.Join(list, "\n")
}

func TestRenames(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("dir/same.txt", lines(1, 20))
	f.Write("dir/edited.txt", lines(100, 160))
	f.Write("dir/other.txt", lines(200, 220))
	f.Write("empty", "")
	f.Write("bin", "\x00"+lines(300, 400))
	f.Commit("first")
	f.turn("t", func() {
		f.Remove("dir")
		f.Write("moved/same.txt", lines(1, 20))
		f.Write("moved/renamed.txt", strings.Replace(lines(100, 160), "line 120\n", "edited\n", 1))
		f.Write("moved/unlike.txt", lines(500, 520))
		f.Remove("empty")
		f.Write("empty-too", "")
		f.Remove("bin")
		f.Write("bin2", "\x00"+lines(300, 401))
	})
	cs := f.compare("1")
	exact := f.paths(cs)
	equal(t, "view", f.renamed(cs), "renamed bin2 < bin\ndeleted dir/other.txt\nrenamed empty-too < empty\n"+
		"renamed moved/renamed.txt < dir/edited.txt\nrenamed moved/same.txt < dir/same.txt\nadded moved/unlike.txt")
	equal(t, "the list stays exact", f.paths(cs), exact)
	equal(t, "as git pairs them", f.scored(cs), f.gitRenames("1"))
}

// gitRenames is the same list by git, in the order of new names.
func (f *fixture) gitRenames(scope string) string {
	f.t.Helper()
	cs := f.compare(scope)
	out := f.Git("diff-tree", "-r", "-M", "-z", "--name-status", cs.Base.Tree, cs.Target.Tree)
	parts := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	words := map[byte]string{'A': "added", 'D': "deleted", 'M': "modified", 'R': "renamed"}
	var list []string
	for i := 0; i < len(parts); i += 2 {
		row := words[parts[i][0]] + " " + parts[i+1]
		if parts[i][0] == 'R' {
			score, _ := strconv.Atoi(parts[i][1:])
			row = fmt.Sprintf("renamed %s < %s %d%%", parts[i+2], parts[i+1], score)
			i++
		}
		list = append(list, row)
	}
	return strings.Join(list, "\n")
}

// TestRenameOwners: a row of two paths has the owners of both.
func TestRenameOwners(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("old", lines(1, 30))
	f.Commit("first")
	f.turn("t", func() { f.Remove("old"); f.Write("new", strings.Replace(lines(1, 30), "line 3\n", "three\n", 1)) })
	cs := f.compare("1")
	files, err := f.review.Renames(t.Context(), cs)
	f.must(err)
	o, err := f.review.Owners(t.Context(), cs, files[0])
	f.must(err)
	if len(files) != 1 || files[0].Change != model.Renamed || o.Owner != model.OwnerAgent || len(o.Hunks) != 1 {
		t.Errorf("%+v %+v", files[0], o)
	}
	n, err := f.review.Counts(t.Context(), cs, files[0])
	f.must(err)
	if n != (review.Counts{Additions: 1, Deletions: 1}) {
		t.Errorf("counts %+v", n)
	}
}

// TestMovedFolder pairs a whole folder by content, also far beyond the limit of
// the search for similar files.
func TestMovedFolder(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	const n = 1200
	for i := range n {
		f.Write(fmt.Sprintf("from/%04d", i), fmt.Sprintf("content of %d\n", i))
	}
	f.Commit("first")
	f.turn("t", func() { f.Git("mv", "from", "to") })
	cs := f.compare("1")
	files, err := f.review.Renames(t.Context(), cs)
	f.must(err)
	if len(cs.Files) != 2*n || len(files) != n || files[7].OldPath != "from/0007" {
		t.Fatalf("%d exact rows, %d in the view", len(cs.Files), len(files))
	}
}
