//go:build unix

package snapshot_test

import (
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"overturn/gitops/snapshot"
	"overturn/gitops/snapshot/treetest"
)

// TestCapturesAgreeWithGit holds captures against git on ugly trees, each kept
// table and all through many edits.
func TestCapturesAgreeWithGit(t *testing.T) {
	counts := map[string]int{}
	first, trees := uint64(1), 8
	if s := os.Getenv("OVERTURN_TEST_SEED"); s != "" {
		fmt.Sscan(s, &first)
		trees = 1
	}
	for seed := first; seed < first+uint64(trees); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := treetest.New(t, seed)
			b := newBench(t, m.Repo, snapshot.Options{})
			b.agree("first")
			for round := range 3 {
				m.Edit(10)
				b.reopen(snapshot.Options{})
				b.agree(fmt.Sprintf("round %d", round))
			}
			m.Each()
			b.reopen(snapshot.Options{})
			b.backToDisk(b.agree("each"))
			sound(t, m)
			for k, n := range m.Counts() {
				counts[k] += n
			}
		})
	}
	if trees > 1 {
		var list []string
		for k, n := range counts {
			list = append(list, fmt.Sprintf("%s %d", k, n))
			if n == 0 {
				t.Errorf("%s never came up", k)
			}
		}
		sort.Strings(list)
		t.Logf("%d features: %s", len(list), strings.Join(list, ", "))
	}
}

// sound holds all that refs reach against fsck. What git's own commands left
// lying about on the way is not looked at: some of it is damaged.
func sound(t *testing.T, m *treetest.Maker) {
	t.Helper()
	out, err := m.GitMayFail("fsck", "--no-dangling")
	if err == nil {
		return
	}
	reached := m.Git("rev-list", "--objects", "--all", "--reflog")
	for _, word := range strings.FieldsFunc(out+err.Error(), func(r rune) bool { return r == ' ' || r == ':' || r == '\n' }) {
		if len(word) == 40 && strings.Contains(reached, word) {
			t.Fatalf("a snapshot is damaged: %v", err)
		}
	}
}
