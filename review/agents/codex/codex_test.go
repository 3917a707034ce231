package codex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/review/agents"
	"overturn/review/agents/agenttest"
	"overturn/review/agents/codex"
)

func TestContract(t *testing.T) {
	agenttest.Parser(t, codex.New(), true)
	agenttest.Installer(t, codex.New())
}

func TestPatchPaths(t *testing.T) {
	for _, c := range []struct {
		patch string
		want  string
	}{
		{"*** Begin Patch\n*** Add File: a b.txt\n+*** Add File: no\n*** Update File: c\n*** Move to: d/e\n@@\n-x\n+y\n*** Delete File: f\r\n*** End Patch\n*** Add File: late", "a b.txt|c|d/e|f"},
		{"apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Update File: a\n*** End Patch\nEOF", "a"},
		{"*** Begin Patch\n*** Add File: cut", "cut"},
		{"*** Add File: outside", ""},
		{"*** Begin Patch\n*** Add File: \n*** End of File\n*** Rename File: x\n*** nonsense", ""},
		{"", ""},
	} {
		if got := strings.Join(codex.PatchPaths(c.patch), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.patch, got, c.want)
		}
	}
}

func TestParticulars(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":["bash","-lc","git push"]}}`, "PostToolUse post-tool tool=Bash command=git push"},
		{`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"apply_patch <<'E'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nE"}}`, "PostToolUse post-tool tool=Bash writes=x"},
		{`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"x"},"tool_response":"Exit code: 1\nno"}`, "PostToolUse post-tool tool=apply_patch failed"},
		{`{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"mcp__x","tool_input":{}}`, "PostToolUse post-tool tool=mcp__x"},
		{`{"session_id":"s","hook_event_name":"PreModelRequest"}`, "PreModelRequest ignored"},
		{`{"session_id":"s","hook_event_name":"SomethingNew"}`, "SomethingNew ignored"},
	} {
		e, err := codex.New().Parse(agents.Payload{Raw: []byte(c.raw)})
		if err != nil || agenttest.Line(e) != c.want {
			t.Errorf("%s: %q, %v", c.raw, agenttest.Line(e), err)
		}
	}
}

// TestTrust: a hook counts as trusted when config.toml has an entry for its place.
func TestTrust(t *testing.T) {
	a, h := codex.New(), agenttest.Host(t, nil)
	dir := filepath.Join(h.Getenv("HOME"), ".codex")
	s := agents.Settings{Where: agents.User, Path: filepath.Join(dir, "hooks.json")}
	if trusted, note := a.Trust(h, s); trusted != "unknown" || !strings.Contains(note, "/hooks") {
		t.Errorf("without a file: %q %q", trusted, note)
	}
	if _, err := agents.Enable(a, s, agents.HookCommand("overturn", "codex", true)); err != nil {
		t.Fatal(err)
	}
	if trusted, _ := a.Trust(h, s); trusted != "no" {
		t.Errorf("without a configuration: %q", trusted)
	}
	events := []string{"session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "stop", "interrupt", "session_end"}
	config := "model = \"" + s.Path + ":stop:0:0\"\n"
	for i, e := range events {
		write(t, filepath.Join(dir, "config.toml"), config)
		if trusted, _ := a.Trust(h, s); trusted != "no" {
			t.Errorf("with %d of %d trusted: %q", i, len(events), trusted)
		}
		config += "\n[hooks.state.\"" + s.Path + ":" + e + ":0:0\"]\ntrusted_hash = \"sha256:0\"\n"
	}
	write(t, filepath.Join(dir, "config.toml"), config)
	if trusted, note := a.Trust(h, s); trusted != "yes" || note != "" {
		t.Errorf("with all trusted: %q %q", trusted, note)
	}
	last := "[hooks.state.\"" + s.Path + ":session_end:0:0\"]\n"
	before, _, _ := strings.Cut(config, last)
	inline := "\n[hooks.state]\n'" + s.Path + ":session_end:0:0' = { "
	for entry, want := range map[string]string{
		last + "trusted_hash = \"sha256:0\"\nenabled = true\n":               "yes",
		last + "enabled=false\ntrusted_hash = \"sha256:0\"\n":                "no",
		last + "enabled = true\n\n[other]\ntrusted_hash = \"sha256:0\"\n":    "no",
		inline + "trusted_hash = \"sha256:0\" }\n":                           "yes",
		inline + "enabled = false, trusted_hash = \"sha256:0\" }\n":          "no",
		inline + "enabled = true }, 'x' = { trusted_hash = \"sha256:0\" }\n": "no",
	} {
		write(t, filepath.Join(dir, "config.toml"), before+entry)
		if trusted, _ := a.Trust(h, s); trusted != want {
			t.Errorf("with the entry %q: %q, want %q", entry, trusted, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func FuzzParse(f *testing.F) { agenttest.Fuzz(f, codex.New()) }

func FuzzPatchPaths(f *testing.F) {
	f.Add("*** Begin Patch\n*** Add File: a\n*** Move to: b\n*** End Patch")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range codex.PatchPaths(text) {
			if p == "" || strings.ContainsRune(p, '\n') || !strings.Contains(text, p) {
				t.Fatalf("%q from %q", p, text)
			}
		}
	})
}
