package casebook_test

import (
	"fmt"
	"strings"
	"time"
)

// caseMissingBase: a turn whose base is gone says so, in every view; it is never
// compared with nothing or with HEAD.
func caseMissingBase(b *book) {
	for i := range 60 {
		b.Write(fmt.Sprintf("d/%d", i), "base\n")
	}
	b.Commit("base")
	b.hook(`{"event":"turn-end","thread":"T","turn_id":"0"}`) // before any start
	if turn := b.show("T", "1"); turn.Status != "missing" || turn.Files != nil {
		b.t.Errorf("an end without a start: %s, files %s", turn.Status, turn.names())
	}
	b.exits(1, "stage", "latest")
	b.hook(`{"event":"turn-start","thread":"U","turn_id":"1"}`)
	b.Write("d/1", "agent\n")
	for range 2 {
		b.hook(`{"event":"turn-end","thread":"U","turn_id":"1"}`)
	}
	if turns := b.ok("turns", "--thread", "U"); strings.Count(turns, "\n") != 1 {
		b.t.Errorf("turns: %s", turns)
	}
	turn := b.show("U", "1")
	if turn.names() != "d/1 modified" {
		b.t.Errorf("turn: %s", turn.names())
	}
	b.Git("update-ref", "-d", turn.Start.Ref)
	before := b.world()
	if turn := b.show("U", "1"); turn.Status != "missing" || !strings.Contains(turn.StatusReason, turn.Start.Ref) {
		b.t.Errorf("status %s: %s", turn.Status, turn.StatusReason)
	}
	for _, args := range []string{"diff latest --name-status", "diff 0..1", "diff thread --stat", "stage latest", "stage thread", "stage 0..1"} {
		s := b.exits(1, append(strings.Fields(args), "--thread", "U")...)
		if s.stdout != "" || !strings.Contains(s.stderr, turn.Start.Ref) || !strings.Contains(s.stderr, "missing") {
			b.t.Errorf("%s: %q, %q", args, s.stdout, s.stderr)
		}
	}
	s := b.screen("review", "--thread", "U")
	if err := s.WaitFor(20*time.Second, "a word for the missing base", func(text string) bool {
		return strings.Contains(text, "missing") && !strings.Contains(text, "d/5")
	}); err != nil {
		b.t.Error(err)
	}
	b.leave(s)
	b.same(before)
}

// caseFoldersOfTheTurn: folders that the turn made go when they are empty, and
// only these.
func caseFoldersOfTheTurn(b *book) {
	b.Write("a", "a\n")
	b.Commit("base")
	b.sh("mkdir -p was/empty")
	before := b.world()
	b.turn("T", func() { b.Write("p/q/r.txt", "agent\n"); b.Write("was/empty/made/s.txt", "agent\n") })
	b.rollback("latest")
	b.restored(before)

	b.turn("T", func() { b.Write("p/q/r.txt", "agent\n"); b.Write("p/other/t.txt", "agent\n") })
	b.Write("p/q/mine", "of the user\n")
	b.rollback("latest")
	b.gone("p/q/r.txt", "p/other")
	b.reads("p/q/mine", "of the user\n")

	b.turn("T", func() { b.Write("p/q/r.txt", "agent\n"); b.Write("was/empty/t.txt", "agent\n") })
	b.rollback("latest")
	if !b.Exists("p/q") || !b.Exists("was/empty") {
		b.t.Error("a folder of the user is gone")
	}
	b.undo()
	b.reads("was/empty/t.txt", "agent\n")
}

// caseChildrenOfTheTurn: what processes and sub-agents of a turn write belongs to
// it, and goes back with one confirmation.
func caseChildrenOfTheTurn(b *book) {
	b.Write("a", "base\n")
	b.Write("b", "base\n")
	b.Commit("base")
	before := b.world()
	b.ok("run", "--thread", "R", "--", "sh", "-ec", "(echo one >> a; echo new > sub-one) & (sleep 0.05; echo two >> b; mkdir s; echo new > s/two) & wait")
	if turn := b.show("R", "1"); turn.names() != "a modified, b modified, s/two added, sub-one added" {
		b.t.Errorf("turn: %s", turn.names())
	}
	b.rollback("latest")
	b.restored(before)

	event := func(name, more string) {
		b.hook(`{"hook_event_name":"`+name+`","session_id":"S","prompt_id":"p1","cwd":"`+b.Root+`"`+more+`}`, "claude-code")
	}
	event("UserPromptSubmit", `,"prompt":"two helpers"`)
	for i, helper := range []string{"a", "b"} {
		event("SubagentStart", `,"agent_id":"`+helper+`"`)
		tool := fmt.Sprintf(`,"agent_id":%q,"tool_name":"Write","tool_use_id":"u%d","tool_input":{"file_path":%q,"content":"x"}`, helper, i, b.Path(helper))
		event("PreToolUse", tool)
		b.Write(helper, "of the helper\n")
		event("PostToolUse", tool)
		event("SubagentStop", `,"agent_id":"`+helper+`"`)
	}
	const shell = `,"tool_name":"Bash","tool_use_id":"u9","tool_input":{"command":"echo of the parent > c"}`
	event("PreToolUse", shell)
	b.Write("c", "of the parent\n")
	event("PostToolUse", shell)
	event("Stop", "")
	if turns := b.ok("turns", "--thread", "S"); strings.Count(turns, "\n") != 1 {
		b.t.Errorf("turns: %s", turns)
	}
	if r := b.rollback("latest", "--thread", "S"); r.paths() != "restored a, restored b, deleted c" {
		b.t.Errorf("rollback: %s", r.paths())
	}
	b.restored(before)
}

// caseBrowsing: looking at older turns changes no file.
func caseBrowsing(b *book) {
	b.Write("a", "base\n")
	b.Commit("base")
	for i := range 3 {
		b.turn("T", func() {
			b.Write("a", fmt.Sprintf("of turn %d\n", i+1))
			b.Write(fmt.Sprintf("made-%d", i+1), "agent\n")
		})
	}
	b.Write("a", "saved by the user\n")
	before := b.world()
	s := b.screen()
	for _, look := range []struct{ keys, shows string }{
		{"", "made-3"}, {"4", "made-2"}, {"(", "made-1"}, {"<enter>jk", "of turn 1"}, {")", "made-2"}, {"1", "saved by"}, {"3", "made-3"}, {"o", ""}, {"<esc>i", ""}, {"<esc>t", ""},
	} {
		if err := s.Send(look.keys); err != nil {
			b.t.Fatal(err)
		}
		if err := s.Wait(look.shows, 20*time.Second); err != nil {
			b.t.Errorf("after %q: %v", look.keys, err)
		}
	}
	b.leave(s)
	b.ok("show", "1")
	b.ok("diff", "1")
	b.ok("diff", "0..2", "--patch")
	b.same(before)
}
