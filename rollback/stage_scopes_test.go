package rollback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/rollback"
)

// TestScopesDoNotMix: one path, one scope.
func TestScopesDoNotMix(t *testing.T) {
	w := newStaging(t)
	w.Write("a", lines(30))
	w.Commit("first")
	w.turn("t", func() { w.Write("a", lines(30, "3=x")) })
	w.turn("t", func() { w.Write("a", lines(30, "3=x", "20=y")); w.Write("b", "1\n") })
	w.want(w.stage("1", "a"), "merged write a")
	w.after("a", lines(30, "20=y"), "100644")
	if _, err := w.engine.Stage(t.Context(), w.request("2", "a")); model.CodeOf(err) != model.CodeUsage || model.HintOf(err) == "" {
		t.Error(err)
	}
	plan := w.stage("latest", "b")
	w.want(plan, "merged write a", "clean delete b")
	if strings.Join(plan.Scopes, " ") != "1 2" {
		t.Errorf("scopes %v", plan.Scopes)
	}
	w.unstage("a")
	w.want(w.stage("0..2", "a"), "clean write a", "clean delete b")
	w.after("a", lines(30), "100644")
}

// TestDrift: what changed after the turn is kept, refused, or discarded when asked.
func TestDrift(t *testing.T) {
	w := newStaging(t)
	w.Write("a", lines(30))
	w.Write("d/t", "tracked\n")
	w.Commit("first")
	w.turn("t", func() { w.Write("a", lines(30, "3=x")); w.Write("new", "agent\n"); w.Remove("d") })
	w.Write("a", lines(30, "3=user"))
	w.Write("new", "agent\nuser\n")
	w.Write("d", "the user's file\n")
	plan := w.stage("1")
	w.want(plan, "conflict write a", "conflict create d/t", "conflict delete new")
	for _, target := range plan.Targets {
		if target.Reason == "" || target.From != target.To {
			t.Errorf("%+v", target)
		}
	}
	if n := strings.Count(string(plan.Patch), " conflict path "); n != 3 || strings.Contains(string(plan.Patch), "diff --git") {
		t.Errorf("%s", plan.Patch)
	}
	r := w.request("1", "a", "new")
	r.Method, r.Discard = model.Restore, true
	w.want(w.stageWith(r), "drifted write a", "conflict create d/t", "drifted delete new")
	w.Write("a", lines(30))
	w.Remove("new")
	now, _ := w.plan()
	w.want(now, "already write a", "conflict create d/t", "already delete new")
}

// TestFileAndFolderSwap: a turn made a folder of a file, a link of a folder, and
// all of it can go back; what the user put into the folder stays.
func TestFileAndFolderSwap(t *testing.T) {
	w := newStaging(t)
	w.Write("f", "file\n")
	w.Write("d/x", "x\n")
	w.Commit("first")
	w.turn("t", func() {
		w.Remove("f")
		w.Write("f/inner/y", "y\n")
		w.Write("e/x", "x\n")
		w.Remove("d")
		w.Symlink("e", "d")
	})
	w.want(w.stage("1"), "clean delete d", "clean create d/x", "clean delete e/x", "clean create f", "clean delete f/inner/y")
	w.Write("f/inner/user", "user\n")
	now, _ := w.plan()
	w.want(now, "clean delete d", "clean create d/x", "clean delete e/x", "conflict create f", "clean delete f/inner/y")
	w.unstage("d") // also d/x, below it
	w.want(w.stage("1", "d/x"), "conflict create d/x", "clean delete e/x", "conflict create f", "clean delete f/inner/y")
}

// TestStagedByContent: refs of turns may move and the work tree too, the staged set
// stays what it was.
func TestStagedByContent(t *testing.T) {
	w := newStaging(t)
	w.Write("a", lines(30))
	w.Commit("first")
	w.turn("t", func() { w.Write("a", lines(30, "3=x", "20=y")) })
	r := w.request("1", "a")
	r.Hunks = []int{1}
	w.stageWith(r)
	for _, ref := range strings.Fields(w.Git("for-each-ref", "--format=%(refname)", "refs/overturn")) {
		if !strings.HasPrefix(ref, "refs/overturn/staged/") {
			w.Git("update-ref", "-d", ref)
		}
	}
	w.Git("gc", "-q", "--prune=now")
	again := openStaging(t, w.Repo)
	again.after("a", lines(30, "20=y"), "100644")
}

