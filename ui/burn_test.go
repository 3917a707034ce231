package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/ui/uitest"
)

// many is a change of n hunks, far from each other.
func many(path string, n int) uitest.Change {
	var old, now strings.Builder
	for i := range n * 20 {
		fmt.Fprintf(&old, "line %d\n", i+1)
		if i%20 == 10 {
			fmt.Fprintf(&now, "changed %d of %s\n", i/20+1, path)
		} else {
			fmt.Fprintf(&now, "line %d\n", i+1)
		}
	}
	return uitest.Change{Path: model.Path(path), Old: []byte(old.String()), New: []byte(now.String()), Owner: model.OwnerAgent}
}

// Space marks a hunk and goes on to the next that is unread, over the borders of files;
// how many are left is told all the time.
func TestSpaceReadsAndGoesOn(t *testing.T) {
	e := shop(many("a.txt", 3), many("b.txt", 1), many("c.txt", 2))
	r := uitest.Open(t, e, 120, 30)
	r.Absent("left")
	r.Press("<tab>", " ")
	r.Want("5 of 6 left", "hunk 2/3", "1/3")
	r.Press(" ", " ")
	r.Want("3 of 6 left", "✓M a.txt", "b.txt  modified", "hunk 1/1")
	r.Press(" ", " ")
	r.Want("1 of 6 left", "c.txt  modified", "hunk 2/2")
	r.Press(" ")
	r.Want("all read", "everything is read: 6 hunks")
	r.Press(" ") // once too often
	r.Want("all read")
	for path, n := range map[model.Path]int{"a.txt": 3, "b.txt": 1, "c.txt": 2} {
		for k := 1; k <= n; k++ {
			if !e.Marks[path][k] {
				t.Errorf("hunk %d of %s was not written as read: %v", k, path, e.Marks)
			}
		}
	}
	r.Press("[", " ") // on one that was read before
	r.Want("1 of 6 left", "to be read again", "hunk 1/2")
	if e.Marks["c.txt"][1] {
		t.Error("the mark was not taken back")
	}
}

// What comes after the cursor is read first, then what was passed over.
func TestReadingGoesRoundOnce(t *testing.T) {
	e := shop(many("a.txt", 2), many("b.txt", 1), many("c.txt", 1))
	r := uitest.Open(t, e, 120, 30)
	r.Press(".", ".", "<tab>", " ")
	r.Want("a.txt  modified", "hunk 1/2", "3 of 4 left")
	r.Press("]", " ")
	r.Want("b.txt  modified", "2 of 4 left")
	r.Press(" ")
	r.Want("a.txt  modified", "hunk 1/2", "1 of 4 left")
}

// F shows only what is unread: files go from the list and hunks from the text as they
// are read, and come back.
func TestOnlyUnread(t *testing.T) {
	e := shop(many("a.txt", 3), many("b.txt", 1))
	r := uitest.Open(t, e, 120, 40)
	r.Press("F")
	r.Want("only what is unread")
	r.Press("<tab>")
	r.Want("changed 1 of a.txt", "4 of 4 left")
	r.Press(" ")
	r.Want("hidden: read", "changed 2 of a.txt", "changed 3 of a.txt")
	r.Absent("changed 1 of a.txt")
	r.Press(" ", " ")
	r.Want("b.txt  modified")
	r.Absent("a.txt")
	r.Press(" ")
	r.Want("Everything here is read.", "F shows it again.")
	r.Press("F")
	r.Want("✓M a.txt", "✓M b.txt", "all read")
}

// F once more gives back what the first F took from under the cursor, unless that moved.
func TestOnlyUnreadAndBack(t *testing.T) {
	open := func() *uitest.Review {
		r := uitest.Open(t, shop(many("lib/a.txt", 1), many("lib/b.txt", 1), many("lib/c.txt", 1), many("z.txt", 1)), 120, 30)
		r.Press(".", " ") // lib/b.txt is read, and the cursor on lib/c.txt
		r.Press(",", "F")
		r.Want("c.txt  modified", "only what is unread")
		r.Absent("b.txt")
		return r
	}
	r := open()
	r.Press("F")
	r.Want("b.txt  modified")
	r = open()
	r.Press(".", "F")
	r.Want("z.txt  modified")
}

// Beside a folder there is no text: the keys of one are not offered.
func TestKeysBesideAFolder(t *testing.T) {
	r := uitest.Open(t, shop(many("lib/a.txt", 3), many("lib/b.txt", 1)), 120, 30)
	r.Press("<tab>")
	r.Want("x stage", "] hunk")
	r.Press("<tab>", "k", "<tab>")
	r.Want("lib/ · 2 files", "X stage")
	r.Absent("x stage", "] hunk")
}

