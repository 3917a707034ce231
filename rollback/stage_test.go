package rollback_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/patch"
	"overturn/rollback"
)

// TestStageKinds stages a turn that did one of everything, and changes nothing but
// overturn's own state.
func TestStageKinds(t *testing.T) {
	w := newStaging(t)
	for _, p := range []string{"edit", "gone", "mode", "both", "stays"} {
		w.Write(p, lines(10))
	}
	w.Write("bin", "\x00old")
	w.Symlink("here", "link")
	w.Commit("first")
	w.Write("dirty", "the user's\n")
	w.turn("t", func() {
		w.Write("edit", lines(10, "2=two"))
		w.Remove("gone")
		w.Chmod("mode", 0o755)
		w.Write("both", lines(10, "5=five"))
		w.Chmod("both", 0o755)
		w.Write("bin", "\x00new")
		w.Remove("link")
		w.Symlink("there", "link")
		w.Write("made/deep/new", "new\n")
	})
	before := w.Protected(t)
	plan := w.stage("1")
	w.want(plan, "clean write bin", "clean write both", "clean write edit", "clean create gone", "clean link link", "clean delete made/deep/new", "clean mode mode")
	_, prepared := w.plan()
	if got := strings.TrimSpace(strings.Join(pathStrings(prepared.Folders), " ")); got != "made/deep made" {
		t.Errorf("folders %q", got)
	}
	if patch.Fingerprint(plan.Patch) != plan.Fingerprint || plan.Reversible != model.ReversibleYes {
		t.Errorf("%s %s", plan.Fingerprint, plan.Reversible)
	}
	for i, target := range prepared.Targets {
		if target.Path != plan.Targets[i].Path || target.To.Kind == model.KindFile && int64(len(target.After)) != target.To.Size {
			t.Errorf("%+v", target.Target)
		}
	}
	if diff := before.Diff(w.Protected(t)); diff != "" {
		t.Errorf("staging moved %s", diff)
	}
	w.gitTakes(plan)
}

func pathStrings(paths []model.Path) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = string(p)
	}
	return list
}

// gitTakes: git apply can carry the patch out on the work tree as it is.
func (w *staging) gitTakes(p *model.Plan) {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "patch")
	w.must(os.WriteFile(file, p.Patch, 0o600))
	if out, err := w.GitMayFail("apply", "--check", file); err != nil {
		w.t.Errorf("git apply --check: %v %s\n%s", err, out, p.Patch)
	}
}

// TestPlanIsStable: the same set gives the same patch whatever the user tells git,
// and another one as soon as a byte or a permission bit of a target moves.
func TestPlanIsStable(t *testing.T) {
	w := newStaging(t)
	w.Write("a", lines(30))
	w.Write("b", lines(30))
	w.Commit("first")
	w.turn("t", func() { w.Write("a", lines(30, "3=x", "20=y")); w.Write("b", lines(30, "3=x")) })
	first := w.stage("1", "a")
	for _, setting := range []string{"diff.noprefix=true", "diff.context=0", "diff.external=/bin/true", "core.quotePath=false", "diff.algorithm=patience"} {
		key, value, _ := strings.Cut(setting, "=")
		w.Git("config", key, value)
	}
	again, _ := openStaging(t, w.Repo).plan()
	if again.Fingerprint != first.Fingerprint {
		t.Error("the fingerprint follows git's configuration")
	}
	w.Write("b", "other\n")
	if now, _ := w.plan(); now.Fingerprint != first.Fingerprint {
		t.Error("the fingerprint follows a file that is no target")
	}
	w.Chmod("a", 0o600)
	moved, _ := w.plan()
	if moved.Fingerprint == first.Fingerprint {
		t.Error("the fingerprint does not follow permission bits")
	}
	w.Chmod("a", 0o644)
	w.Write("a", lines(30, "3=x", "20=y", "30=z"))
	if now, _ := w.plan(); now.Fingerprint == first.Fingerprint {
		t.Error("the fingerprint does not follow later edits")
	}
	w.want(func() *model.Plan { p, _ := w.plan(); return p }(), "merged write a")
}

