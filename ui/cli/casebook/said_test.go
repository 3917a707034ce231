//go:build linux || darwin

package casebook_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What is said must be so: sums, reasons and names.

// longTexts are two texts that a hook has no time to line up.
func longTexts() (old, now string) {
	var a, b strings.Builder
	for i := range 25_000 {
		a.WriteString("old " + strconv.Itoa(i) + "\n")
		b.WriteString("new " + strconv.Itoa(i) + "\n")
	}
	return a.String(), b.String()
}

// TestUncountedIsSaid: lines that were not counted are no zeros.
func TestUncountedIsSaid(t *testing.T) {
	t.Parallel()
	old, now := longTexts()
	b := openBook(t)
	b.Write("long", old)
	b.Write("short", "1\n")
	b.Commit("base")
	b.turn("T", func() { b.Write("long", now) })
	b.turn("T", func() { b.Write("long", old); b.Write("short", "1\n2\n") })
	b.turn("T", func() { b.sh(`printf 'a\0b' > bin`) })
	lines := strings.Split(b.ok("turns"), "\n")
	for i, want := range []string{"1 file, 1 not counted", "2 files +1 −0, 1 not counted", "1 file +0 −0"} {
		if !strings.Contains(lines[i], want+" ") {
			t.Errorf("turn %d: %q, want %q", i+1, lines[i], want)
		}
	}
	if got := b.ok("show", "1"); !strings.Contains(got, "not counted long") {
		t.Errorf("show: %s", got)
	}
}

// TestReasonIsSaidOnce: that files may have changed all the same is said, and once.
func TestReasonIsSaidOnce(t *testing.T) {
	t.Parallel()
	const warning = "files may have changed all the same"
	b := openBook(t)
	b.Write("a", "base\n")
	b.Commit("base")
	b.end("T") // of a turn that had no start
	b.start("U")
	b.Git("update-ref", "-d", b.show("U", "1").Start.Ref)
	b.end("U")
	for _, thread := range []string{"T", "U"} {
		if turn := b.show(thread, "1"); turn.Status == "ready" || turn.StatusReason == "" {
			t.Errorf("%s: %+v", thread, turn)
		}
		for _, s := range []said{b.exits(0, "show", "1", "--thread", thread), b.exits(1, "diff", "1", "--thread", thread), b.exits(1, "stage", "1", "--thread", thread)} {
			if n := strings.Count(s.stdout+s.stderr, warning); n != 1 {
				t.Errorf("%s says it %d times: %s%s", thread, n, s.stdout, s.stderr)
			}
		}
	}
}

// TestRootThatIsNotUTF8: the repository's own path comes back from JSON too.
func TestRootThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Commit("base")
	if strings.Contains(b.ok("status", "--json"), "repository_b64") {
		t.Error("a plain path has its bytes beside it")
	}
	root := filepath.Join(filepath.Dir(b.Root), "caf\xe9")
	if err := os.Rename(b.Root, root); err != nil {
		t.Fatal(err) // a file system that takes UTF-8 alone has no such repository
	}
	defer os.Rename(root, b.Root)
	odd := bookOf(t, b.At(root))
	var s map[string]any
	if err := json.Unmarshal([]byte(odd.ok("status", "--json")), &s); err != nil {
		t.Fatal(err)
	}
	text, _ := s["repository_b64"].(string)
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || string(raw) != root || s["repository"] != strings.ToValidUTF8(root, "\uFFFD") {
		t.Errorf("%q, %v: %q", raw, err, s["repository"])
	}
	odd.turn("T", func() { odd.Write("a", "agent\n") })
	odd.rollback("latest")
	odd.gone("a")
}

// TestIgnoredSinceStays: a file of the turn's that git ignores by now is nobody's
// business any more: it stays, and is said to, unless it is named.
func TestIgnoredSinceStays(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("tracked.log", "base\n")
	b.Write("old.tmp", "of the user, untracked\n")
	b.sh("git add tracked.log; git commit -qm base")
	b.turn("T", func() {
		b.sh("echo agent > made.log; mkdir out; echo agent > out/x; echo agent > kept.go; echo agent >> tracked.log; echo agent > old.tmp; echo agent > gone.log")
	})
	for name, rule := range map[string]func(text string){
		".gitignore":   func(text string) { b.Write(".gitignore", text) },
		"info/exclude": func(text string) { b.Write(".git/info/exclude", text) },
	} {
		rule("*.log\n!never\nout/\n*.tmp\n")
		b.Remove("gone.log")
		before := b.world()
		p := b.stage("1")
		want := "gone.log delete already, kept.go delete clean, tracked.log write clean, made.log kept, old.tmp kept, out/x kept"
		if got := p.verdicts(); got != want {
			t.Errorf("%s: %s", name, got)
		}
		for _, k := range p.Kept {
			if k.Reason != "git ignores it now: it goes back only when it is named" {
				t.Errorf("%s: %+v", name, k)
			}
		}
		b.carry(0)
		b.same(before, "kept.go", "tracked.log")
		b.undo()
		for _, folder := range []string{"out", "."} { // a folder does not name what lies in it
			if got := b.stage("1", "--", folder).verdicts(); strings.Contains(got, "out/x delete") {
				t.Errorf("%s, %s: %s", name, folder, got)
			}
		}
		if got := b.stage("1", "--", "made.log", "out/x", "old.tmp").verdicts(); got != "made.log delete clean, old.tmp write clean, out/x delete clean" {
			t.Errorf("%s, named: %s", name, got)
		}
		b.carry(0)
		b.gone("made.log", "out")
		b.reads("old.tmp", "of the user, untracked\n")
		b.undo()
		rule("")
		if got := b.stage("1").verdicts(); strings.Contains(got, "kept,") || strings.HasSuffix(got, "kept") {
			t.Errorf("without %s: %s", name, got)
		}
		b.sh("rm -f .gitignore")
	}
}
