package agenthooks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// talker is how an agent asks and answers, as its hooks tell it.
type talker struct {
	agent             string
	prompt, tool, end func(r *replay, session string, turn int) fired
	read              func(said string) (context, notice string, err error)
}

func (r *replay) event(name, raw string, a ...any) fired {
	return fired{Event: name, Stdin: json.RawMessage(fmt.Sprintf(raw, a...))}
}

// hooked reads an answer in the form of Claude Code, Codex and Gemini CLI.
func hooked(event string) func(string) (string, string, error) {
	return func(said string) (string, string, error) {
		var out struct {
			SystemMessage      string
			HookSpecificOutput struct{ HookEventName, AdditionalContext string }
		}
		err := json.Unmarshal([]byte(said), &out)
		if out.HookSpecificOutput.HookEventName != event {
			err = fmt.Errorf("it answers %q: %w", out.HookSpecificOutput.HookEventName, err)
		}
		return out.HookSpecificOutput.AdditionalContext, out.SystemMessage, err
	}
}

func plainly(said string) (context, notice string, err error) {
	var out struct {
		Context string `json:"additional_context"`
		Notice  string
	}
	err = json.Unmarshal([]byte(said), &out)
	return out.Context, out.Notice, err
}

func talkers() []talker {
	claudeLike := func(agent, turnKey, start, end string, tool func(r *replay) string) talker {
		common := func(r *replay, session string, turn int, event string) string {
			return fmt.Sprintf(`"session_id":%q,%q:"t%d","hook_event_name":%q,"cwd":%q`, session, turnKey, turn, event, r.repo.Root)
		}
		return talker{agent: agent, read: hooked(start),
			prompt: func(r *replay, s string, n int) fired {
				return r.event(start, `{%s,"prompt":"go"}`, common(r, s, n, start))
			},
			tool: func(r *replay, s string, n int) fired {
				return r.event("PostToolUse", `{%s,%s}`, common(r, s, n, "PostToolUse"), tool(r))
			},
			end: func(r *replay, s string, n int) fired { return r.event(end, `{%s}`, common(r, s, n, end)) }}
	}
	write := func(r *replay) string {
		return fmt.Sprintf(`"tool_name":"Write","tool_input":{"file_path":%q}`, r.repo.Path("b.txt"))
	}
	patch := func(*replay) string {
		return `"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: b.txt\n*** End Patch"}`
	}
	gemini := claudeLike("gemini", "x", "BeforeAgent", "AfterAgent", nil)
	gemini.tool = func(r *replay, s string, _ int) fired {
		return r.event("AfterTool", `{"session_id":%q,"hook_event_name":"AfterTool","cwd":%q,"tool_name":"write_file","tool_input":{"file_path":%q}}`, s, r.repo.Root, r.repo.Path("b.txt"))
	}
	camel := func(name, more string) func(r *replay, s string, n int) fired {
		return func(r *replay, s string, n int) fired {
			return r.event(name, `{"sessionId":%q,"cwd":%q,"timestamp":%d%s}`, s, r.repo.Root, r.tick(), more)
		}
	}
	copilot := talker{agent: "copilot", prompt: camel("userPromptSubmitted", `,"prompt":"go"`), end: camel("agentStop", ""),
		tool: camel("postToolUse", `,"toolName":"create","toolArgs":{"path":"b.txt"}`),
		read: func(said string) (string, string, error) {
			var out struct{ AdditionalContext string }
			err := json.Unmarshal([]byte(said), &out)
			return out.AdditionalContext, "", err
		}}
	own := func(more string) func(r *replay, s string, n int) fired {
		return func(r *replay, s string, n int) fired {
			return r.event("", `{"thread":%q,"turn_id":"t%d","cwd":%q,%s}`, s, n, r.repo.Root, more)
		}
	}
	plugin := func(agent string) talker {
		return talker{agent: agent, read: plainly, prompt: own(`"event":"turn-start","prompt":"go","reports_tools":true,"takes_context":true`),
			tool: own(`"event":"post-tool","tool":"write","paths":["b.txt"]`), end: own(`"event":"turn-end"`)}
	}
	return []talker{claudeLike("claude-code", "prompt_id", "UserPromptSubmit", "Stop", write),
		claudeLike("codex", "turn_id", "UserPromptSubmit", "Stop", patch), gemini, copilot, plugin("opencode"), plugin("generic")}
}

// tick is the time of an event, in milliseconds, as it goes on.
func (r *replay) tick() int64 { return time.Now().UnixMilli() }

// turn is one whole turn that makes b.txt; it returns what the prompt's hook said.
func (k talker) turn(r *replay, session string, n int) string {
	r.t.Helper()
	said := r.hook(k.prompt(r, session, n))
	r.fire(k.tool(r, session, n))
	r.fire(k.end(r, session, n))
	return said
}

