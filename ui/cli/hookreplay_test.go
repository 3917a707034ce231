package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
)

// TestHookReplay gives the recorded payloads of real agents to the real binary,
// does what their tools did, and looks at the turns that come of it.
func TestHookReplay(t *testing.T) {
	for _, c := range []struct {
		agent, folder, scenario string
		want                    []string // state, status, files with owners
	}{
		{"claude-code", "claudecode", "edit", []string{"completed ready a.txt=agent b.txt=agent"}},
		{"claude-code", "claudecode", "failtool", []string{"completed ready"}},
		{"claude-code", "claudecode", "modelfail", []string{"failed ready"}},
		{"claude-code", "claudecode", "sigint", []string{"unknown ready b.txt=agent"}},
		{"claude-code", "claudecode", "tui", []string{"interrupted ready b.txt=agent", "completed ready c.txt=agent"}},
		{"codex", "codex", "edit", []string{"completed ready a.txt=agent b.txt=agent"}},
		{"codex", "codex", "codemode", []string{"completed ready a.txt=agent b.txt=agent"}},
		{"codex", "codex", "interrupt", []string{"interrupted ready b.txt=agent", "interrupted ready"}},
		{"codex", "codex", "modelfail", []string{"unknown ready"}},
	} {
		t.Run(c.agent+" "+c.scenario, func(t *testing.T) {
			t.Parallel()
			r := newReplay(t, c.agent)
			for _, f := range r.read(filepath.Join("..", "..", "review", "agents", c.folder, "testdata", c.scenario+".json")) {
				r.fire(f)
			}
			got := r.turns()
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("turns:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

type replay struct {
	t     *testing.T
	agent string
	repo  *gittest.Repo
	env   []string
}

type fired struct {
	Event string
	Env   map[string]string
	Stdin struct {
		Event string `json:"hook_event_name"`
		Tool  string `json:"tool_name"`
		Input struct {
			File    string `json:"file_path"`
			Content string `json:"content"`
			Command string `json:"command"`
		} `json:"tool_input"`
	}
	raw []byte
}

func newReplay(t *testing.T, agent string) *replay {
	repo := gittest.New(t)
	repo.Write("a.txt", "one\n")
	repo.Commit("base")
	home := t.TempDir()
	env := append(os.Environ(), hermetic(home, theSuite().argvLog)...)
	env = append(env, "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index") // of a caller that is a git hook
	return &replay{t, agent, repo, env}
}

func (r *replay) read(name string) []fired {
	raw, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	raw = []byte(strings.ReplaceAll(string(raw), "/work-repo", r.repo.Root))
	var file struct{ Fired []json.RawMessage }
	if err := json.Unmarshal(raw, &file); err != nil {
		r.t.Fatal(err)
	}
	var list []fired
	for _, one := range file.Fired {
		var f fired
		var stdin struct{ Stdin json.RawMessage }
		if json.Unmarshal(one, &f) != nil || json.Unmarshal(one, &stdin) != nil {
			r.t.Fatalf("cannot read %s", one)
		}
		f.raw = stdin.Stdin
		list = append(list, f)
	}
	return list
}

// fire does what the tool did, where it is over, and calls the hook.
func (r *replay) fire(f fired) {
	r.t.Helper()
	if f.Event == "PostToolUse" {
		r.work(f)
	}
	cmd := exec.Command(theSuite().bin, "hook", r.agent)
	cmd.Dir = r.repo.Root
	cmd.Env = r.env
	for k, v := range f.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Stdin = strings.NewReader(string(f.raw))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		r.t.Fatalf("%s: %v\n%s", f.Event, err, out)
	}
}

func (r *replay) work(f fired) {
	r.t.Helper()
	in := f.Stdin.Input
	switch f.Stdin.Tool {
	case "Write":
		rel, err := filepath.Rel(r.repo.Root, in.File)
		if err != nil {
			r.t.Fatal(err)
		}
		r.repo.Write(rel, in.Content)
	case "Bash":
		cmd := exec.Command("sh", "-c", in.Command)
		cmd.Dir = r.repo.Root
		if out, err := cmd.CombinedOutput(); err != nil && in.Command != "exit 3" {
			r.t.Fatalf("%s: %v\n%s", in.Command, err, out)
		}
	case "apply_patch":
		for _, line := range strings.Split(in.Command, "\n") {
			if name, ok := strings.CutPrefix(line, "*** Add File: "); ok {
				r.repo.Write(name, "patched\n")
			}
		}
	}
}

func (r *replay) turns() []string {
	r.t.Helper()
	cmd := exec.Command(theSuite().bin, "turns", "--json")
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("turns: %v\n%s", err, out)
	}
	var list struct{ Turns []model.Turn }
	if err := json.Unmarshal(out, &list); err != nil {
		r.t.Fatal(err)
	}
	var lines []string
	for i := range list.Turns {
		turn := list.Turns[i]
		line := string(turn.State) + " " + string(turn.Status)
		if turn.Agent != r.agent || turn.Number != i+1 || turn.TurnID == "" {
			r.t.Errorf("turn %d is %d of %q with id %q", i+1, turn.Number, turn.Agent, turn.TurnID)
		}
		for _, f := range turn.Files {
			line += " " + string(f.Path) + "=" + string(f.Owner)
		}
		lines = append(lines, line)
	}
	return lines
}
