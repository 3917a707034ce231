package casebook_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCasebookC: silent failure and false success.
func TestCasebookC(t *testing.T) {
	runCases(t, []caseOf{
		{"C-01", caseOldTreeAgain},
		{"C-04", caseNoSafetyNet},
		{"C-05", caseFirstCapture},
		{"C-06", caseLostRecord},
		{"C-08", caseApprovalsOff},
		{"C-09", caseStoreCannotBeMade},
		{"C-12", caseLostObject},
		{"C-13", casePreviewHolds},
	})
}

// caseOldTreeAgain: a capture holds what is on disk or fails; never what was.
func caseOldTreeAgain(b *book) {
	b.Write("a", "v1\n")
	b.Write("deep/b", "v1\n")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("a", "v2\n")
		b.Write("deep/b", "v2\n")
		b.sh("mkdir -p nested deep/nested; git init -q nested; git init -q deep/nested; echo x > nested/f")
	})
	turn := b.show("T", "1")
	for _, name := range []string{"a", "deep/b"} {
		if got := b.Git("show", turn.Ref+":"+name); got != "v2" {
			b.t.Errorf("%s is captured as %q", name, got)
		}
	}
	var out []string
	for _, n := range turn.LeftOut {
		out = append(out, n.Path)
	}
	if turn.Status != "ready" || strings.Join(out, " ") != "deep/nested nested" {
		b.t.Errorf("%s, left out %q", turn.Status, out)
	}
	before := b.world()
	b.rollback("latest")
	b.same(before, "a", "deep/b")
	b.reads("a", "v1\n")
}

// caseNoSafetyNet: without a repository, or without git, every verb says so and
// none reports success.
func caseNoSafetyNet(b *book) {
	verbs := [][]string{
		{}, {"status"}, {"review"}, {"turn", "start", "--thread", "T"}, {"run", "--", "touch", "ran"}, {"turns"},
		{"diff"}, {"stage", "latest"}, {"plan"}, {"rollback", "--yes"}, {"undo"}, {"redo"}, {"history"},
	}
	refused := func(b *book, code int, why string) {
		b.t.Helper()
		for _, args := range verbs {
			if s := b.exits(code, args...); !strings.Contains(s.stderr, why) || s.stdout != "" {
				b.t.Errorf("%q: stdout %q, stderr %q", args, s.stdout, s.stderr)
			}
		}
		// Where there is nothing to record a hook has nothing to say; else it says why.
		if said := b.hookSays(`{"event":"turn-start","thread":"T","turn_id":"1"}`); (said == "") != (code == 10) {
			b.t.Errorf("the hook says %q", said)
		}
	}
	plain := *b
	plain.dir = b.t.TempDir()
	refused(&plain, 10, "no git repository")
	if names, err := os.ReadDir(plain.dir); err != nil || len(names) > 0 {
		b.t.Errorf("in the plain folder: %v, %v", names, err)
	}

	b.Write("a", "a\n")
	b.Commit("base")
	for _, verb := range []string{"undo", "redo", "turns", "rollback"} {
		if s := b.overturn(verb); s.code == 0 || s.stdout != "" || s.stderr == "" {
			b.t.Errorf("%s with nothing recorded: %+v", verb, s)
		}
	}
	fresh := b.another()
	before := fresh.world()
	noGit := "PATH=" + b.t.TempDir()
	refused(fresh.with(noGit), 1, "git program is not found")
	fresh.same(before)
	if refs := fresh.Git("for-each-ref"); refs != "" {
		b.t.Errorf("refs: %s", refs)
	}
	// What is known of a repository may be enough for a capture without git: then
	// it is whole. Else its status says that it is not there.
	b.turn("T", func() { b.Write("a", "agent\n") })
	bare := b.with(noGit)
	bare.overturn("turn", "start", "--thread", "T")
	b.Write("a", "without git\n")
	b.Write("new", "without git\n")
	bare.overturn("turn", "end", "--thread", "T")
	switch turn := b.newest("T"); {
	case turn.Turn != 2 || turn.Status != "ready":
		if turn.Turn == 2 && turn.StatusReason == "" {
			b.t.Errorf("no reason: %+v", turn)
		}
	case b.Git("show", turn.Ref+":a") != "without git" || b.Git("show", turn.Ref+":new") != "without git":
		b.t.Errorf("ready, and not what was on disk: %+v", turn)
	}
	if s := bare.overturn("undo"); s.code == 0 {
		b.t.Errorf("undo of nothing: %+v", s)
	}
	// Per turn: an end whose start was never captured says what that means.
	b.ok("turn", "end", "--thread", "late", "--turn-id", "7")
	if got := b.show("late", "1"); got.Status != "missing" || got.StatusReason == "" || got.Files != nil {
		b.t.Errorf("%+v", got)
	}
	if s := b.exits(0, "doctor"); !strings.Contains(s.stdout, "1 turn without a snapshot, nothing is to be done: late/1") {
		b.t.Errorf("doctor says %s", s.stdout)
	}
}

