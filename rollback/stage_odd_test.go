package rollback_test

import (
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
)

// TestOddNames stages names that quoting, options, patterns and text encodings
// trip over, singly and together.
func TestOddNames(t *testing.T) {
	names := []string{"-f", "--", "HEAD", ":x", ":(top)y", "*", "a b", "new\nline", "tab\t", `q"b\`, "caf\u00e9", "\xff\xfe", "a/b c/\xe9", "x -> y"}
	w := newStaging(t)
	for _, n := range names {
		w.Write(n, "1\n")
	}
	w.Write("star", "1\n")
	w.Commit("first")
	w.turn("t", func() {
		for _, n := range names {
			w.Write(n, "2\n")
		}
		w.Write("star", "2\n")
	})
	if plan := w.stage("1", "*"); len(plan.Targets) != 1 || plan.Targets[0].Path != "*" {
		t.Errorf("a name is taken as a pattern: %s", planned(plan))
	}
	for _, n := range names {
		w.stage("1", n)
	}
	plan := w.stage("1", names...)
	if len(plan.Targets) != len(names) {
		t.Errorf("%d targets of %d", len(plan.Targets), len(names))
	}
	w.gitTakes(plan)
	w.unstage(names...)
}

// TestLineEndings: one hunk of a CRLF file goes back, the other lines keep their
// bytes, whatever git would convert.
func TestLineEndings(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, setting := range []string{"true", "false", "input"} {
		w := newStaging(t)
		w.Git("config", "core.autocrlf", setting)
		w = openStaging(t, w.Repo) // settings are read when a repository is opened
		w.Write("f", crlf(lines(30)))
		w.Write("mixed", "a\r\nb\nc\rd\ne")
		w.Commit("first")
		w.turn("t", func() {
			w.Write("f", crlf(lines(30, "3=x", "20=y")))
			w.Write("mixed", "a\r\nB\nc\rd\ne\n")
		})
		r := w.request("1", "f")
		r.Hunks = []int{2}
		w.want(w.stageWith(r), "clean write f [2]")
		w.after("f", crlf(lines(30, "3=x")), "100644")
		w.stage("1", "mixed")
		w.after("mixed", "a\r\nb\nc\rd\ne", "100644")
	}
}

// TestThreads: what another thread made stays, unless it is named.
func TestThreads(t *testing.T) {
	w := newStaging(t)
	w.Write("a", lines(30))
	w.Write("b", "1\n")
	w.Commit("first")
	w.start("one", true)
	w.start("two", true)
	w.tool("one", []model.Path{"a"}, func() { w.Write("a", lines(30, "3=one")) })
	w.tool("two", []model.Path{"b"}, func() { w.Write("b", "2\n") })
	w.end("two")
	w.end("one")
	w.want(w.stage("1@one"), "clean write a", "kept b: made by another thread, two")
	w.want(w.stage("1@one", "b"), "clean write a", "clean write b")
	w.unstage()
	w.want(w.stage("1@two", "b"), "clean write b")
}

// TestOtherWorkTree: a turn is staged where it was recorded; each work tree has a
// staged set of its own.
func TestOtherWorkTree(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	linked := *w.Repo
	linked.Root = filepath.Join(t.TempDir(), "linked")
	w.Git("worktree", "add", "-q", linked.Root)
	l := openStaging(t, &linked)
	l.turn("there", func() { l.Write("a", "2\n") })
	w.turn("here", func() { w.Write("a", "3\n") })
	l.want(l.stage("1@there", "a"), "clean write a")
	l.after("a", "1\n", "100644")
	if list, err := w.engine.Staged(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	if _, err := w.engine.Stage(t.Context(), w.request("1@there", "a")); model.CodeOf(err) != model.CodeRefused {
		t.Errorf("%v", err)
	}
	w.want(w.stage("1@here", "a"), "clean write a")
}

func TestSHA256Repository(t *testing.T) {
	w := newStaging(t, gittest.InitArgs("--object-format=sha256"))
	w.Write("a", "1\n")
	w.Commit("first")
	w.turn("t", func() { w.Write("a", "2\n"); w.Write("bin", "\x00") })
	plan := w.stage("1")
	w.want(plan, "clean write a", "clean delete bin")
	w.gitTakes(plan)
}

// TestLeftOut: a path that the capture did not take cannot be named, and the answer
// says why. What the scope itself brought is listed among what stays.
func TestLeftOut(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	w.turn("t", func() {
		w.Write("a", "2\n")
		w.Write("nested/x", "1\n")
		w.Git("-C", "nested", "init", "-q")
	})
	_, err := w.engine.Stage(t.Context(), w.request("1", "nested/x"))
	if model.CodeOf(err) != model.CodeUsage || !strings.Contains(err.Error(), "left out") {
		t.Errorf("%v", err)
	}
	w.want(w.stage("1"), "clean write a", "kept nested: left out of the capture (new nested repository)")
	w.turn("t", func() { w.Write("a", "3\n") })
	w.unstage()
	w.want(w.stage("2"), "clean write a")
}
