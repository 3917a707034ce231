package agenthooks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// claude is a payload of Claude Code's; more are its further members.
func (r *replay) claude(event, session, prompt, more string) fired {
	return fired{Event: event, Env: map[string]string{"CLAUDE_PROJECT_DIR": r.repo.Root}, Stdin: json.RawMessage(fmt.Sprintf(
		`{"session_id":%q,"prompt_id":%q,"hook_event_name":%q,"cwd":%q%s}`, session, prompt, event, r.repo.Root, more))}
}

// codex is one of Codex's.
func (r *replay) codex(event, session, turn, more string) fired {
	return fired{Event: event, Stdin: json.RawMessage(fmt.Sprintf(
		`{"session_id":%q,"turn_id":%q,"hook_event_name":%q,"cwd":%q%s}`, session, turn, event, r.repo.Root, more))}
}

func (r *replay) wants(want ...string) {
	r.t.Helper()
	if got := strings.Join(r.turns(), "\n"); got != strings.Join(want, "\n") {
		r.t.Errorf("turns of %s:\n%s\nwant\n%s", r.agent, got, strings.Join(want, "\n"))
	}
}

func (r *replay) wantsOf(thread string, want ...string) {
	r.t.Helper()
	if got := strings.Join(r.turnsOf(thread), "\n"); got != strings.Join(want, "\n") {
		r.t.Errorf("turns of %s in %s:\n%s\nwant\n%s", r.agent, thread, got, strings.Join(want, "\n"))
	}
}

// TestEndComesAgain: a Stop hook of the user's makes the agent work on; the second end
// moves the first, and no turn is added. A third without work changes nothing.
func TestEndComesAgain(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "claude-code")
	r.fire(r.claude("UserPromptSubmit", "S", "p1", `,"prompt":"go"`))
	r.fire(r.claude("PostToolUse", "S", "p1", `,"tool_name":"Write","tool_use_id":"c1","tool_input":{"file_path":"`+r.repo.Path("b.txt")+`"}`))
	r.fire(r.claude("Stop", "S", "p1", ""))
	r.wants("completed ready b.txt=agent")
	r.fire(r.claude("PreToolUse", "S", "p1", `,"tool_name":"Write","tool_use_id":"c2","tool_input":{"file_path":"`+r.repo.Path("c.txt")+`"}`))
	r.fire(r.claude("PostToolUse", "S", "p1", `,"tool_name":"Write","tool_use_id":"c2","tool_input":{"file_path":"`+r.repo.Path("c.txt")+`"}`))
	for range 2 {
		r.fire(r.claude("Stop", "S", "p1", `,"stop_hook_active":true`))
	}
	r.wants("completed ready b.txt=agent c.txt=agent")
}

// TestToolEndsAfterItsTurn: what a tool tells after the end belongs to the closed turn,
// effects too, and opens none.
func TestToolEndsAfterItsTurn(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "codex")
	r.fire(r.codex("UserPromptSubmit", "S", "1", `,"prompt":"go"`))
	r.fire(r.codex("PreToolUse", "S", "1", `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"git push origin main"}`))
	r.fire(r.codex("Interrupt", "S", "1", ""))
	r.fire(r.codex("PostToolUse", "S", "1", `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"git push origin main"},"tool_response":"Exit code: 1\nno"`))
	r.wants("interrupted ready [publication: git push origin main (failed)]")
}

// TestHooksInTwoFiles: the same hooks stand in two settings files of one repository, so
// that each event comes twice at the same time: one turn, and each effect once.
func TestHooksInTwoFiles(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "claude-code")
	push := `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"git push origin main && ./deploy.sh prod"}`
	for _, f := range []fired{
		r.claude("SessionStart", "S", "", `,"source":"startup"`), r.claude("UserPromptSubmit", "S", "p1", `,"prompt":"go"`),
		r.claude("PreToolUse", "S", "p1", push), r.claude("PostToolUse", "S", "p1", push), r.claude("Stop", "S", "p1", ""),
	} {
		if f.Event == "PostToolUse" {
			r.repo.Write("b.txt", "made\n")
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if out := r.hook(f); out != "" {
					t.Errorf("%s said %q", f.Event, out)
				}
			})
		}
		both.Wait()
	}
	r.wants("completed ready b.txt=agent [other: unclassified command: deploy.sh prod] [publication: git push origin main]")
}

