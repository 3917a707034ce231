package gemini

import (
	"os"
	"path/filepath"
	"testing"

	"overturn/review/agents"
)

// TestHooksLieWhereGeminiReadsThem: GEMINI_CLI_HOME stands for the home of its settings
// as well as of its conversations.
func TestHooksLieWhereGeminiReadsThem(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(other, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{"": home, other: other} {
		env := map[string]string{"HOME": home, "GEMINI_CLI_HOME": set}
		host := agents.Host{Getenv: func(key string) string { return env[key] }, LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
		files := New().Files(host)
		if len(files) != 1 || files[0].Path != filepath.Join(want, ".gemini", "settings.json") {
			t.Errorf("GEMINI_CLI_HOME=%s: %+v", set, files)
		}
		if found := New().Found(host); found != (want == other) {
			t.Errorf("GEMINI_CLI_HOME=%s: found %t", set, found)
		}
	}
}
