package files

import (
	"sort"
	"strings"

	"overturn/model"
	"overturn/ui/view"
)

// row is a folder, a file, or a path that was left out.
type row struct {
	file   int // index in the comparison, -1 for others
	noted  int // index in LeftOut, -1 for others
	path   model.Path
	name   string // what is shown: relative to the folder that it stands in
	depth  int
	folder bool
	folded bool
	count  int // files below a folder
	from   int // a folder's files are order[from:from+count]
	place  int // files up to this row
}

// layout lists the rows, and the files in their order: those that keep tells, all
// where it is nil. With tree, folders that hold nothing but one folder are joined with
// it.
func layout(cmp *view.Comparison, tree bool, folded map[model.Path]bool, keep func(view.File) bool) (rows []row, order []int) {
	rows, order = make([]row, 0, len(cmp.Files)+8), make([]int, 0, len(cmp.Files))
	for i := range cmp.Files {
		if keep == nil || keep(cmp.Files[i]) {
			order = append(order, i)
		}
	}
	if !tree {
		for _, i := range order {
			rows = append(rows, row{file: i, noted: -1, path: cmp.Files[i].Path, name: string(cmp.Files[i].Path)})
		}
	} else {
		sort.SliceStable(order, func(a, b int) bool {
			return before(string(cmp.Files[order[a]].Path), string(cmp.Files[order[b]].Path))
		})
		t := treeBuilder{cmp: cmp, folded: folded, rows: rows}
		t.folder(order, 0, "", 0)
		rows = t.rows
	}
	for i, n := range cmp.LeftOut {
		if keep != nil { // nobody is known to have made it
			break
		}
		rows = append(rows, row{file: -1, noted: i, path: n.Path, name: string(n.Path)})
	}
	place := 0
	for i := range rows {
		if rows[i].file >= 0 {
			place++
		}
		rows[i].place = place
	}
	return rows, order
}

// before orders paths so that a folder's files stand together.
func before(a, b string) bool {
	for {
		i, j := strings.IndexByte(a, '/'), strings.IndexByte(b, '/')
		if i < 0 || j < 0 {
			if (i < 0) != (j < 0) {
				return j < 0 // folders first
			}
			return a < b
		}
		if a[:i] != b[:j] {
			return a[:i] < b[:j]
		}
		a, b = a[i+1:], b[j+1:]
	}
}

type treeBuilder struct {
	cmp    *view.Comparison
	folded map[model.Path]bool
	rows   []row
}

// folder lists the files (indexes, in order, the first at place base of it) below prefix.
func (t *treeBuilder) folder(files []int, base int, prefix string, depth int) {
	for i := 0; i < len(files); {
		path := string(t.cmp.Files[files[i]].Path)
		slash := strings.IndexByte(path[len(prefix):], '/')
		if slash < 0 {
			t.rows = append(t.rows, row{file: files[i], noted: -1, path: model.Path(path), name: path[len(prefix):], depth: depth})
			i++
			continue
		}
		end, dir := i, path[:len(prefix)+slash+1]
		for end < len(files) && strings.HasPrefix(string(t.cmp.Files[files[end]].Path), dir) {
			end++
		}
		dir = t.join(files[i:end], dir)
		key := model.Path(strings.TrimSuffix(dir, "/"))
		t.rows = append(t.rows, row{file: -1, noted: -1, path: key, name: dir[len(prefix):], depth: depth, folder: true, folded: t.folded[key], count: end - i, from: base + i})
		if !t.folded[key] {
			t.folder(files[i:end], base+i, dir, depth+1)
		}
		i = end
	}
}

// join makes dir longer while all files lie in one folder of it.
func (t *treeBuilder) join(files []int, dir string) string {
	for {
		first := string(t.cmp.Files[files[0]].Path)
		slash := strings.IndexByte(first[len(dir):], '/')
		if slash < 0 {
			return dir
		}
		longer := first[:len(dir)+slash+1]
		for _, f := range files {
			if !strings.HasPrefix(string(t.cmp.Files[f].Path), longer) {
				return dir
			}
		}
		dir = longer
	}
}