// TestTwoAgentsAtOnce: turns of two agents overlap in one work tree. What a tool named is
// its agent's; what changed while both ran and no tool named is nobody's for sure.
func TestTwoAgentsAtOnce(t *testing.T) {
	t.Parallel()
	claude := newReplay(t, "claude-code")
	codex := claude.of("codex")
	claude.fire(claude.claude("UserPromptSubmit", "C", "p1", `,"prompt":"go"`))
	codex.fire(codex.codex("UserPromptSubmit", "X", "1", `,"prompt":"go"`))
	claude.fire(claude.claude("PostToolUse", "C", "p1", `,"tool_name":"Write","tool_use_id":"c1","tool_input":{"file_path":"`+claude.repo.Path("claude.txt")+`"}`))
	codex.fire(codex.codex("PostToolUse", "X", "1", `,"tool_name":"apply_patch","tool_use_id":"x1","tool_input":{"command":"*** Begin Patch\n*** Add File: codex.txt\n*** End Patch"}`))
	claude.fire(claude.claude("PreToolUse", "C", "p1", `,"tool_name":"Bash","tool_use_id":"c2","tool_input":{"command":"make"}`))
	codex.fire(codex.codex("PreToolUse", "X", "1", `,"tool_name":"Bash","tool_use_id":"x2","tool_input":{"command":"make"}`))
	claude.repo.Write("built.txt", "by one of them\n")
	claude.fire(claude.claude("PostToolUse", "C", "p1", `,"tool_name":"Bash","tool_use_id":"c2","tool_input":{"command":"make"}`))
	codex.fire(codex.codex("PostToolUse", "X", "1", `,"tool_name":"Bash","tool_use_id":"x2","tool_input":{"command":"make"}`))
	claude.fire(claude.claude("Stop", "C", "p1", ""))
	codex.fire(codex.codex("Stop", "X", "1", ""))
	const built = " [other: unclassified command: make]"
	claude.wantsOf("C", "completed ready built.txt=unknown claude.txt=agent codex.txt=agent"+built)
	codex.wantsOf("X", "completed ready built.txt=unknown claude.txt=agent codex.txt=agent"+built)

	// A rollback of one agent's turn leaves the other's file, and what may be either's.
	var plan struct {
		Targets, Kept []struct{ Path string }
		Effects       []struct{ Domain string }
		Reversible    string
	}
	claude.ok("stage", "1", "--thread", "C")
	claude.json(&plan, "plan")
	if len(plan.Targets) != 1 || plan.Targets[0].Path != "claude.txt" || len(plan.Kept) != 2 || plan.Reversible != "unknown" || len(plan.Effects) != 1 {
		t.Errorf("the plan: %+v", plan)
	}
}

// TestSubAgents: what a sub-agent did is part of its parent's turn.
func TestSubAgents(t *testing.T) {
	t.Parallel()
	r := newReplay(t, "claude-code")
	r.fire(r.claude("UserPromptSubmit", "S", "p1", `,"prompt":"go"`))
	r.fire(r.claude("PreToolUse", "S", "p1", `,"tool_name":"Task","tool_use_id":"c1","tool_input":{"prompt":"do"}`))
	r.fire(r.claude("SubagentStart", "S", "p1", `,"agent_id":"a1","agent_type":"general"`))
	r.fire(r.claude("PostToolUse", "S", "p1", `,"agent_id":"a1","tool_name":"Write","tool_use_id":"c2","tool_input":{"file_path":"`+r.repo.Path("sub.txt")+`"}`))
	r.fire(r.claude("SubagentStop", "S", "p1", `,"agent_id":"a1"`))
	r.fire(r.claude("PostToolUse", "S", "p1", `,"tool_name":"Task","tool_use_id":"c1","tool_input":{"prompt":"do"}`))
	r.fire(r.claude("Stop", "S", "p1", ""))
	r.wants("completed ready sub.txt=agent")
}