// In the list Space reads the file, or all of a folder.
func TestFilesAndFoldersAreRead(t *testing.T) {
	e := shop(many("lib/a.txt", 3), many("lib/b.txt", 1), many("c.txt", 2))
	r := uitest.Open(t, e, 120, 30)
	r.Press("k", " ") // on the folder
	r.Want("2 of 6 left", "✓M a.txt", "✓M b.txt", "c.txt  modified")
	r.Press(" ")
	r.Want("all read")
	r.Press("g", " ")
	r.Want("4 of 6 left", "to be read again: 2 files")
	if e.Marks["lib/a.txt"][2] || !e.Marks["c.txt"][2] {
		t.Errorf("%v", e.Marks)
	}
}

// What changed since it was read says so, and D shows how.
func TestWhatChangedSinceItWasRead(t *testing.T) {
	e := shop(many("a.txt", 1))
	e.Since = map[model.Path][]string{"a.txt": {" -line 11", "-+changed then", "+" + "+changed 1 of a.txt"}}
	r := uitest.Open(t, e, 120, 30)
	r.Press("<tab>")
	r.Want("changed since you read it (D)")
	r.Press("D")
	r.Want("Since you read it", "no more  +changed then", "now      +changed 1 of a.txt", "as read  -line 11")
	r.Press("<esc>", " ")
	r.Want("✓ read", "all read")
	r.Press("D")
	r.Want("it is as it was read")
}

// A failing disk is told, and the screen says what holds.
func TestAMarkThatCannotBeWrittenIsNotShown(t *testing.T) {
	e := shop(many("a.txt", 2))
	e.Fail["mark"] = model.Errorf(model.CodeFailed, "the marks of what was read cannot be written")
	r := uitest.Open(t, e, 120, 30)
	r.Press("<tab>", " ")
	r.Want("the marks of what was read cannot be written")
	r.Absent("✓ read", "1 of 2 left")
}

// What Space said is written though the review ends at once, in its order.
func TestQuittingWritesWhatWasRead(t *testing.T) {
	e := shop(many("a.txt", 3))
	e.Slow = map[string]chan struct{}{"mark": make(chan struct{})}
	r := uitest.Open(t, e, 120, 30)
	r.Press("<tab>", " ", " ", " ")
	quit := make(chan struct{})
	go func() {
		defer close(quit)
		for range 3 {
			e.Slow["mark"] <- struct{}{}
		}
	}()
	r.Press("q")
	<-quit
	// The last mark counts as blocked for a moment after it was let go.
	for end := time.Now().Add(10 * time.Second); !r.Quit && time.Now().Before(end); {
		r.Drain()
	}
	if !r.Quit {
		t.Error("the review goes on")
	}
	if m := e.Marks["a.txt"]; !m[1] || !m[2] || !m[3] {
		t.Errorf("%v", m)
	}
}

// Without white space other hunks are to be read: the count follows.
func TestWhitespaceIsCountedAsItIsShown(t *testing.T) {
	c := many("a.txt", 2)
	c.New = []byte(strings.Replace(string(c.New), "line 31\n", "  line 31\n", 1))
	c.Old = []byte(strings.Replace(string(c.Old), "line 31\n", "line 31\n", 1))
	c.New = []byte(strings.Replace(string(c.New), "changed 2 of a.txt\n", "  line 31\n", 1))
	e := shop(c)
	r := uitest.Open(t, e, 120, 30)
	r.Press("<tab>", " ")
	r.Want("all read")
	r.Press("W")
	r.Want("1 of 2 left")
	r.Press("]", " ")
	r.Want("all read")
	if !slices.Equal(keysOf(e.Marks["a.txt"]), []int{1, 2}) {
		t.Errorf("%v", e.Marks)
	}
}

func keysOf(m map[int]bool) []int {
	var list []int
	for k, on := range m {
		if on {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	return list
}

// What is left is told whole at every width: shorter where the list is narrow, at last
// in the place of the lines that changed.
func TestLeftIsNeverCut(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{{120, "3 files  +6 −6 · 5 of 6 left"}, {80, "3 files  +6 −6 · 5 left"}} {
		r := uitest.Open(t, shop(many("a.txt", 3), many("b.txt", 1), many("c.txt", 2)), c.width, 24)
		r.Press("<tab>", " ")
		r.Want(c.want)
	}
	r := uitest.Open(t, shop(many("a.txt", 120), many("b.txt", 100), many("c.txt", 2)), 80, 24)
	r.Press("<tab>", " ")
	r.Want("3 files · 221 left")
	r.Press("A")
	r.Want("3 of 3 agent's · 221 left")
}

// A head that has no room for all that is known of a file keeps its kind and the owner.
func TestHeadKeepsTheOwner(t *testing.T) {
	for width, want := range map[int]string{90: "a.txt  modified · agent · staged", 80: "a.txt  modified · agent  "} {
		r := uitest.Open(t, shop(many("some/where/a.txt", 2)), width, 24)
		r.Press(".", "X")
		r.Want(want)
	}
}
