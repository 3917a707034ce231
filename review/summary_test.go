package review_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
)

// TestASummarySaysWhatAComparisonSays: what a turn's end noted about who owns its files
// is what a comparison of the turn finds, however turns of three threads overlapped.
func TestASummarySaysWhatAComparisonSays(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, gittest.New(t))
			rng := rand.New(rand.NewPCG(seed, 4))
			script := overlaps(f, rng)
			for range 26 {
				script()
			}
		})
	}
}

// overlaps makes the steps of three agents and a user, by chance; after each end of a
// turn both accounts of it are held against each other.
func overlaps(f *fixture, rng *rand.Rand) func() {
	open, writes := map[string]bool{}, 0
	var log []string
	write := func() model.Path {
		p := model.Path(fmt.Sprintf("f%d", rng.IntN(4)))
		writes++
		f.Write(string(p), lines(1, 9)+fmt.Sprintf("write %d\n", writes))
		return p
	}
	return func() {
		thread := []string{"A", "B", "C"}[rng.IntN(3)]
		switch n := rng.IntN(6); {
		case !open[thread]:
			open[thread] = true
			f.start(thread, thread != "C")
			log = append(log, "start "+thread)
		case n == 0:
			log = append(log, "the user writes "+string(write()))
		case n < 3:
			named := n == 1
			var paths []model.Path
			if named {
				paths = []model.Path{model.Path(fmt.Sprintf("f%d", rng.IntN(4)))}
			}
			f.tool(thread, paths, func() {
				if named {
					writes++
					f.Write(string(paths[0]), lines(1, 9)+fmt.Sprintf("write %d\n", writes))
					return
				}
				log = append(log, "in a shell, "+string(write()))
			})
			log = append(log, fmt.Sprint("tool of ", thread, " names ", paths))
		case n < 5:
			open[thread] = false
			turn := f.end(thread)
			log = append(log, "end "+thread)
			equal(f.t, strings.Join(log, "\n"), noted(turn), f.compared(turn))
		default:
			log = append(log, "something writes "+string(write()))
		}
	}
}

// TestASummaryHasTheRowsOfAComparison: a file that got another name is one file, and
// counts what changed in it; where all of it changed it is two.
func TestASummaryHasTheRowsOfAComparison(t *testing.T) {
	f := newFixture(t, gittest.New(t))
	f.Write("same", lines(1, 30))
	f.Write("edited", lines(40, 80))
	f.Write("other", lines(1, 9))
	f.Write("bin", "\x00\x01\x02")
	f.Write("kept", "1\n")
	f.Commit("first")
	turn := f.turn("t", func() {
		for _, name := range []string{"same", "edited", "other", "bin"} {
			content := f.Read(name)
			f.must(os.Remove(f.Path(name)))
			switch name {
			case "edited":
				content += "one more\n"
			case "other":
				content = "nothing\nof\nit\n"
			}
			f.Write("moved/"+name, content)
		}
		f.Write("kept", "2\n")
	})
	var noted, compared []string
	for _, file := range turn.Files {
		noted = append(noted, fmt.Sprintf("%s %s<%s %d %d", file.Change, file.Path, file.OldPath, file.Additions, file.Deletions))
	}
	cs := f.compare("latest")
	list, err := f.review.Renames(t.Context(), cs)
	f.must(err)
	for _, file := range list {
		compared = append(compared, fmt.Sprintf("%s %s<%s", file.Change, file.Path, file.OldPath))
	}
	equal(t, "noted", strings.Join(noted, "\n"), `modified kept< 1 1
renamed moved/bin<bin -1 -1
renamed moved/edited<edited 1 0
added moved/other< 3 0
renamed moved/same<same 0 0
deleted other< 0 9`)
	equal(t, "compared", strings.Join(compared, "\n"), `modified kept<
renamed moved/bin<bin
renamed moved/edited<edited
added moved/other<
renamed moved/same<same
deleted other<`)
}

// noted spells the owners that a turn's end noted.
func noted(turn model.Turn) string {
	var list []string
	for _, file := range turn.Files {
		list = append(list, fmt.Sprintf("%s %s", file.Path, file.Owner))
	}
	return strings.Join(list, "\n")
}

// compared spells those that a comparison finds.
func (f *fixture) compared(turn model.Turn) string {
	cs := f.compare(fmt.Sprintf("%d@%s", turn.Number, turn.Thread))
	var list []string
	for _, file := range cs.Files {
		owner, _, err := f.review.Owner(f.t.Context(), cs, file)
		f.must(err)
		list = append(list, fmt.Sprintf("%s %s", file.Path, owner))
	}
	return strings.Join(list, "\n")
}