// TestAgentInAnAgent: the shell tool of one agent starts another, which has the first
// one's environment. Each has its thread and its turn; a repository beside is told from
// the one that the first stands in.
func TestAgentInAnAgent(t *testing.T) {
	t.Parallel()
	outer := newReplay(t, "claude-code")
	env := map[string]string{"CLAUDE_PROJECT_DIR": outer.repo.Root, "CLAUDE_CODE_SESSION_ID": "C", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDECODE": "1", "CLAUDE_CONFIG_DIR": "/nowhere"}
	within := func(f fired) fired { f.Env = env; return f }
	bash := `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"codex exec 'write it'"}`
	outer.fire(outer.claude("UserPromptSubmit", "C", "p1", `,"prompt":"ask codex"`))
	outer.fire(outer.claude("PreToolUse", "C", "p1", bash))

	inner := outer.of("codex")
	inner.fire(within(inner.codex("SessionStart", "X", "", `,"source":"startup"`)))
	inner.fire(within(inner.codex("UserPromptSubmit", "X", "1", `,"prompt":"write it"`)))
	inner.fire(within(inner.codex("PostToolUse", "X", "1", `,"tool_name":"apply_patch","tool_use_id":"x1","tool_input":{"command":"*** Begin Patch\n*** Add File: codex.txt\n*** End Patch"}`)))
	inner.fire(within(inner.codex("Stop", "X", "1", "")))
	inner.fire(within(inner.codex("SessionEnd", "X", "", `,"reason":"other"`)))

	elsewhere := newReplay(t, "codex")
	elsewhere.env = outer.env
	elsewhere.fire(within(elsewhere.codex("UserPromptSubmit", "Y", "1", `,"prompt":"over there"`)))
	elsewhere.fire(within(elsewhere.codex("PostToolUse", "Y", "1", `,"tool_name":"apply_patch","tool_use_id":"y1","tool_input":{"command":"*** Begin Patch\n*** Add File: there.txt\n*** End Patch"}`)))
	elsewhere.fire(within(elsewhere.codex("Stop", "Y", "1", "")))

	outer.fire(outer.claude("PostToolUse", "C", "p1", bash))
	outer.fire(outer.claude("Stop", "C", "p1", ""))
	inner.wantsOf("X", "completed ready codex.txt=agent")
	outer.wantsOf("C", "completed ready codex.txt=agent [other: unclassified command: codex exec write it]")
	elsewhere.wantsOf("Y", "completed ready there.txt=agent")
	if ids := outer.threads(); len(ids) != 2 {
		t.Errorf("threads: %q", ids)
	}
}

// cursor is a payload as Cursor gives it to its own hooks and, under event's name there,
// to those in Claude Code's files. It begins with a mark of byte order.
func (r *replay) cursor(event, more string) fired {
	raw := fmt.Sprintf("\xEF\xBB\xBF"+`{"conversation_id":"K","generation_id":"g1","session_id":"K","hook_event_name":%q,"cwd":"","workspace_roots":[%q],"cursor_version":"3.18.2"%s}`,
		event, r.repo.Root, more)
	return fired{Event: event, Env: map[string]string{"CLAUDE_PROJECT_DIR": r.repo.Root, "CURSOR_VERSION": "3.18.2"}, Stdin: json.RawMessage(raw)}
}

// TestCursorRunsHooksOfClaudeCode: Cursor runs the hooks in Claude Code's files too. Where
// only those are there, the turn is recorded, as Cursor's; where Cursor's own are there
// as well, it is recorded once.
func TestCursorRunsHooksOfClaudeCode(t *testing.T) {
	t.Parallel()
	for name, own := range map[string]bool{"only theirs": false, "its own too": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplay(t, "cursor")
			r.repo.Git("config", "core.excludesFile", r.repo.Path(".git/excluded"))
			r.repo.Write(".git/excluded", ".claude/\n.cursor/\n")
			r.ok("enable", "claude-code")
			if own {
				r.ok("enable", "cursor", "--where", "project")
			}
			theirs := r.of("claude-code")
			push := `"git push origin main"`
			for _, both := range [][2]fired{
				{r.cursor("sessionStart", ""), r.cursor("SessionStart", "")},
				{r.cursor("beforeSubmitPrompt", `,"prompt":"go"`), r.cursor("UserPromptSubmit", `,"prompt":"go"`)},
				{r.cursor("beforeShellExecution", `,"command":`+push), r.cursor("PreToolUse", `,"tool_name":"Shell","tool_use_id":"k1","tool_input":{"command":`+push+`}`)},
				{r.cursor("afterShellExecution", `,"command":`+push), r.cursor("PostToolUse", `,"tool_name":"Shell","tool_use_id":"k1","tool_input":{"command":`+push+`}`)},
				{r.cursor("afterFileEdit", `,"file_path":"`+r.repo.Path("b.txt")+`"`), r.cursor("PostToolUse", `,"tool_name":"Write","tool_use_id":"k2","tool_input":{"file_path":"`+r.repo.Path("b.txt")+`"}`)},
				{r.cursor("stop", `,"status":"completed"`), r.cursor("Stop", `,"status":"completed"`)},
			} {
				r.repo.Write("b.txt", "made by "+both[0].Event+"\n")
				if own {
					r.fire(both[0])
				}
				if out := theirs.hook(both[1]); out != "" {
					t.Errorf("%s said %q", both[1].Event, out)
				}
			}
			r.wants("completed ready b.txt=agent [publication: git push origin main]")
			if ids := r.threads(); len(ids) != 1 {
				t.Errorf("threads: %q", ids)
			}
			if trace, err := os.ReadFile(r.repo.Path(".git/overturn/trace.jsonl")); err != nil || strings.Contains(string(trace), "failed") {
				t.Errorf("the trace: %v\n%s", err, trace)
			}
		})
	}
}
