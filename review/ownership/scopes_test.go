package ownership_test

import (
	"testing"

	"overturn/model"
	"overturn/review/ownership"
)

// TestScopeOfOneTurn cuts a stretch out of the middle of the line.
func TestScopeOfOneTurn(t *testing.T) {
	a1, a2 := turn("a", 1, false), turn("a", 2, false)
	line := ownership.NewTimeline(ownership.Thread{
		point(0, "0", opened, a1), point(1, "1", closed, a1), point(2, "2", opened, a2), point(3, "3", closed, a2),
	})
	from, ok1 := line.Mark(a2, opened)
	to, ok2 := line.Mark(a2, closed)
	if !ok1 || !ok2 {
		t.Fatal("the turn is not on the line")
	}
	got := line.Segments(from, to, "2", "3")
	if len(got) != 1 || got[0].From != "2" || got[0].To != "3" || got[0].Verdict("f") != agent("a", 2) {
		t.Fatalf("segments %+v", got)
	}
	from, _ = line.Mark(a1, closed)
	got = line.Segments(from, to, "1", "3")
	if len(got) != 2 || got[0].Verdict("f") != user(0) || got[1].Verdict("f") != agent("a", 2) {
		t.Fatalf("segments of the range: %+v", got)
	}
	if _, ok := line.Mark(turn("a", 9, false), opened); ok {
		t.Error("a turn that is not on the line was found")
	}
}

// TestClockJump keeps each thread in its own order where the clock went back.
func TestClockJump(t *testing.T) {
	a1, a2 := turn("a", 1, false), turn("a", 2, false)
	line := ownership.NewTimeline(ownership.Thread{
		point(50, "0", opened, a1), point(60, "1", closed, a1), point(10, "2", opened, a2), point(20, "3", closed, a2),
	})
	var order string
	for _, s := range line.Segments(-1, line.Len(), "b", "l") {
		order += s.To
	}
	if order != "0123l" {
		t.Fatalf("order %q", order)
	}
}

// TestFoldersAndSwitches: a tool that names a folder names what is below it, and
// what a switch of branch changed is nobody's unless a tool names it.
func TestFoldersAndSwitches(t *testing.T) {
	a := turn("a", 1, false, "made")
	a.Moved = func(p model.Path) bool { return p != "kept" }
	line := ownership.NewTimeline(ownership.Thread{point(0, "0", opened, a), point(1, "1", closed, a)})
	s := line.Segments(0, 1, "0", "1")[0]
	for path, want := range map[model.Path]ownership.Verdict{
		"made/deep/f": agent("a", 1), "made": agent("a", 1), "madeup": unknown(1), "kept": agent("a", 1),
	} {
		if got := s.Verdict(path); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
}
