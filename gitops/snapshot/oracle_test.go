//go:build unix

package snapshot_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot"
	"overturn/gitops/snapshot/treetest"
)

// TestCapturesAgreeWithGit holds captures against git on ugly trees: the same trees
// on every machine, a few through many edits with the table kept all along, the others
// through some. OVERTURN_TEST_SEED names the seed, or the first and the last, instead.
func TestCapturesAgreeWithGit(t *testing.T) {
	const deep, last = 12, 500
	gittest.Unprivileged(t)
	treetest.Run(t, last, func(t *testing.T, seed uint64) map[string]int {
		if seed <= deep {
			return agreeOn(t, seed)
		}
		return agreeOnce(t, seed)
	})
}

// agreeOnce takes one tree through a few edits; in a third of them the first capture,
// from the user's index alone, is held against git too.
func agreeOnce(t *testing.T, seed uint64) map[string]int {
	m := treetest.New(t, seed)
	m.Edit(m.Pick(10))
	b := newBench(t, m.Repo, snapshot.Options{})
	if seed%3 == 0 {
		b.agree("first")
	} else {
		b.capture()
	}
	m.Edit(12)
	b.reopen(snapshot.Options{})
	b.backToDisk(b.agree("then"))
	return m.Counts()
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
