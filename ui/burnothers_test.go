package ui_test

import (
	"testing"

	"overturn/model"
	"overturn/ui/uitest"
)

// What another review of the work tree marks as read shows here, in files that are as they
// were, and so does what it takes back.
func TestMarksOfAnotherReviewShow(t *testing.T) {
	e := shop(many("a.txt", 3), many("b.txt", 1))
	r := uitest.Open(t, e, 120, 30)
	r.Press("<tab>", " ")
	r.Want("3 of 4 left")
	e.Lock()
	e.Marks["b.txt"] = map[int]bool{1: true}
	e.Marked++
	e.Unlock()
	r.Press("R")
	r.Want("2 of 4 left", "✓M b.txt")
	e.Lock()
	e.Marks = map[model.Path]map[int]bool{}
	e.Marked++
	e.Unlock()
	r.Press("R")
	r.Want("2 files")
	r.Absent("left", "✓")
}