func TestStageParts(t *testing.T) {
	w := newStaging(t)
	w.Write("f", lines(40))
	w.Write("bin", "\x00a")
	w.Commit("first")
	w.turn("t", func() {
		w.Write("f", lines(40, "3=a", "20=b\nb2", "35=c"))
		w.Chmod("f", 0o755)
		w.Write("new", "1\n")
		w.Write("bin", "\x00b")
	})
	hunks := func(numbers ...int) rollback.StageRequest {
		r := w.request("1", "f")
		r.Hunks = numbers
		return r
	}
	w.want(w.stageWith(hunks(2)), "clean write f [2]")
	w.after("f", lines(40, "3=a", "35=c"), "100755")
	w.want(w.stageWith(hunks(1)), "clean write f [1 2]") // staging again adds
	w.after("f", lines(40, "35=c"), "100755")
	w.want(w.stageWith(hunks(rollback.ModeHunk)), "clean write f [0 1 2]")
	w.after("f", lines(40, "35=c"), "100644")
	w.want(w.stage("1", "f"), "clean write f") // a whole file replaces
	w.after("f", lines(40), "100644")

	w.unstage("f")
	r := w.request("1", "f")
	r.Lines = []rollback.LineRange{{From: 21, To: 21}}
	w.want(w.stageWith(r), "clean write f [2]")
	w.after("f", lines(40, "3=a", "20=b", "35=c"), "100755")
	list, err := w.engine.Staged(t.Context())
	w.must(err)
	if len(list) != 1 || list[0].Lines != "21-21" || list[0].Scope != "1" {
		t.Errorf("%+v", list)
	}

	for name, bad := range map[string]rollback.StageRequest{
		"no such hunk":       hunks(4),
		"hunk of a folder":   {Scope: w.scope("1"), Hunks: []int{1}},
		"hunk 2 of new":      {Scope: w.scope("1"), Hunks: []int{2}, Paths: []rollback.PathArg{{Path: "new"}}},
		"mode of new":        {Scope: w.scope("1"), Hunks: []int{1, rollback.ModeHunk}, Paths: []rollback.PathArg{{Path: "new"}}},
		"lines of new":       {Scope: w.scope("1"), Lines: []rollback.LineRange{{From: 1, To: 1}}, Paths: []rollback.PathArg{{Path: "new"}}},
		"hunk of binary":     {Scope: w.scope("1"), Hunks: []int{1}, Paths: []rollback.PathArg{{Path: "bin"}}},
		"mode of binary":     {Scope: w.scope("1"), Hunks: []int{0}, Paths: []rollback.PathArg{{Path: "bin"}}},
		"unchanged line":     {Scope: w.scope("1"), Lines: []rollback.LineRange{{From: 10, To: 12}}, Paths: []rollback.PathArg{{Path: "f"}}},
		"line 0":             {Scope: w.scope("1"), Lines: []rollback.LineRange{{From: 0, To: 1}}, Paths: []rollback.PathArg{{Path: "f"}}},
		"path not changed":   w.request("1", "nothing"),
		"empty path":         {Scope: w.scope("1"), Paths: []rollback.PathArg{{}}},
		"discard a take-out": {Scope: w.scope("1"), Discard: true},
		"no method":          {Scope: w.scope("1"), Method: "undo"},
		"one of two":         w.request("1", "f", "nothing"),
		"turn ahead":         w.request("9", "f"),
	} {
		if _, err := w.engine.Stage(t.Context(), bad); model.CodeOf(err) != model.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	now, _ := w.plan()
	w.want(now, "clean write f [2]")
	w.want(w.stageWith(rollback.StageRequest{Scope: w.scope("1"), Hunks: []int{1}, Paths: []rollback.PathArg{{Path: "new"}}}),
		"clean write f [2]", "clean delete new") // its one hunk is all of it
}

// TestOwnersDecide: a folder stages what the scope's agent did and nothing else; a
// named file is meant whole.
func TestOwnersDecide(t *testing.T) {
	w := newStaging(t)
	w.Write("d/mixed", lines(40))
	w.Write("d/agent", "1\n")
	w.Write("d/user", "1\n")
	w.Commit("first")
	w.start("t", true)
	w.tool("t", nil, func() { w.Write("d/mixed", lines(40, "3=agent")); w.Write("d/agent", "2\n") })
	w.Write("d/mixed", lines(40, "3=agent", "30=user"))
	w.Write("d/user", "2\n")
	w.tool("t", nil, func() {})
	w.end("t")
	w.want(w.stage("1", "d"), "clean write d/agent", "clean write d/mixed [1]",
		"kept d/mixed: hunk 2 made by the user", "kept d/user: made by the user")
	w.after("d/mixed", lines(40, "30=user"), "100644")
	w.want(w.stage("1", "d/user"), "clean write d/agent", "clean write d/mixed [1]", "clean write d/user",
		"kept d/mixed: hunk 2 made by the user")
	plan := w.stage("1", "d/mixed")
	w.want(plan, "clean write d/agent", "clean write d/mixed", "clean write d/user")
	if plan.Targets[1].Owner != model.OwnerMixed || plan.Targets[2].Owner != model.OwnerUser {
		t.Errorf("%+v", plan.Targets)
	}
	w.want(w.stage("1"), "clean write d/agent", "clean write d/mixed", "clean write d/user") // named before
	w.want(w.unstage("d"), []string{}...)
}

// TestAFolderThatStays is told of once: with nothing staged of it, the plan of what is
// staged elsewhere says nothing of it afterwards.
func TestAFolderThatStays(t *testing.T) {
	w := newStaging(t)
	for _, f := range []string{"agent", "d/user", "d/more"} {
		w.Write(f, "1\n")
	}
	w.Commit("first")
	w.start("t", true)
	w.tool("t", nil, func() { w.Write("agent", "2\n") })
	w.Write("d/user", "2\n")
	w.Write("d/more", "2\n")
	w.tool("t", nil, func() {})
	w.end("t")
	stays := []string{"kept d/more: made by the user", "kept d/user: made by the user"}
	w.want(w.stage("1", "d/"), stays...)
	alone, _ := w.plan()
	w.want(alone)
	w.want(w.stage("1", "agent"), "clean write agent")
	w.want(w.stage("1", "d/"), append([]string{"clean write agent"}, stays...)...)
	after, _ := w.plan()
	w.want(after, "clean write agent")
	w.want(w.stage("1"), append([]string{"clean write agent"}, stays...)...)
	whole, _ := w.plan()
	w.want(whole, append([]string{"clean write agent"}, stays...)...)
	w.want(w.stage("1", "d/"), append([]string{"clean write agent"}, stays...)...)
}

func TestUnstage(t *testing.T) {
	w := newStaging(t)
	w.Write("a", "1\n")
	w.Commit("first")
	w.turn("t", func() { w.Write("a", "2\n"); w.Write("d/b", "2\n"); w.Write("d/c", "2\n") })
	w.stage("1")
	ref := strings.Fields(w.Git("for-each-ref", "--format=%(refname)", "refs/overturn/staged"))
	if len(ref) != 1 {
		t.Fatalf("refs %v", ref)
	}
	if _, err := w.engine.Unstage(t.Context(), []model.Path{"a", "x"}); model.CodeOf(err) != model.CodeUsage {
		t.Error(err)
	}
	w.want(w.unstage("d"), "clean write a")
	w.want(w.unstage(), []string{}...)
	if left := w.Git("for-each-ref", "refs/overturn/staged"); left != "" {
		t.Errorf("an empty set holds %s", left)
	}
	if plan, _ := w.plan(); plan.Fingerprint != patch.Fingerprint(nil) {
		t.Errorf("%s", plan.Fingerprint)
	}
}
