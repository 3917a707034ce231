package files

import (
	"overturn/model"
	"overturn/ui/scroll"
	"overturn/ui/view"
)

// Pane is the list of files. The zero value is not usable; New is.
type Pane struct {
	cmp    *view.Comparison // nil: nothing loaded
	rows   []row
	order  []int // the files that are listed, in the order of the rows
	sums   sums
	only   bool // the agent's alone are listed
	unread bool // those that were read are not listed
	gone   gone
	win    scroll.Window
	flat   bool
	folded map[model.Path]bool
	staged map[model.Path]view.Staged
}

// New makes an empty pane that shows a tree.
func New() *Pane {
	return &Pane{folded: map[model.Path]bool{}, staged: map[model.Path]view.Staged{}}
}

// Show replaces the list; what becomes known of its files later shows too. The cursor stays on its path; where that is gone, on
// the row that took its place. Fresh puts it on the first file.
func (p *Pane) Show(cmp *view.Comparison, fresh bool) {
	at, ok := p.selected()
	p.cmp = cmp
	p.lay()
	switch {
	case fresh:
		p.win.Top, p.win.Cursor = 0, 0
		p.firstFile()
	case ok:
		p.find(at.path, at.folder)
	}
}

// Clear shows nothing.
func (p *Pane) Clear() { p.cmp, p.rows, p.order = nil, nil, nil; p.win.Len = 0 }

func (p *Pane) lay() {
	p.rows, p.order = nil, nil
	if p.cmp != nil {
		var keep func(view.File) bool
		if p.only || p.unread {
			keep = p.listed
		}
		p.rows, p.order = layout(p.cmp, !p.flat, p.folded, keep)
		p.sums = sumUp(p.cmp, p.order)
	}
	p.win.Resize(len(p.rows), p.win.Height)
}

func (p *Pane) firstFile() {
	for i, r := range p.rows {
		if r.file >= 0 {
			p.win.To(i)
			return
		}
	}
}

// Find puts the cursor on the row of a path, where the list shows it, and tells whether
// it does.
func (p *Pane) Find(path model.Path, folder bool) bool { return p.find(path, folder) }

func (p *Pane) find(path model.Path, folder bool) bool {
	for i, r := range p.rows {
		if r.path == path && r.folder == folder {
			if i != p.win.Cursor {
				p.win.Place(i, p.win.Cursor-p.win.Top)
			}
			return true
		}
	}
	return false
}

func (p *Pane) selected() (row, bool) {
	if p.win.Cursor < 0 || p.win.Cursor >= len(p.rows) {
		return row{}, false
	}
	return p.rows[p.win.Cursor], true
}

// File is the index of the file under the cursor, -1 when it is not a file.
func (p *Pane) File() int {
	r, ok := p.selected()
	if !ok {
		return -1
	}
	return r.file
}

// Selection is what the cursor is on: a path, and the files that it stands for;
// one that was renamed stands for both its names.
func (p *Pane) Selection() (path model.Path, folder bool, files []model.Path) {
	r, ok := p.selected()
	if !ok || r.noted >= 0 {
		return "", false, nil
	}
	if !r.folder {
		return r.path, false, p.cmp.Files[r.file].Names()
	}
	for _, i := range p.order[r.from : r.from+r.count] {
		files = append(files, p.cmp.Files[i].Names()...)
	}
	return r.path, true, files
}

// Select puts the cursor on a file, unfolding what hides it.
func (p *Pane) Select(index int) {
	if p.cmp == nil || index < 0 || index >= len(p.cmp.Files) {
		return
	}
	path := p.cmp.Files[index].Path
	for folder := range p.folded {
		if path.Under(folder) && p.folded[folder] {
			delete(p.folded, folder)
		}
	}
	p.lay()
	for i, r := range p.rows {
		if r.file == index {
			p.win.To(i)
		}
	}
}

// NextFile moves to the next file (or the one before) and tells whether there
// was one.
func (p *Pane) NextFile(d int) bool {
	for i := p.win.Cursor + d; i >= 0 && i < len(p.rows); i += d {
		if p.rows[i].file >= 0 {
			p.win.To(i)
			return true
		}
	}
	return false
}

// Beside is the file that NextFile would go to, -1 when there is none.
func (p *Pane) Beside(d int) int {
	for i := p.win.Cursor + d; i >= 0 && i < len(p.rows); i += d {
		if p.rows[i].file >= 0 {
			return p.rows[i].file
		}
	}
	return -1
}

// Position is the place of the file under the cursor among the files that are listed, from 1.
func (p *Pane) Position() (at, of int) {
	r, ok := p.selected()
	if p.cmp == nil || !ok {
		return 0, 0
	}
	return r.place, len(p.order)
}

// Move moves the cursor by n rows.
func (p *Pane) Move(n int) { p.win.Move(n) }

// To moves the cursor to row i; a negative row counts from the end.
func (p *Pane) To(i int) {
	if i < 0 {
		i += len(p.rows)
	}
	p.win.To(i)
}

// Page moves by halves of the window.
func (p *Pane) Page(halves int) { p.win.Page(halves) }

// Scroll moves the window by n rows.
func (p *Pane) Scroll(n int) { p.win.Scroll(n) }

// Click puts the cursor on the row at screen row y and tells whether one is there.
func (p *Pane) Click(y int) bool {
	if i := p.win.Top + y; y >= 0 && y < p.win.Height && i < len(p.rows) {
		p.win.Cursor = i
		return true
	}
	return false
}

// Fold folds (or unfolds) the folder under the cursor, or the one that the file
// stands in; it tells whether there is one.
func (p *Pane) Fold(fold bool) bool {
	r, ok := p.selected()
	if !ok || p.flat || r.noted >= 0 {
		return false
	}
	i := p.win.Cursor
	if !r.folder || fold && r.folded {
		if !fold {
			return false
		}
		for i--; i >= 0 && !(p.rows[i].folder && p.rows[i].depth < r.depth); i-- {
		}
		if i < 0 {
			return false
		}
		p.win.To(i)
		return true
	}
	p.setFold(p.rows[i].path, fold)
	return true
}

// Toggle folds or unfolds the folder under the cursor; false when it is not one.
func (p *Pane) Toggle() bool {
	r, ok := p.selected()
	if !ok || !r.folder {
		return false
	}
	p.setFold(r.path, !r.folded)
	return true
}

func (p *Pane) setFold(path model.Path, fold bool) {
	if fold {
		p.folded[path] = true
	} else {
		delete(p.folded, path)
	}
	p.lay()
	p.find(path, true)
}

// ToggleTree changes between tree and list.
func (p *Pane) ToggleTree() string {
	at, ok := p.selected()
	p.flat = !p.flat
	p.lay()
	if ok {
		p.find(at.path, at.folder)
	}
	if p.flat {
		return "files as a list"
	}
	return "files as a tree"
}

// SetStaged tells what is staged.
func (p *Pane) SetStaged(list []view.Staged) {
	p.staged = map[model.Path]view.Staged{}
	for _, s := range list {
		p.staged[s.Path] = s
	}
}

// Window lists the files that are on the screen, by index.
func (p *Pane) Window() []int {
	var list []int
	for i := p.win.Top; i < min(p.win.Top+max(p.win.Height, 1), len(p.rows)); i++ {
		if f := p.rows[i].file; f >= 0 {
			list = append(list, f)
		}
	}
	return list
}
