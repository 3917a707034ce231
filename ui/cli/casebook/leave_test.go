//go:build linux

package casebook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
)

// page is a page of the documentation.
func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestLeavingAsTheReadmeSays runs the commands that the README names for it, as they
// stand there: nothing of overturn's is left in the repository, nothing of the
// user's has changed, and git's own gc frees what it cost.
func TestLeavingAsTheReadmeSays(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(page(t, "README.md"), "To remove it all, in each repository")
	_, block, ok := strings.Cut(rest, "\n\n")
	block, _, end := strings.Cut(block, "\n\n")
	if !found || !ok || !end || !strings.Contains(block, "update-ref --stdin") {
		t.Fatalf("the README does not say it as it did:\n%s", block)
	}
	b := openBook(t)
	b.userWork()
	b.Git("gc", "-q", "--prune=now")
	before := b.ends()
	objects := b.Git("count-objects", "-v")
	b.ok("enable", "claude-code")
	for range 3 {
		b.turn("T", func() { b.sh("printf 'more\n' >> edit; date +%N > untracked") })
	}
	b.ok("stage", "3", "--", "edit")
	b.carry(0)
	b.ok("checkpoint", "prune", "--keep", "1")
	b.ok("stage", "3")
	b.sh("git show HEAD:edit > edit; printf 'material\n' > untracked; chmod 600 untracked")
	b.shell("set -e\n" + block)

	b.stands(before, before)
	if refs := b.Git("for-each-ref", "refs/overturn", "refs/heads/overturn"); refs != "" {
		t.Errorf("refs are left:\n%s", refs)
	}
	if b.Exists(".git/overturn") || b.Exists(".git/refs/overturn") || b.Exists(".claude") {
		t.Error("a folder is left")
	}
	keeps, err := filepath.Glob(b.Path(".git/objects/pack/*.keep"))
	if err != nil || len(keeps) > 0 {
		t.Errorf("packs are still kept: %v, %v", keeps, err)
	}
	b.Git("gc", "-q", "--prune=now")
	if now := b.Git("count-objects", "-v"); now != objects {
		t.Errorf("objects were\n%s\nare\n%s", objects, now)
	}
}

// TestSafetyPageSpeaksOfEverything: every domain, every measure, all ten questions.
func TestSafetyPageSpeaksOfEverything(t *testing.T) {
	text := page(t, "docs/safety.md")
	_, table, _ := strings.Cut(text, "## What is covered, by domain")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, d := range model.Domains() {
		if !strings.Contains(table, "`"+string(d)+"`") {
			t.Errorf("the table of domains leaves out %s", d)
		}
	}
	for _, measure := range []string{"protected-state survival", "owned-state recovery", "stale-review rejection", "target overreach",
		"time to recover", "residual effects reported", "trace completeness"} {
		if !strings.Contains(text, "| "+measure+" |") {
			t.Errorf("the measure %q is not explained", measure)
		}
	}
	for _, n := range []string{"\n1. **", "\n5. **", "\n10. **", "\n## The order of writes", "\n## How to leave"} {
		if !strings.Contains(text, n) {
			t.Errorf("the page has no %q", n)
		}
	}
	if !strings.Contains(page(t, "README.md"), "(docs/safety.md)") {
		t.Error("the README does not lead to it")
	}
}
