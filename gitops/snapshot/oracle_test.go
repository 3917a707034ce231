//go:build unix

package snapshot_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"testing"

	"overturn/gitops/snapshot"
	"overturn/gitops/snapshot/treetest"
)

// TestCapturesAgreeWithGit holds captures against git on ugly trees, each kept
// table and all through many edits: the same trees on every machine.
// OVERTURN_TEST_SEED names the seed, or the first and the last, instead.
func TestCapturesAgreeWithGit(t *testing.T) {
	const least = 8 // trees that show every feature
	first, last := uint64(1), uint64(36)
	if n, _ := fmt.Sscan(os.Getenv("OVERTURN_TEST_SEED"), &first, &last); n == 1 {
		last = first
	}
	counts, trees := map[string]int{}, 0
	var mu sync.Mutex
	t.Run("seed", func(t *testing.T) {
		for seed := first; seed <= last; seed++ {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				got := agreeOn(t, seed)
				mu.Lock()
				defer mu.Unlock()
				trees++
				for feature, n := range got {
					counts[feature] += n
				}
			})
		}
	})
	var list []string
	for feature, n := range counts {
		list = append(list, fmt.Sprintf("%s %d", feature, n))
		if n == 0 && trees >= least {
			t.Errorf("%s never came up", feature)
		}
	}
	sort.Strings(list)
	t.Logf("%d trees, %d features: %s", trees, len(list), strings.Join(list, ", "))
}

// agreeOn takes one tree through its edits and returns how often each feature came up.
func agreeOn(t *testing.T, seed uint64) map[string]int {
	m := treetest.New(t, seed)
	b := newBench(t, m.Repo, snapshot.Options{})
	b.ours = map[string]bool{}
	b.agree("first")
	for round := range 3 {
		m.Edit(10)
		b.reopen(snapshot.Options{})
		b.agree(fmt.Sprintf("round %d", round))
	}
	m.Each()
	b.reopen(snapshot.Options{})
	b.backToDisk(b.agree("each"))
	b.sound()
	return m.Counts()
}

// sound holds every object that captures brought, reached by a ref or not, against
// fsck. What git's own commands left lying about on the way is not looked at: some of
// it is damaged (sparse-checkout writes trees that name one file many times).
func (b *bench) sound() {
	b.t.Helper()
	out, err := b.GitMayFail("fsck", "--no-dangling")
	if len(b.ours) == 0 {
		b.t.Fatal("captures brought no objects")
	}
	if err == nil {
		return
	}
	for _, word := range strings.FieldsFunc(out+err.Error(), func(r rune) bool { return r == ' ' || r == ':' || r == '\n' }) {
		if b.ours[word] {
			b.t.Fatalf("a capture brought a damaged object: %v\n%s", err, b.Git("cat-file", "-p", word))
		}
	}
}

// TestRulesThatChangedWhileAFileWasAway is the tree whose files are away when
// core.autocrlf is set, and back later: what was known of their conversion is stale.
func TestRulesThatChangedWhileAFileWasAway(t *testing.T) {
	agreeOn(t, 51)
}
