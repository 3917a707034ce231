package review

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"overturn/review/patch"
)

// FuzzEqualButSpace holds the quick comparison against the full one.
func FuzzEqualButSpace(f *testing.F) {
	for _, pair := range spacePairs() {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		want := len(patch.Compare(a, b, patch.Options{IgnoreSpace: true}).Hunks) == 0
		if got := equalButSpace(a, b); got != want {
			t.Errorf("%q and %q: %v, want %v", a, b, got, want)
		}
	})
}

func spacePairs() [][2]string {
	return [][2]string{
		{"a b\n", "ab\n"}, {"a\n", "a"}, {"a\r\n", "a\n"}, {"a\n\n", "a\n"}, {"", "\n"}, {"", ""}, {"a\tb", " a b "},
		{"a\nb\n", "ab\n"}, {"\f", ""}, {"\v a", "a"}, {"a\n \n", "a\n\n"}, {" ", ""}, {"", " "},
	}
}

// TestEqualButSpaceAsGit asks git itself.
func TestEqualButSpaceAsGit(t *testing.T) {
	pairs := spacePairs()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		var pair [2]string
		for side := range pair {
			for range rng.IntN(8) {
				pair[side] += string("ab \t\r\n\n"[rng.IntN(7)])
			}
		}
		pairs = append(pairs, pair)
	}
	dir := t.TempDir()
	for _, pair := range pairs {
		names := [2]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
		for i, name := range names {
			if err := os.WriteFile(name, []byte(pair[i]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("git", "diff", "--no-index", "-w", "--no-ext-diff", "--no-color", "--", names[0], names[1])
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, _ := cmd.Output()
		hunks := false
		for _, b := range out {
			hunks = hunks || b == '@'
		}
		if got := equalButSpace([]byte(pair[0]), []byte(pair[1])); got == hunks {
			t.Errorf("%q and %q: %v, git shows %q", pair[0], pair[1], got, out)
		}
	}
}
