package agenttest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"overturn/review/agents"
)

// shapes are settings files as people, editors and agents write them, with other hooks
// of the event among them.
func shapes(event string) map[string]string {
	nested := `{"matcher": "x", "hooks": [{"type": "command", "command": "say done"}]}`
	return map[string]string{
		"comments, comma at the end":   "{\n\t// mine\n\t\"model\": \"x\", \"hooks\": {},\n}",
		"crlf":                         "{\r\n  \"model\": \"x\",\r\n  \"hooks\": {\r\n    \"" + event + "\": [\r\n      " + nested + "\r\n    ]\r\n  }\r\n}\r\n",
		"mark of byte order":           "\xEF\xBB\xBF{\n  \"hooks\": {}\n}\n",
		"no end of line":               "{\"a\": 1}",
		"blank lines at the end":       "{\"a\": 1}\n\n\n",
		"hooks first, odd order":       "{\n  \"hooks\": {\n    \"ZZZ\": [],\n    \"" + event + "\": [" + nested + "]\n  },\n  \"$schema\": \"s\",\n  \"a\": null\n}\n",
		"foreign, tight":               `{"hooks":{"` + event + `":[{"command":"x"},{"hooks":[{"type":"command","command":"y hook it"}]}]}}`,
		"twice the key":                "{\"hooks\": {\"" + event + "\": []}, \"hooks\": {\"" + event + "\": [" + nested + "]}}\n",
		"twice the event":              "{\"hooks\": {\"" + event + "\": [], \"" + event + "\": [" + nested + "]}}\n",
		"tabs and a note at the end":   "{\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(git push)\"] // ask\n\t}\n}\n// end\n",
		"words that only look like us": "{\"a\": \"overturn hook\", \"hooks\": {\"" + event + "\": [{\"hooks\": [{\"command\": \"overturn hook other-agent\"}]}]}}\n",
	}
}

// kept: the user's bytes and mode come back, in a folder that was there, whatever the
// shape of the file.
func kept(t *testing.T, a agents.Agent, in agents.Installer, s agents.Settings, command string) {
	for name, text := range shapes(agents.ProfileOf(a).Events[0]) {
		put(t, s.Path, []byte(text), 0o600)
		before, err := agents.Installed(in, s)
		if err != nil || len(before) != 0 {
			t.Errorf("%s: before: %q, %v", name, before, err)
		}
		if _, err := agents.Enable(in, s, command); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if events, err := agents.Installed(in, s); err != nil || len(events) != len(agents.ProfileOf(a).Events) {
			t.Errorf("%s: in place: %q, %v", name, events, err)
		}
		if mode(t, s.Path) != 0o600 {
			t.Errorf("%s: mode is %o", name, mode(t, s.Path))
		}
		if again, err := agents.Enable(in, s, command); err != nil || again.Written {
			t.Errorf("%s: enable twice: %+v, %v", name, again, err)
		}
		if _, err := agents.Disable(in, s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := read(t, s.Path); !bytes.Equal(got, []byte(text)) || mode(t, s.Path) != 0o600 {
			t.Errorf("%s: came back as %q, mode %o", name, got, mode(t, s.Path))
		}
	}
}

// between: what was written into the file after the hooks came stays when they go.
func between(t *testing.T, a agents.Agent, in agents.Installer, s agents.Settings, command string) {
	put(t, s.Path, []byte("{\n  \"hooks\": {}\n}\n"), 0o644)
	if _, err := agents.Enable(in, s, command); err != nil {
		t.Fatal(err)
	}
	event := agents.ProfileOf(a).Events[0]
	late := bytes.Replace(read(t, s.Path), []byte(`"`+event+`": [`), []byte(`"`+event+`": [{"command":"late"},`), 1)
	late = bytes.Replace(late, []byte("{"), []byte("{ \"late\": true,"), 1)
	if bytes.Count(late, []byte("late")) != 2 {
		t.Fatalf("the test does not know the file:\n%s", late)
	}
	put(t, s.Path, late, 0o644)
	if _, err := agents.Disable(in, s); err != nil {
		t.Fatal(err)
	}
	got := string(read(t, s.Path))
	if !strings.Contains(got, `"late": true`) || !strings.Contains(got, `{"command":"late"}`) || strings.Contains(got, " hook ") {
		t.Errorf("what came late is\n%s", got)
	}
}

// broken: refused by name, to the byte as it was.
func broken(t *testing.T, in agents.Installer, s agents.Settings, command string) {
	for _, text := range []string{"{ \"hooks\": ", "", " \n", "[]", "null", "{\"hooks\": []}", "{\"hooks\": {}} trailing", "\x00\xff\xfe", "{\"a\": 'x'}", "{\"a\" 1}"} {
		put(t, s.Path, []byte(text), 0o644)
		for name, act := range map[string]func() error{
			"enable":    func() error { _, err := agents.Enable(in, s, command); return err },
			"disable":   func() error { _, err := agents.Disable(in, s); return err },
			"installed": func() error { _, err := agents.Installed(in, s); return err },
		} {
			if err := act(); err == nil || !strings.Contains(err.Error(), s.Path) {
				t.Errorf("%s of %q: %v", name, text, err)
			}
		}
		if !bytes.Equal(read(t, s.Path), []byte(text)) {
			t.Errorf("%q was changed", text)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(s.Path), "*")); err != nil || len(left) != 1 {
		t.Errorf("beside it lies %q, %v", left, err)
	}
	if err := os.Remove(s.Path); err != nil {
		t.Fatal(err)
	}
}
