package review_test

import (
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/review"
)

func (f *fixture) leftOut(cs *review.ChangeSet) string {
	var list []string
	for _, n := range cs.LeftOut {
		list = append(list, string(n.Path))
	}
	return strings.Join(list, " ")
}

// What stood on disk while git ignored it did not come or go with the rules: it is
// no change of the turn, and so never a target.
func TestIgnoredAtOneEndIsNoChange(t *testing.T) {
	tests := []struct {
		name          string
		turn          func(f *fixture)
		rows, leftOut string
	}{
		{"a rule goes", func(f *fixture) { f.Write(".gitignore", "*.log\n"); f.Write("new", "n\n") },
			"modified .gitignore agent\nadded new agent", "out/deep/mine out/mine"},
		{"all rules go, and a file changes", func(f *fixture) { f.Remove(".gitignore"); f.Write("x.log", "agent\n") },
			"deleted .gitignore agent", "out/deep/mine out/mine x.log"},
		{"an exception comes, with a file of its own", func(f *fixture) {
			f.Write(".gitignore", "out/\n*.log\n!*.keep.log\n")
			f.Write("new.keep.log", "agent\n")
		}, "modified .gitignore agent\nadded new.keep.log agent", ""},
		{"added by force", func(f *fixture) { f.Git("add", "-f", "x.log", "out/mine") }, "", "out/mine x.log"},
		{"a rule comes", func(f *fixture) {
			f.Write(".gitignore", "out/\n*.log\n/loose\nfolder/\n")
			f.Write("folder/a", "agent\n")
		},
			"modified .gitignore agent", "folder loose"},
		{"a rule comes over a folder with tracked files", func(f *fixture) { f.Write(".gitignore", "out/\n*.log\nsrc/\n"); f.Write("src/main", "agent\n") },
			"modified .gitignore agent\nmodified src/main agent", "src/loose"},
		{"tracked, then not, and ignored", func(f *fixture) {
			f.Git("rm", "-q", "--cached", "src/main")
			f.Git("commit", "-qm", "untracked")
			f.Write(".gitignore", "out/\n*.log\nsrc/main\n")
		}, "modified .gitignore agent", "src/main"},
		{"really gone, really new", func(f *fixture) { f.Remove("loose"); f.Write("out2/n", "n\n") },
			"deleted loose agent\nadded out2/n agent", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, gittest.New(t))
			f.Write(".gitignore", "out/\n*.log\n")
			f.Write("src/main", "1\n")
			f.Commit("first")
			for _, p := range []string{"out/mine", "out/deep/mine", "x.log", "loose", "folder/a", "src/loose"} {
				f.Write(p, "the user's\n")
			}
			turn := f.turn("one", func() {
				tc.turn(f)
				f.compare("working") // a capture in between: what it learnt stays known
			})
			cs := f.compare("latest")
			equal(t, "rows", f.rows(cs), tc.rows)
			equal(t, "left out", f.leftOut(cs), tc.leftOut)
			var recorded []string
			for _, file := range turn.Files {
				recorded = append(recorded, string(file.Change)+" "+string(file.Path)+" "+string(file.Owner))
			}
			equal(t, "recorded rows", strings.Join(recorded, "\n"), tc.rows)
			if rows := f.rows(f.compare("working")); strings.Contains(rows, "out/mine agent") || strings.Contains(rows, "x.log agent") {
				t.Errorf("the agent owns what was there before:\n%s", rows)
			}
		})
	}
}

// From the moment that it is captured, such a file is like any other.
func TestOnceCapturedIsLikeAnyOther(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write(".gitignore", "*.log\n")
	f.Commit("first")
	f.Write("x.log", "user\n")
	f.turn("one", func() { f.Remove(".gitignore") })
	f.turn("one", func() { f.Write("x.log", "agent\n") })
	equal(t, "the turn after", f.rows(f.compare("2")), "modified x.log agent")
	equal(t, "both", f.rows(f.compare("thread"))+" but "+f.leftOut(f.compare("thread")), "deleted .gitignore agent but x.log")
	f.turn("one", func() { f.Remove("x.log") })
	f.turn("one", func() { f.Write("x.log", "anew\n") })
	equal(t, "made again", f.rows(f.compare("4")), "added x.log agent")
}