// TestAgentIsToldOfARollback: with agents.tell on, the next prompt of the thread brings
// what was taken back of it and why, once.
func TestAgentIsToldOfARollback(t *testing.T) {
	t.Parallel()
	for _, k := range talkers() {
		t.Run(k.agent, func(t *testing.T) {
			t.Parallel()
			r := newReplay(t, k.agent)
			r.ok("config", "set", "agents.tell", "rollbacks")
			if said := k.turn(r, "S", 1); said != "" {
				t.Errorf("nothing was taken back, and it said %q", said)
			}
			r.back("no state in files")
			if said := r.hook(k.prompt(r, "other", 1)); said != "" {
				t.Errorf("another thread was told %q", said)
			}
			r.fire(k.end(r, "other", 1))
			context, notice, err := k.read(r.hook(k.prompt(r, "S", 2)))
			if err != nil || !strings.Contains(context, "1. b.txt\n   Why: no state in files\n") || !strings.Contains(context, "Do not make them again") {
				t.Errorf("it was told %q, %v", context, err)
			}
			if want := "overturn: told with this prompt: 1 change that you took back"; notice != want && k.agent != "copilot" { // which has no place for it

				t.Errorf("its user sees %q", notice)
			}
			r.fire(k.end(r, "S", 2))
			if said := r.hook(k.prompt(r, "S", 3)); said != "" {
				t.Errorf("told again: %q", said)
			}
			if trace := r.ok("trace"); strings.Count(trace, "agent.told") != 1 || strings.Contains(trace, "failed") {
				t.Errorf("the trace:\n%s", trace)
			}
		})
	}
}

// back takes the newest turn's b.txt back.
func (r *replay) back(why string) {
	r.t.Helper()
	r.ok("stage", "latest", "--", "b.txt")
	var plan struct{ Fingerprint string }
	r.json(&plan, "plan")
	r.ok("rollback", "--why", why, "--expect", plan.Fingerprint)
}

// TestAgentIsNotTold: nothing is said while the setting is off, which it is unless the
// user's own file or the environment has it on; nor of what was undone, nor of what was
// taken back before the turn that ended last.
func TestAgentIsNotTold(t *testing.T) {
	t.Parallel()
	k := talkers()[0]
	for name, c := range map[string]struct {
		on   string
		then func(r *replay)
	}{
		"off":               {"off", func(*replay) {}},
		"undone":            {"rollbacks", func(r *replay) { r.ok("undo") }},
		"an older rollback": {"rollbacks", func(r *replay) { k.turn(r, "S", 2); r.turns() }},
		"by the repository": {"off", func(r *replay) { r.repo.Write(".overturn/settings.json", `{"agents":{"tell":"rollbacks"}}`) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReplay(t, k.agent)
			k.turn(r, "S", 1)
			r.back("no")
			c.then(r)
			r.ok("config", "set", "agents.tell", c.on)
			if said := r.hook(k.prompt(r, "S", 3)); said != "" {
				t.Errorf("it said %q", said)
			}
		})
	}
}

// TestRevertIsTold: the files of whole turns went and the conversation stayed, so that the
// agent still speaks of them.
func TestRevertIsTold(t *testing.T) {
	t.Parallel()
	k := talkers()[1]
	r := newReplay(t, k.agent)
	r.env = append(r.env, "OVERTURN_AGENTS_TELL=rollbacks")
	k.turn(r, "S", 1)
	var plan struct{ Fingerprint string }
	r.json(&plan, "revert", "--to", "0", "--plan", "--keep-conversation")
	r.ok("revert", "--to", "0", "--keep-conversation", "--expect", plan.Fingerprint)
	if context, _, err := k.read(r.hook(k.prompt(r, "S", 2))); err != nil || !strings.Contains(context, "1. b.txt\n") {
		t.Errorf("it was told %q, %v", context, err)
	}
}

// TestRedoneIsTold: what was undone and done again is taken back after all.
func TestRedoneIsTold(t *testing.T) {
	t.Parallel()
	k := talkers()[0]
	r := newReplay(t, k.agent)
	r.env = append(r.env, "OVERTURN_AGENTS_TELL=rollbacks")
	k.turn(r, "S", 1)
	r.back("the second time too")
	r.ok("undo")
	r.ok("redo")
	if context, _, err := k.read(r.hook(k.prompt(r, "S", 2))); err != nil || !strings.Contains(context, "Why: the second time too") {
		t.Errorf("it was told %q, %v", context, err)
	}
}

// TestHandOverComesFirst: what the user handed over holds the take-backs; they are not
// told a second time.
func TestHandOverComesFirst(t *testing.T) {
	t.Parallel()
	k := talkers()[2]
	r := newReplay(t, k.agent)
	r.env = append(r.env, "OVERTURN_AGENTS_TELL=rollbacks")
	k.turn(r, "S", 1)
	r.back("no")
	r.ok("comments", "add", "a.txt:1", "Two, please.")
	r.ok("comments", "--hand-over")
	context, notice, err := k.read(r.hook(k.prompt(r, "S", 2)))
	if err != nil || !strings.Contains(context, "Two, please.") || !strings.Contains(context, "Why: no") || !strings.Contains(notice, "1 comment and 1 change") {
		t.Errorf("it was told %q, %q, %v", context, notice, err)
	}
	r.fire(k.end(r, "S", 2))
	if said := r.hook(k.prompt(r, "S", 3)); said != "" {
		t.Errorf("told again: %q", said)
	}
}
