package files

import (
	"maps"
	"slices"

	"overturn/model"
)

// Shape is how the user wants the list: flat or as a tree, and which of its folders are
// folded, ascending.
func (p *Pane) Shape() (flat bool, folded []model.Path) {
	return p.flat, slices.Sorted(maps.Keys(p.folded))
}

// SetShape takes a shape over, before anything is shown.
func (p *Pane) SetShape(flat bool, folded []model.Path) {
	p.flat = flat
	for _, path := range folded {
		p.folded[path] = true
	}
}
