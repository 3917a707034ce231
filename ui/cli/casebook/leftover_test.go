//go:build linux || darwin

package casebook_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTemporaryFilesOfTheKilled: what overturns that were killed left beside the stat
// table and the facts goes with the next look or session; what is new, and what is
// not overturn's, stays.
func TestTemporaryFilesOfTheKilled(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a", "a\n")
	b.turn("T", func() { b.Write("a", "b\n") })
	time.Sleep(200 * time.Millisecond) // facts are kept of settings that are no younger than a tenth of a second
	state := b.Path(".git/overturn")
	temps := func() []string {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(state, "*.tmp"))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for kind, point := range map[string]string{"table": "snapshot.savetable.write", "facts": "gitops.keepfacts.rename"} {
		b.Write("a", kind+"\n")
		if kind == "facts" {
			b.sh("rm -f .git/overturn/facts*")
		}
		if s := b.with("OVERTURN_FAIL_POINT="+point).overturn("turn", "start", "--thread", "T"); s.code == 0 || len(temps()) != 1 {
			t.Fatalf("%s: not killed as meant: %+v, %v", kind, s, temps())
		}
		left := temps()[0]
		b.ok("turns")
		if len(temps()) != 1 {
			t.Errorf("%s: one that may still be written went", kind)
		}
		at := time.Now().Add(-time.Hour)
		for _, verb := range []string{"turns", "session"} {
			b.sh("touch '" + left + "'; echo mine > .git/overturn/mine.tmp; touch -d '2 hours ago' .git/overturn/mine.tmp")
			if err := os.Chtimes(left, at, at); err != nil {
				t.Fatal(err)
			}
			if verb == "turns" {
				b.ok("turns")
			} else if s := b.fed(`{"event":"session-start","thread":"T"}`, "hook", "generic"); s.code != 0 {
				t.Errorf("hook: %+v", s)
			}
			if now := temps(); len(now) != 1 || filepath.Base(now[0]) != "mine.tmp" {
				t.Errorf("%s, after %s: left are %v", kind, verb, now)
			}
			b.sh("rm .git/overturn/mine.tmp")
		}
	}
}
