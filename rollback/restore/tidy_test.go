//go:build linux || darwin

package restore_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"overturn/gitops/worktree"
	"overturn/model"
	"overturn/rollback/restore"
)

// crash is the job of a child that is killed at a fail point.
type crash struct {
	Root, Kept string
	Plain      bool
	Case       string
	Back       bool
}

// TestMain is also the child of the crash tests.
func TestMain(m *testing.M) {
	job := os.Getenv("RESTORE_TEST_CRASH")
	if job == "" {
		os.Exit(m.Run())
	}
	var c crash
	if err := json.Unmarshal([]byte(job), &c); err != nil {
		panic(err)
	}
	tree, err := worktree.Open(c.Root)
	if err != nil {
		panic(err)
	}
	if c.Plain {
		tree.WithoutExchange()
	}
	b := restore.New(tree, id, restore.Options{Kept: c.Kept})
	s := step("f", cases()[c.Case])
	if err := run(b, s); err != nil {
		panic(err)
	}
	if c.Back {
		if err := b.Back(s); err != nil {
			panic(err)
		}
	}
	os.Exit(0)
}

// killed runs the child up to the fail point; false when it never came by.
func (p *place) killed(c crash, point string) bool {
	p.t.Helper()
	job, err := json.Marshal(c)
	p.must(err)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "RESTORE_TEST_CRASH="+string(job), "OVERTURN_FAIL_POINT="+point, "GORACE=atexit_sleep_ms=0")
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if err != nil {
		p.t.Fatalf("the child failed: %v\n%s", err, out)
	}
	return false
}

// TestTidyAfterEveryCrash kills the replacement at every point, on the way there
// and back, and settles it in both directions: the path ends in the state asked
// for, nothing of ours stays in the work tree, and no old byte is gone.
func TestTidyAfterEveryCrash(t *testing.T) {
	points := []string{"restore.written", "restore.exchanged", "restore.exchanged:2", "restore.moved", "restore.moved:2", "restore.placed"}
	crashes := map[string]int{}
	both(t, func(t *testing.T, plain bool) {
		for name, c := range cases() {
			for _, point := range points {
				for _, unwind := range []bool{false, true} {
					p := newPlace(t, plain)
					p.set("f", c[0])
					job := crash{Root: p.root, Kept: p.kept, Plain: plain, Case: name, Back: true}
					if !p.killed(job, point) {
						break
					}
					crashes[point]++
					p.settles(name+" at "+point, c, unwind)
				}
			}
		}
	})
	for _, point := range points {
		if crashes[point] == 0 {
			t.Errorf("no child was killed at %s", point)
		}
	}
}

// settles does what Recover does with one target.
func (p *place) settles(what string, c [2]worktree.Content, unwind bool) {
	t := p.t
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
	forward := step("f", c)
	found, _, err := b.Tidy(forward, unwind, restore.BesidesWhole)
	p.must(err)
	want, todo := forward.To, forward
	if unwind {
		want = forward.From
		todo = &restore.Step{N: forward.N, Path: "f", From: forward.To, To: forward.From, Content: c[0].Data}
	}
	switch found {
	case want:
	case todo.From:
		p.must(run(b, todo))
		if err := b.Keep(todo); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	default:
		t.Errorf("%s: after Tidy the path is %+v, neither end", what, found)
	}
	if got := p.state("f"); got != want {
		t.Errorf("%s, unwind %v: now %+v, want %+v", what, unwind, got, want)
	}
	if own := p.own(); len(own) > 0 {
		t.Errorf("%s, unwind %v: left %v", what, unwind, own)
	}
	if !unwind && c[0].Kind == model.KindFile && len(c[0].Data) > 0 && forward.From.SHA256 != forward.To.SHA256 {
		if kept := p.keptBytes(); !slices.Contains(kept, string(c[0].Data)) {
			t.Errorf("%s: the old bytes are not kept: %q", what, kept)
		}
	}
	again, _, err := b.Tidy(step("f", c), unwind, restore.BesidesWhole)
	if err != nil || again != want {
		t.Errorf("%s: a second Tidy finds %+v, %v", what, again, err)
	}
}

