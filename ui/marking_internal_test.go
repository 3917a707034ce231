package ui

import (
	"testing"

	"overturn/model"
	"overturn/ui/view"
)

// A mark that is being written is laid over the contents that it is of, and over no
// others: what came since was not read.
func TestAMarkIsLaidOverItsOwnContents(t *testing.T) {
	doc := func(key string) *view.Document {
		d := &view.Document{Hunks: make([]view.Hunk, 2)}
		d.File.Path, d.File.Key = "a", key
		d.Hunks[0].Number, d.Hunks[1].Number = 1, 2
		return d
	}
	for _, c := range []struct {
		name  string
		path  model.Path
		key   string
		hunks []int
		want  [2]bool
	}{
		{"its own", "a", "k", []int{2}, [2]bool{false, true}},
		{"all of its own", "a", "k", nil, [2]bool{true, true}},
		{"contents that came since", "a", "other", []int{2}, [2]bool{}},
		{"all of what came since", "a", "other", nil, [2]bool{}},
		{"another file of the same contents", "b", "k", nil, [2]bool{}},
	} {
		w, d := marking{path: c.path, key: c.key, hunks: c.hunks, read: true}, doc("k")
		w.lay(d)
		if got := [2]bool{d.Hunks[0].Read, d.Hunks[1].Read}; got != c.want || d.Read != (c.want[0] && c.want[1]) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
