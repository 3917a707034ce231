package review_test

import (
	"testing"

	"overturn/gitops/gittest"
)

// Where the commit that a turn switched to, or made, has a folder, and the turn then put
// a file in its place, the file is read as what it is.
func TestAFileInThePlaceOfACommittedFolder(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("kept", "1\n")
	f.Commit("first")
	f.Git("switch", "-q", "-c", "other")
	f.Write("place/below", "other\n")
	f.Commit("other")
	f.Git("switch", "-q", "main")
	f.turn("t", func() {
		f.Git("switch", "-q", "other")
		f.Remove("place")
		f.Write("place", "agent\n")
	})
	cs := f.compare("latest")
	equal(t, "rows", f.rows(cs), "added place agent")
	equal(t, "hunks", f.hunks(cs, "place"), "1 agent [1]")
}
