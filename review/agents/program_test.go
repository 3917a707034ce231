package agents_test

import (
	"slices"
	"testing"

	"overturn/review/agents"
)

func TestHookPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"none":          {`{"hooks":{"Stop":[{"command":"other hook codex"}]}}`, nil},
		"json":          {`{"command":"/usr/bin/overturn hook codex"}, {"command":"/usr/bin/overturn hook codex --if-enabled"}`, []string{"/usr/bin/overturn"}},
		"quoted":        {`{"command":"'/home/a b/overturn' hook codex Stop"}`, []string{"/home/a b/overturn"}},
		"bare":          {"command = \"overturn hook codex\"\n", []string{"overturn"}},
		"two":           {"/a/overturn hook codex\n/b/overturn hook codex\n", []string{"/a/overturn", "/b/overturn"}},
		"longer name":   {`"/a/overturn hook codex-cloud"`, nil},
		"other agent":   {`"/a/overturn hook gemini"`, nil},
		"javascript":    {"spawn(`/a/overturn hook codex`)", []string{"/a/overturn"}},
		"end of file":   {"/a/overturn hook codex", []string{"/a/overturn"}},
		"no word":       {" hook codex", nil},
		"other name":    {`"'/a b/ot' hook codex --overturn --if-enabled", "/c/it hook codex"`, []string{"/a b/ot"}},
		"other program": {`"/a/overturner hook codex"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := agents.HookPrograms([]byte(c.src), "codex"); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzHookPrograms holds that every program that is named stands in the file.
func FuzzHookPrograms(f *testing.F) {
	for _, seed := range []string{"", " hook codex", `"'/a b/overturn' hook codex"`, "overturn hook codex hook codex"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, p := range agents.HookPrograms(src, "codex") {
			if p == "" || !slices.Contains(agents.HookPrograms([]byte(agents.HookCommand(p, "codex", true)), "codex"), p) && !hasQuote(p) {
				t.Errorf("%q is not read again from the command that is made of it", p)
			}
		}
	})
}

func hasQuote(s string) bool { return slices.Contains([]byte(s), '\'') }
