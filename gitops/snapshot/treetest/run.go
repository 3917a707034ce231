//go:build unix

package treetest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Run has one tried on the seeds from 1 to last, several at once, and logs how many
// trees had each feature. A feature that no tree had fails the test, for then the
// trees prove nothing about it. OVERTURN_TEST_SEED names the seed, or the first and
// the last, instead; a seed that fails says how to repeat it.
func Run(t *testing.T, last uint64, one func(t *testing.T, seed uint64) map[string]int) {
	const enough = 24 // trees that show every feature
	first, last := uint64(1), min(last, atMost)
	if n, _ := fmt.Sscan(os.Getenv("OVERTURN_TEST_SEED"), &first, &last); n == 1 {
		last = first
	}
	had, trees := map[string]int{}, 0
	var mu sync.Mutex
	t.Run("seed", func(t *testing.T) {
		for seed := first; seed <= last; seed++ {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { repeat(t, seed) })
				counts := one(t, seed)
				mu.Lock()
				defer mu.Unlock()
				trees++
				for feature, n := range counts {
					had[feature] += min(n, 1)
				}
			})
		}
	})
	var list []string
	for feature, n := range had {
		list = append(list, fmt.Sprintf("%s %d", feature, n))
		if n == 0 && trees >= enough {
			t.Errorf("%s never came up", feature)
		}
	}
	slices.Sort(list)
	t.Logf("%d trees, %d features, and how many trees had each: %s", trees, len(list), strings.Join(list, ", "))
}

func repeat(t *testing.T, seed uint64) {
	if t.Failed() {
		name, _, _ := strings.Cut(t.Name(), "/")
		t.Logf("to repeat it: OVERTURN_TEST_SEED=%d go test -run '^%s$' -v . (in the folder of this package)", seed, name)
	}
}
