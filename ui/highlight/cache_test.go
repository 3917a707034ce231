package highlight

import (
	"fmt"
	"testing"

	"overturn/ui/view"
)

// The newest colours are kept, one of them however large; what was looked at is new.
func TestCacheForgetsTheOldest(t *testing.T) {
	c := newCache()
	half := view.Colours{New: view.Coloured{Runs: make([]view.Run, cacheLimit/4), Ends: make([]uint32, cacheLimit/4)}}
	kept := func(keys ...string) {
		t.Helper()
		var got []string
		for _, e := range c.list {
			got = append(got, e.key)
		}
		if fmt.Sprint(got) != fmt.Sprint(keys) {
			t.Errorf("kept %v, want %v", got, keys)
		}
	}
	c.put("", half)
	kept()
	c.put("a", half)
	c.put("b", half)
	kept("a", "b")
	c.put("b", half)
	kept("a", "b")
	if _, ok := c.get("a"); !ok {
		t.Errorf("a is not known")
	}
	c.put("c", half)
	kept("a", "c")
	c.put("d", view.Colours{New: view.Coloured{Runs: make([]view.Run, cacheLimit+1)}})
	kept("d")
	if _, ok := c.get("a"); ok {
		t.Errorf("a is still known")
	}
}