// caseFirstCapture: the first turn in a fresh repository is whole.
func caseFirstCapture(b *book) {
	b.Write("mine", "mine\n")
	before := b.world()
	b.hook(`{"event":"turn-start","thread":"T","turn_id":"1","prompt":"p"}`)
	start := b.show("T", "1")
	if b.Git("rev-parse", start.Start.Ref+"^{tree}") != start.Start.Tree || start.Start.Tree == "" {
		b.t.Errorf("start: %+v", start.Start)
	}
	b.Write("mine", "agent\n")
	b.Write("new", "agent\n")
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"1"}`)
	if got := b.show("T", "1").names(); got != "mine modified, new added" {
		b.t.Errorf("files: %s", got)
	}
	b.rollback("latest")
	b.restored(before)
}

// caseApprovalsOff: captures hang on the boundaries of a turn, whatever the agent
// may do without asking.
func caseApprovalsOff(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	event := func(name, more string) {
		b.hook(fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":%q,"permission_mode":"bypassPermissions"%s}`, name, b.Root, more), "claude-code")
	}
	event("UserPromptSubmit", `,"prompt":"go"`)
	const write = `,"tool_name":"Write","tool_use_id":"t1","tool_input":{"file_path":"a","content":"agent\n"}`
	event("PreToolUse", write)
	b.Write("a", "agent\n")
	event("PostToolUse", write)
	event("Stop", `,"stop_hook_active":false`)
	turn := b.newest("s")
	for _, ref := range []string{turn.Start.Ref, turn.End.Ref} {
		if got := b.Git("cat-file", "-t", ref); got != "commit" {
			b.t.Errorf("%s is a %q", ref, got)
		}
	}
	if turn.names() != "a modified" {
		b.t.Errorf("files: %s", turn.names())
	}
	b.rollback("latest")
	b.reads("a", "a\n")
}

// caseStoreCannotBeMade: a store that cannot be made costs the protection, which
// is said with the reason, and nothing else.
func caseStoreCannotBeMade(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.Write("a", "changed\n")
	b.Write(".git/overturn", "a file where the folder belongs\n")
	before := b.world()
	hook := b.hookSays(`{"event":"turn-start","thread":"T","turn_id":"1"}`)
	if !strings.Contains(hook, ".git/overturn") {
		b.t.Errorf("the hook says %q", hook)
	}
	for _, args := range [][]string{{"status"}, {"turn", "start", "--thread", "T"}, {"diff", "working"}, {"run", "--", "touch", "ran"}} {
		s := b.overturn(args...)
		if all := s.stdout + s.stderr; s.code > 1 || s.code < 0 || !strings.Contains(all, ".git/overturn") || strings.Contains(all, "goroutine") {
			b.t.Errorf("%q: %+v", args, s)
		}
	}
	s := b.screen()
	if err := s.Wait("not protected", 10*time.Second); err != nil {
		b.t.Fatal(err)
	}
	b.leave(s)
	b.same(before)
	b.gone("ran")
	b.sh("rm .git/overturn")
	b.turn("T", func() { b.Write("a", "agent\n") })
	b.rollback("latest")
	b.reads("a", "changed\n")
}

// casePreviewHolds: what is done is the list of the preview, path by path, with
// the very bytes that it names.
func casePreviewHolds(b *book) {
	b.Write("edited", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
	b.Write("deleted", "d\n")
	b.Write("mode", "m\n")
	b.Write("clash", "c\n")
	b.Write("user", "u\n")
	b.Symlink("edited", "link")
	b.Commit("base")
	b.turn("T", func() {
		b.Write("edited", strings.Replace(b.Read("edited"), "9", "agent", 1))
		b.Write("clash", "agent\n")
		b.Write("new/created", "n\n")
		b.Chmod("mode", 0o755)
		b.sh("rm deleted; ln -sf user link")
	})
	b.Write("edited", strings.Replace(b.Read("edited"), "1", "user", 1))
	b.Write("clash", "user\n")
	b.Write("user", "user\n")
	b.Write("untracked", "user\n")
	b.stage("latest")
	preview := b.preview()
	before := b.world()
	b.carry(5)
	b.same(before) // refused: nothing of the list
	done := b.carry(3, "--partial")
	after := b.world()
	changed := map[string]bool{"new": true} // the folder that the turn made
	for _, t := range preview.Targets {
		if t.Verdict == "conflict" {
			continue
		}
		changed[t.Path] = true
		if got := b.stateOf(t.Path); got != t.To {
			b.t.Errorf("%s is %+v, the preview says %+v", t.Path, got, t.To)
		}
	}
	if len(changed) != 6 {
		b.t.Errorf("preview: %+v", preview.Targets)
	}
	for name := range before.files {
		if (before.files[name] != after.files[name]) != changed[name] {
			b.t.Errorf("%s: was %q, is %q", name, before.files[name], after.files[name])
		}
	}
	if got := done.paths(); got != "restored link, restored mode, created deleted, deleted new/created, merged edited" || len(done.Skipped) != 1 || done.Skipped[0].Path != "clash" {
		b.t.Errorf("done: %s, skipped %+v", got, done.Skipped)
	}
}
