package ui_test

import (
	"testing"

	"overturn/ui/uitest"
)

// } and { walk through the comments of all files, in the order of the list and of the
// lines, opening what hides them; at either end they say so.
func TestWalkComments(t *testing.T) {
	e := shop(many("a.txt", 3), many("b.txt", 1), many("lib/c.txt", 2))
	r := uitest.Open(t, e, 120, 40)
	r.Press("}")
	r.Want("no comment yet: c writes one")
	write := func(text string, way ...string) {
		r.Press(way...)
		r.Press("c")
		say(r, text)
		r.Want("the comment is kept")
	}
	write("on lib/c.txt, line", "<enter>", "j", "j", "j")
	write("on a.txt, hunk", ".", "]", "]")
	write("on a.txt, line", "[", "j", "j")
	r.Press("R", "<tab>", "g")
	r.Press("}")
	r.Want("◆ on lib/c.txt, line")
	r.Press("}")
	r.Want("a.txt  modified", "◆ on a.txt, line")
	r.Press("}")
	r.Want("◆ on a.txt, hunk")
	r.Press("}")
	r.Want("no comment beyond this one")
	r.Press("{")
	r.Want("◆ on a.txt, line")
	r.Press("{")
	r.Want("lib/c.txt", "◆ on lib/c.txt, line")
	r.Press("{")
	r.Want("no comment beyond this one")
}
