//go:build linux || darwin

package prune_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"overturn/gitops"
	"overturn/gitops/checkpoint"
	"overturn/gitops/checkpoint/storetest"
	"overturn/gitops/gittest"
	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/gitops/snapshot"
	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/model/settings"
	"overturn/model/trace"
	"overturn/review"
	"overturn/review/ledger"
	"overturn/rollback"
	"overturn/rollback/prune"
)

// old is a repository whose five turns were recorded and looked at a year ago: turn n
// changes the file n.
type old struct {
	*gittest.Repo
	t      *testing.T
	repo   *gitops.Repo
	deps   prune.Deps
	engine *rollback.Engine
	at     time.Time // now, for all that is recorded
}

const turns = 5

func newOld(t *testing.T) *old {
	t.Helper()
	return newOldOn(t, storetest.Primary())
}

func newOldOn(t *testing.T, set settings.Checkpoints) *old {
	t.Helper()
	o := &old{Repo: gittest.New(t), t: t, at: time.Now().AddDate(-1, 0, 0)}
	o.Write("file", "base\n")
	o.Commit("base")
	o.repo = o.Open()
	objs, names := objects.Open(o.repo), refs.New(o.repo)
	tree, err := worktree.Open(o.repo.Root)
	o.must(err)
	t.Cleanup(func() { o.must(objs.Close()); o.must(tree.Close()) })
	o.must(o.repo.EnsureStateDir())
	clock := func() time.Time { return o.at }
	ids := model.NewIDSource(clock, rand.Reader)
	snaps := snapshot.New(o.repo, objs, names, snapshot.Options{Clock: clock})
	records, err := storetest.Topology(set, checkpoint.Context{Repo: o.repo, Objects: objs, Refs: names, Clock: clock})
	o.must(err)
	l := ledger.New(ledger.Deps{Repo: o.repo, Objects: objs, Refs: names, Snapshots: snaps, Records: records, Clock: clock, IDs: ids, Trace: trace.Discard{}})
	reviews := review.New(review.Deps{Repo: o.repo, Objects: objs, Refs: names, Snapshots: snaps, Ledger: l, Clock: clock})
	o.deps = prune.Deps{Repo: o.repo, Objects: objs, Refs: names, Records: records, Ledger: l, Clock: clock}
	o.engine = rollback.New(rollback.Deps{Repo: o.repo, Objects: objs, Refs: names, Snapshots: snaps, Review: rollback.FromReview(reviews, l),
		Tree: tree, Clock: clock, IDs: ids, Trace: trace.Discard{}})
	for n := 1; n <= turns; n++ {
		_, err := l.Start(t.Context(), ledger.StartEvent{Thread: "T"})
		o.must(err)
		o.Write(fmt.Sprint(n), "made\n")
		_, err = l.End(t.Context(), ledger.EndEvent{Thread: "T"})
		o.must(err)
	}
	return o
}

func (o *old) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// prune prunes what is older than a day, a year later.
func (o *old) prune(rule model.PruneRule) (*model.Pruned, error) {
	o.t.Helper()
	o.at = time.Now()
	if rule.OlderThan == 0 && rule.Keep == 0 {
		rule.OlderThan = 24 * time.Hour
	}
	return prune.Run(o.t.Context(), o.deps, rule)
}

