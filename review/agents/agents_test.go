package agents_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/claudecode"
	"overturn/review/agents/codex"
	"overturn/review/agents/generic"
)

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(real, "repo")
	if err := os.MkdirAll(filepath.Join(root, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(real, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	inside, outside := agents.Place(root, filepath.Join(root, "sub"), []string{
		"a.txt", "../b.txt", filepath.Join(root, "c.txt"), filepath.Join(link, "new/d.txt"), "../../e.txt", "/etc/f", "",
		"a.txt", "x\x00y", filepath.Join(root, ".git/config"), root, "./sub2//g.txt"})
	if want := []model.Path{"sub/a.txt", "b.txt", "c.txt", "new/d.txt", "sub/sub2/g.txt"}; !reflect.DeepEqual(inside, want) {
		t.Errorf("inside %q, want %q", inside, want)
	}
	if want := []string{filepath.Join(real, "e.txt"), "/etc/f", filepath.Join(root, ".git/config"), root}; !reflect.DeepEqual(outside, want) {
		t.Errorf("outside %q, want %q", outside, want)
	}
	inside, _ = agents.Place(link, "", []string{"a", filepath.Join(root, "b")})
	if want := []model.Path{"a", "b"}; !reflect.DeepEqual(inside, want) {
		t.Errorf("by a linked root: %q", inside)
	}
}

func TestRegistry(t *testing.T) {
	r := agents.NewRegistry(generic.New(), codex.New(), claudecode.New())
	var names []string
	for _, a := range r.All() {
		names = append(names, a.Name())
	}
	if want := []string{"claude-code", "codex", "generic"}; !reflect.DeepEqual(names, want) {
		t.Errorf("names %q", names)
	}
	if a, err := r.Get("codex"); err != nil || a.Name() != "codex" {
		t.Errorf("%v, %v", a, err)
	}
	if _, err := r.Get("nobody"); model.CodeOf(err) != model.CodeUsage || model.HintOf(err) != "known agents: claude-code, codex, generic" {
		t.Errorf("%v, hint %q", err, model.HintOf(err))
	}
}

func TestHookCommand(t *testing.T) {
	for _, c := range []struct {
		program string
		cond    bool
		want    string
	}{
		{"overturn", false, "overturn hook codex"},
		{"/usr/local/bin/overturn", true, "/usr/local/bin/overturn hook codex --if-enabled"},
		{"/a b/it's/overturn", false, `'/a b/it'\''s/overturn' hook codex`},
		{"/opt/ot-1.2", false, "/opt/ot-1.2 hook codex --overturn"},
		{"/a b/ot", true, `'/a b/ot' hook codex --overturn --if-enabled`},
	} {
		got := agents.HookCommand(c.program, "codex", c.cond)
		if got != c.want || !agents.IsHookCommand(got, "codex") || agents.IsHookCommand(got, "claude-code") {
			t.Errorf("%q", got)
		}
	}
	for _, line := range []string{"", "hook codex", "overturn hook codex && rm -rf x", "mytool hook codex", "overturn-x hook codex",
		"mytool --overturn hook codex", "mytool hook codex --overturn-not", " hook codex --overturn", "mytool hook codex --overturn; rm x"} {
		if agents.IsHookCommand(line, "codex") {
			t.Errorf("%q is taken for ours", line)
		}
	}
}
