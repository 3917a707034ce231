//go:build linux || darwin

package casebook_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// prompted is a prompt's hook of an agent; it returns what the agent reads.
func (b *book) prompted(agent, thread string) (context, notice string) {
	b.t.Helper()
	said := b.fed(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"UserPromptSubmit","cwd":%q,"prompt":"go on"}`, thread, b.Root), "hook", agent)
	if said.code != 0 || said.stderr != "" {
		b.t.Errorf("hook: %+v", said)
	}
	if said.stdout == "" {
		return "", ""
	}
	var out struct {
		SystemMessage      string
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(said.stdout), &out); err != nil || out.HookSpecificOutput.HookEventName != "UserPromptSubmit" {
		b.t.Errorf("the agent cannot read %q: %v", said.stdout, err)
	}
	return out.HookSpecificOutput.AdditionalContext, out.SystemMessage
}

func (b *book) stopped(agent, thread string) {
	b.t.Helper()
	if said := b.fed(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"Stop","cwd":%q}`, thread, b.Root), "hook", agent); said.code != 0 || said.stdout+said.stderr != "" {
		b.t.Errorf("hook: %+v", said)
	}
}

// What the user asked for is said with the thread's next prompt, once, word for word;
// without being asked for, and to other threads, nothing is.
func TestHandOverToTheAgent(t *testing.T) {
	for _, agent := range []string{"claude-code", "codex"} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			b := openBook(t)
			b.Write("a.go", "package a\n\nfunc f() {}\n")
			b.Write("b.go", "package b\n")
			b.Commit("base")
			if said, _ := b.prompted(agent, "S"); said != "" {
				t.Errorf("nothing was written, and %q was said", said)
			}
			b.Write("a.go", "package a\n\nfunc g() {}\n")
			b.Write("b.go", "package b\n\nvar odd = 1\n")
			b.stopped(agent, "S")
			b.ok("stage", "latest", "--", "b.go")
			b.ok("rollback", "--why", "no state in packages", "--expect", b.plan().Fingerprint)
			b.ok("comments", "add", "a.go:3", "Call it run.")
			if said, _ := b.prompted(agent, "S"); said != "" {
				t.Errorf("it was not asked for, and %q was said", said)
			}
			b.stopped(agent, "S")

			// The take-back lies before the turn that just ended: it is that turn's affair.
			var waiting struct {
				Waiting struct{ Text, Agent, Thread string }
			}
			b.json(0, &waiting, "comments", "--hand-over")
			w := waiting.Waiting
			if w.Agent != agent || w.Thread != "S" || !strings.Contains(w.Text, "a.go:3\n") || strings.Contains(w.Text, "b.go") {
				t.Errorf("waiting: %+v", w)
			}
			if said, _ := b.prompted(agent, "other"); said != "" {
				t.Errorf("to another thread %q was said", said)
			}
			said, notice := b.prompted(agent, "S")
			if said != w.Text || !strings.Contains(notice, "1 comment") {
				t.Errorf("said %q (%q), asked for was %q", said, notice, w.Text)
			}
			if again, _ := b.prompted(agent, "S"); again != "" {
				t.Errorf("said again: %q", again)
			}
			if list := b.ok("comments"); !strings.Contains(list, "handed over now, turn 3") {
				t.Errorf("the list says\n%s", list)
			}
			if trace := b.ok("trace"); strings.Count(trace, "agent.told") != 1 {
				t.Errorf("the trace says\n%s", trace)
			}
			if code := b.overturn("comments", "--hand-over").code; code != 2 {
				t.Errorf("handing over nothing: exit %d", code)
			}
		})
	}
}

// A take-back goes along with its reason; one that was undone does not, and one that
// was done again does.
func TestHandOverTakeBacks(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("b.go", "package b\n")
	b.Commit("base")
	b.prompted("claude-code", "S")
	b.Write("b.go", "package b\n\nvar odd = 1\n")
	b.stopped("claude-code", "S")
	b.ok("stage", "latest", "--", "b.go")
	b.ok("rollback", "--why", "no state in packages", "--expect", b.plan().Fingerprint)
	prompt := b.ok("comments", "--prompt")
	for _, want := range []string{"## Taken back", "1. b.go\n   Why: no state in packages\n```diff\n", "\n-var odd = 1\n"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("%q is not in\n%s", want, prompt)
		}
	}
	b.ok("undo")
	if prompt := b.ok("comments", "--prompt"); prompt != "" {
		t.Errorf("after undo:\n%s", prompt)
	}
	b.ok("redo")
	b.ok("comments", "--hand-over")
	if said, notice := b.prompted("claude-code", "S"); !strings.Contains(said, "Why: no state in packages") || !strings.Contains(notice, "1 change that you took back") {
		t.Errorf("said %q, %q", said, notice)
	}
}

// More than a hook may say stands in a file that the text names.
func TestHandOverOfMuch(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a.txt", "one\n")
	b.Commit("base")
	b.prompted("codex", "S")
	b.stopped("codex", "S")
	for i := range 4 {
		b.ok("comments", "add", "a.txt", fmt.Sprintf("%d %s", i, strings.Repeat("many words ", 400)))
	}
	b.ok("comments", "--hand-over")
	said, _ := b.prompted("codex", "S")
	if len(said) > 9500 || !strings.Contains(said, "handover.md") {
		t.Fatalf("%d bytes: %.200s", len(said), said)
	}
	if all, err := os.ReadFile(b.GitDir() + "/overturn/handover.md"); err != nil || !strings.Contains(string(all), "3 many words") {
		t.Errorf("the file holds %d bytes, %v", len(all), err)
	}
}

// TestAnswerOnScreen: a comment is written, copied through the terminal, and handed
// over; that the agent was told shows by itself.
func TestAnswerOnScreen(t *testing.T) {
	t.Parallel()
	b := openBook(t)
	b.Write("a.go", "package a\n\nfunc f() {}\n")
	b.Commit("base")
	b.prompted("claude-code", "S")
	b.Write("a.go", "package a\n\nfunc g() {}\n")
	b.stopped("claude-code", "S")
	s := b.review(120, 30, "OVERTURN_CLIPBOARD=terminal")
	s.wait("a.go", "hunk 1/1")
	s.press("<enter>c", "Comment on a.go, the hunk of line 3")
	s.press("Call it run.<enter>", "the comment is kept", "◆ comment")
	s.press("Y", "copied 1 comment as one prompt", "OSC 52")
	told := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(b.ok("comments", "--prompt"))) + "\a"
	if !bytes.Contains(s.Bytes(), []byte(told)) {
		t.Error("the terminal was not told what the prompt is")
	}
	s.press("C", "Call it run.", "a.go:3")
	s.press("H", "◆ to be told", "Handed over with the next prompt of claude-code")
	if said, _ := b.prompted("claude-code", "S"); !strings.Contains(said, "Call it run.") {
		t.Errorf("said %q", said)
	}
	s.wait("handed over just now at turn 2")
	s.keys("q")
	if code, err := s.Exit(screenLimit); err != nil || code != 0 {
		t.Errorf("the review ended with %d, %v", code, err)
	}
}
