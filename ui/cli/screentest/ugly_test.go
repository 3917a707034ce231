//go:build linux || darwin

package screentest_test

import (
	"fmt"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/gitops/snapshot/treetest"
)

// seeds are the ugly trees that are looked at.
const seeds = 4

// The review of an ugly tree, at sizes from one cell on and through all its files, tells
// the terminal nothing but cells, and comes back from each size whole.
func TestUglyTreesOnTheScreen(t *testing.T) {
	gittest.Unprivileged(t)
	for seed := uint64(1); seed <= seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := treetest.New(t, seed)
			d := &desk{m.Repo, t}
			d.turn("Make it \x1b[31mugly\u202e 👨‍👩‍👧", func() { m.Edit(60) })
			s := d.review(100, 30)
			s.press("", "turn 1, start")
			for i, size := range [][2]int{{1, 1}, {2, 3}, {7, 2}, {20, 5}, {60, 12}, {72, 9}, {200, 60}, {100, 30}} {
				if err := s.Resize(size[0], size[1]); err != nil {
					t.Fatal(err)
				}
				s.rest()
				s.press([]string{"j", "<tab>", "s", "w", "Z", "s", "w", "<tab>"}[i])
				s.rest()
				if rows := strings.Split(strings.TrimSuffix(s.Text(), "\n"), "\n"); len(rows) > size[1] {
					t.Errorf("%d rows on a screen of %v", len(rows), size)
				}
			}
			s.press("", "overturn", "turn 1, start")
			for range 40 {
				s.press(".")
			}
			s.press("1", "HEAD")
			for range 20 {
				s.press(".")
			}
			s.rest()
			s.press("?", "Help")
			s.press("<esc>")
			s.rest()
			s.quit()
		})
	}
}