// ends are the turns whose end snapshots there are.
func (o *old) ends() string {
	o.t.Helper()
	var list []string
	for ref := range strings.FieldsSeq(o.Git("for-each-ref", "--format=%(refname)", "refs/overturn/threads")) {
		if n, ok := strings.CutPrefix(ref, "refs/overturn/threads/VA/turn/"); ok && n != "0" {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestWhatIsStagedStays: of a turn, a range, a thread, with what they start from; nothing
// of what ends at the present, for that needs no snapshot. The newest turn stays anyhow,
// and what it starts from.
func TestWhatIsStagedStays(t *testing.T) {
	for scope, want := range map[string]string{"": "4 5", "2": "1 2 4 5", "1..3": "1 2 3 4 5", "0..2": "1 2 4 5", "thread": "1 2 3 4 5", "latest": "4 5", "working": "4 5"} {
		t.Run("scope "+scope, func(t *testing.T) {
			o := newOld(t)
			if scope != "" {
				s, err := model.ParseScope(scope)
				o.must(err)
				_, err = o.engine.Stage(t.Context(), rollback.StageRequest{Scope: s})
				o.must(err)
			}
			done, err := o.prune(model.PruneRule{})
			o.must(err)
			if got := o.ends(); got != want {
				t.Errorf("the turns %q stay, want %q", got, want)
			}
			staged := slices.ContainsFunc(done.Kept, func(k model.RefNote) bool { return k.Reason == "something of it is staged" })
			if staged != (want != "4 5") {
				t.Errorf("kept are %v", done.Kept)
			}
			if plan, _, err := o.engine.Plan(t.Context()); err != nil || (len(plan.Targets) > 0) != (scope != "") {
				t.Errorf("the plan is %+v, %v", plan, err)
			}
		})
	}
}

// TestWhatNothingNames: records and what reverts took out go by their age alone, which
// their ids tell; what was made by hand under such a name stays.
func TestWhatNothingNames(t *testing.T) {
	const id = "01arz3ndektsv4rrffq69g5fav" // of 2016
	list := []string{"refs/overturn/checkpoints/av/" + id, "refs/overturn/reverted/" + id + "/turn/7", "refs/overturn/safety/" + id}
	for _, c := range []struct {
		rule model.PruneRule
		gone bool
	}{{model.PruneRule{OlderThan: time.Hour}, true}, {model.PruneRule{OlderThan: time.Hour, DryRun: true}, false}, {model.PruneRule{Keep: 1}, false}, {model.PruneRule{OlderThan: 100 * 365 * 24 * time.Hour}, false}} {
		o := newOld(t)
		record := o.Git("for-each-ref", "--format=%(objectname)", "--count=1", "refs/overturn/threads")
		for _, ref := range append(list, "refs/overturn/reverted/odd/turn/7") {
			o.Git("update-ref", ref, record)
		}
		done, err := o.prune(c.rule)
		o.must(err)
		for _, ref := range list {
			_, err := o.GitMayFail("rev-parse", "--verify", "-q", ref)
			if there := err == nil; there == c.gone || slices.Contains(done.Removed, ref) != (c.gone || c.rule.DryRun) {
				t.Errorf("%+v: %s is there: %v, removed are %v", c.rule, ref, there, done.Removed)
			}
		}
		if !slices.ContainsFunc(done.Kept, func(k model.RefNote) bool { return k.Ref == "refs/overturn/reverted/odd/turn/7" }) {
			t.Errorf("%+v: kept are %v", c.rule, done.Kept)
		}
	}
}

// TestLocalFiles: what grew old goes, what is young stays, and a dry run takes nothing.
func TestLocalFiles(t *testing.T) {
	for _, dry := range []bool{true, false} {
		o := newOld(t)
		dir := o.repo.StateDir()
		o.must(os.MkdirAll(filepath.Join(dir, "inbox"), 0o700))
		for _, name := range []string{"trace.jsonl.1", "inbox/x.json.broken", "inbox/y.json.broken"} {
			o.must(os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		}
		past := time.Now().AddDate(-1, 0, 0)
		for _, name := range []string{"trace.jsonl.1", "inbox/x.json.broken"} {
			o.must(os.Chtimes(filepath.Join(dir, name), past, past))
		}
		done, err := o.prune(model.PruneRule{OlderThan: time.Hour, DryRun: dry})
		o.must(err)
		for name, goes := range map[string]bool{"trace.jsonl.1": true, "inbox/x.json.broken": true, "inbox/y.json.broken": false, "table": false} {
			_, err := os.Lstat(filepath.Join(dir, name))
			if (err == nil) != (dry || !goes) || slices.Contains(done.Files, filepath.Join(dir, name)) != goes {
				t.Errorf("dry %v: %s: %v; %v", dry, name, err, done.Files)
			}
		}
	}
}

// TestRefusedBeforeAnythingGoes: where it cannot be told what is needed, all stays.
func TestRefusedBeforeAnythingGoes(t *testing.T) {
	gittest.Unprivileged(t)
	for what, cause := range map[string]func(o *old){
		"the staged set is broken": func(o *old) {
			o.must(os.WriteFile(filepath.Join(o.repo.StateDir(), "staged.json"), []byte("{"), 0o600))
		},
		"the staged set is shut": func(o *old) { o.must(os.WriteFile(filepath.Join(o.repo.StateDir(), "staged.json"), []byte("{}"), 0)) },
		"the journals are shut":  func(o *old) { o.must(os.Mkdir(filepath.Join(o.repo.StateDir(), "journal"), 0)) },
		"a journal is broken": func(o *old) {
			o.must(os.Mkdir(filepath.Join(o.repo.StateDir(), "journal"), 0o700))
			o.must(os.WriteFile(filepath.Join(o.repo.StateDir(), "journal/01arz3ndektsv4rrffq69g5fav.jsonl"), []byte("{\"v\":1}\n{}\n"), 0o600))
		},
		"the turns are shut": func(o *old) { o.must(os.Chmod(filepath.Join(o.repo.StateDir(), "ledger"), 0)) },
	} {
		t.Run(what, func(t *testing.T) {
			o := newOld(t)
			cause(o)
			t.Cleanup(func() {
				for _, name := range []string{"journal", "ledger"} {
					_ = os.Chmod(filepath.Join(o.repo.StateDir(), name), 0o700)
				}
			})
			before := o.Git("for-each-ref", "refs/overturn")
			if _, err := o.prune(model.PruneRule{}); model.CodeOf(err) != model.CodeFailed {
				t.Errorf("it says %v", err)
			}
			if after := o.Git("for-each-ref", "refs/overturn"); after != before {
				t.Errorf("refs went:\n%s\n%s", before, after)
			}
		})
	}
}

// roll carries out a take-back of one turn and returns its id.
func (o *old) roll(turn int) model.ID {
	o.t.Helper()
	plan, err := o.engine.Stage(o.t.Context(), rollback.StageRequest{Scope: model.Scope{Kind: model.ScopeTurn, Turn: turn}})
	o.must(err)
	o.at = o.at.Add(time.Minute)
	r, err := o.engine.Execute(o.t.Context(), rollback.ExecuteOptions{Expect: plan.Fingerprint})
	o.must(err)
	return r.ID
}

// TestOldRollbacks: what undo or redo would take next stays; the rest, the undone one
// too, goes whole, with journal, safety snapshot and kept copies.
func TestOldRollbacks(t *testing.T) {
	for _, dry := range []bool{true, false} {
		o := newOld(t)
		first, second, third := o.roll(1), o.roll(2), o.roll(3)
		o.at = o.at.Add(time.Minute)
		undone, err := o.engine.Undo(t.Context(), "", rollback.ExecuteOptions{})
		o.must(err)
		done, err := o.prune(model.PruneRule{OlderThan: time.Hour, DryRun: dry})
		o.must(err)
		for id, stays := range map[model.ID]bool{first: dry, second: true, third: dry, undone.ID: true} {
			_, err := o.GitMayFail("rev-parse", "--verify", "-q", "refs/overturn/safety/"+string(id))
			_, lost := os.Lstat(filepath.Join(o.repo.StateDir(), "journal", string(id)+".jsonl"))
			_, bare := os.Lstat(filepath.Join(o.repo.StateDir(), "kept", string(id)))
			if (err == nil) != stays || (lost == nil) != stays || !stays && bare == nil {
				t.Errorf("dry %v: of %s: its safety snapshot %v, its journal %v, its copies %v", dry, id, err, lost, bare)
			}
		}
		if !slices.Contains(done.Removed, "refs/overturn/safety/"+string(first)) {
			t.Errorf("removed are %v", done.Removed)
		}
		if dry {
			continue
		}
		if _, err := o.engine.Redo(t.Context(), "", rollback.ExecuteOptions{}); err != nil || o.Exists("3") {
			t.Errorf("the redo: %v", err)
		}
		for _, file := range []string{"3", "2"} {
			if _, err := o.engine.Undo(t.Context(), "", rollback.ExecuteOptions{}); err != nil || !o.Exists(file) {
				t.Errorf("the undo of %s: %v", file, err)
			}
		}
	}
}