// TestIndexGoesBack: an entry that the turn staged goes back with its file as long
// as it is as the turn left it.
func TestIndexGoesBack(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Write("b", "1\n")
	w.Commit("first")
	w.turn("t", func() {
		w.Write("a", "2\n")
		w.Write("n", "new\n")
		w.Write("b", "2\n")
		w.Git("add", "a", "n")
	})
	plan := w.stage("1")
	_, prepared := w.plan()
	if len(prepared.Index) != 2 || prepared.Index[0].Path != "a" || prepared.Index[1].To != (rollback.IndexEntry{}) {
		t.Fatalf("%+v", prepared.Index)
	}
	if n := strings.Count(string(plan.Patch), " index 100644 "); n != 2 {
		t.Errorf("%s", plan.Patch)
	}
	covered := map[model.Domain]bool{}
	for _, d := range plan.Domains {
		covered[d.Domain] = d.Covered
	}
	if len(covered) != len(model.Domains()) || !covered[model.DomainIndex] || !covered[model.DomainTracked] || covered[model.DomainIgnored] {
		t.Errorf("%+v", plan.Domains)
	}
	w.Write("a", "3\n")
	w.Git("add", "a")
	w.Write("a", "2\n")
	if _, prepared = w.plan(); len(prepared.Index) != 1 || prepared.Index[0].Path != "n" {
		t.Errorf("an entry of the user's would go back: %+v", prepared.Index)
	}
	w.unstage("n")
	if _, prepared = w.plan(); len(prepared.Index) != 0 {
		t.Errorf("%+v", prepared.Index)
	}
}

func TestWorkingScope(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	w.Chmod("a", 0o664)
	w.Write("a", "2\n")
	w.Write("new", "1\n")
	w.want(w.stage("working", "a"), "clean write a")
	w.after("a", "1\n", "100664") // a commit knows of execution alone
	w.want(w.stage("working"), "clean write a", "kept new: made by the user")
}

func TestSubmoduleIsNoTarget(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Write("sub/x", "1\n")
	w.Git("-C", "sub", "init", "-q")
	inner := func(message string) {
		w.Git("-C", "sub", "add", "x")
		w.Git("-C", "sub", "commit", "-q", "-m", message)
	}
	inner("one")
	w.Commit("first")
	w.turn("t", func() {
		w.Write("a", "2\n")
		w.Write("sub/x", "2\n")
		inner("two")
	})
	if _, err := w.engine.Stage(t.Context(), w.request("1", "sub")); model.CodeOf(err) != model.CodeRefused {
		t.Error(err)
	}
	w.want(w.stage("1"), "clean write a", "kept sub: a submodule is never a target")
}

func TestEffects(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	w.start("t", false)
	w.Write("a", "2\n")
	_, err := w.ledger.Effect(t.Context(), "t", model.Effect{Domain: model.DomainPublication, Summary: "git push", Reversible: model.ReversibleNo})
	w.must(err)
	w.end("t")
	plan := w.stage("1")
	if plan.Reversible != model.ReversibleNo || len(plan.Effects) != 1 || plan.Effects[0].Summary != "git push" {
		t.Errorf("%s %+v", plan.Reversible, plan.Effects)
	}
	w.turn("t", func() { w.Write("b", "2\n") })
	// turn 1 is in both scopes, and pushed once
	if plan := w.stage("1..2", "b"); len(plan.Scopes) != 2 || len(plan.Effects) != 1 {
		t.Errorf("scopes %q, effects %+v", plan.Scopes, plan.Effects)
	}
}

// TestBrokenSet: a staged set that cannot be used is an error that names it, and is
// moved aside only when asked, whole.
func TestBrokenSet(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	w.turn("t", func() { w.Write("a", "2\n") })
	w.stage("1")
	file := filepath.Join(w.repo.StateDir(), "staged.json")
	w.must(os.WriteFile(file, []byte(`{"schema":"overturn.staged/1","entr`), 0o600))
	for name, err := range map[string]error{
		"plan":    second(w.engine.Plan(t.Context())),
		"stage":   first(w.engine.Stage(t.Context(), w.request("1", "a"))),
		"unstage": first(w.engine.Unstage(t.Context(), []model.Path{"a"})),
	} {
		if err == nil || !strings.Contains(err.Error(), file) || model.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.want(w.unstage(), []string{}...)
	aside, err := filepath.Glob(file + ".broken-*")
	if err != nil || len(aside) != 1 {
		t.Errorf("%v %v", aside, err)
	}
	w.want(w.stage("1"), "clean write a")
}

func first(_ *model.Plan, err error) error                        { return err }
func second(_ *model.Plan, _ *rollback.Prepared, err error) error { return err }