// TestTidyKeepsWhatIsNobodys: a save that went into the displaced file after the
// crash is neither end of the step.
func TestTidyKeepsWhatIsNobodys(t *testing.T) {
	for _, c := range []struct {
		name   string
		unwind bool
		at     worktree.Content // what stands at the path
		want   worktree.Content
		kept   []string
	}{
		{"finish", false, file(0o644, "new"), file(0o644, "new"), []string{"late save"}},
		{"unwind puts the save back", true, file(0o644, "new"), file(0o644, "late save"), []string{"new"}},
		{"unwind under another save", true, file(0o644, "users"), file(0o644, "users"), []string{"late save"}},
	} {
		p := newPlace(t, false)
		p.set("f", c.at)
		p.set(worktree.Beside("f", id, 6), file(0o644, "late save"))
		b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
		s := step("f", [2]worktree.Content{file(0o644, "old"), file(0o644, "new")})
		found, _, err := b.Tidy(s, c.unwind, restore.BesidesWhole)
		var differs *restore.Differs
		if err != nil && !errors.As(err, &differs) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && found != stateOf(c.want) || p.state("f") != stateOf(c.want) {
			t.Errorf("%s: %+v stands there", c.name, p.state("f"))
		}
		if kept := p.keptBytes(); !slices.Equal(kept, c.kept) {
			t.Errorf("%s: kept %q, want %q", c.name, kept, c.kept)
		}
		if own := p.own(); len(own) > 0 {
			t.Errorf("%s: left %v", c.name, own)
		}
	}
}

// TestTidyRemovesACutShortFile: before all new files were whole, what lies beside
// is ours and nothing was swapped.
func TestTidyRemovesACutShortFile(t *testing.T) {
	p := newPlace(t, false)
	c := [2]worktree.Content{file(0o644, "old"), file(0o644, "new and long")}
	p.set("f", c[0])
	p.must(os.WriteFile(filepath.Join(p.root, string(worktree.Beside("f", id, 6))), []byte("new an"), 0o600))
	b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
	found, kept, err := b.Tidy(step("f", c), true, restore.BesidesCut)
	if err != nil || found != stateOf(c[0]) || len(kept)+len(p.own())+len(p.keptBytes()) > 0 {
		t.Errorf("found %+v, kept %v, left %v, %v", found, kept, p.own(), err)
	}
}

// TestTidyAfterACutShortRecovery: an attempt to unwind was killed while it wrote
// what goes back. The torn file never reaches the path, where something stands as
// where nothing does; a whole one is taken up, to be synced first.
func TestTidyAfterACutShortRecovery(t *testing.T) {
	old := file(0o644, "old and long")
	for name, c := range map[string][2]worktree.Content{"replaced": {old, file(0o644, "new")}, "deleted": {old, none}} {
		for _, left := range []worktree.Content{file(0o600, ""), file(0o600, "old an"), old} {
			p := newPlace(t, false)
			p.set("f", c[1])
			p.set(worktree.Beside("f", id, 6), left)
			b := restore.New(p.tree, id, restore.Options{Kept: p.kept})
			found, kept, err := b.Tidy(step("f", c), true, restore.BesidesAgain)
			if err != nil || found != stateOf(c[1]) || len(kept) > 0 || len(p.keptBytes()) > 0 {
				t.Errorf("%s, %q left: found %+v, kept %v, %v", name, left.Data, found, p.keptBytes(), err)
			}
			back := &restore.Step{N: step("f", c).N, Path: "f", From: stateOf(c[1]), To: stateOf(old), Content: old.Data}
			p.must(run(b, back))
			if p.state("f") != stateOf(old) {
				t.Errorf("%s, %q left: %+v stands there", name, left.Data, p.state("f"))
			}
		}
	}
}
