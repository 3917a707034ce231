package agenthooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/claudecode"
	"overturn/review/agents/codex"
	"overturn/review/agents/copilot"
	"overturn/review/agents/cursor"
	"overturn/review/agents/gemini"
	"overturn/review/agents/generic"
	"overturn/review/agents/opencode"
	"overturn/ui/cli/clitest"
)

// adapters are the agents, by the folders of their recordings.
func adapters() map[string]agents.Agent {
	return map[string]agents.Agent{"claudecode": claudecode.New(), "codex": codex.New(), "copilot": copilot.New(), "cursor": cursor.New(),
		"gemini": gemini.New(), "generic": generic.New(), "opencode": opencode.New()}
}

// goldenTurns says which turns come of each recording. UPDATE_GOLDEN=1 writes it anew:
// read the difference before it is kept.
const goldenTurns = "testdata/turns.txt"

// TestEveryRecording gives the recorded payloads of real agents to the real binary, does
// what their tools did, and looks at the turns that come of it.
func TestEveryRecording(t *testing.T) {
	type result struct{ name, turns string }
	results := make(chan result, 100)
	t.Run("all", func(t *testing.T) {
		for folder, adapter := range adapters() {
			files, err := filepath.Glob(filepath.Join("..", "..", "..", "review", "agents", folder, "testdata", "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: no recordings, %v", folder, err)
			}
			for _, file := range files {
				name := folder + " " + strings.TrimSuffix(filepath.Base(file), ".json")
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					r := newReplay(t, adapter.Name())
					for _, f := range r.read(file) {
						r.fire(f)
					}
					results <- result{name, r.everything()}
				})
			}
		}
	})
	close(results)
	var list []string
	for r := range results {
		list = append(list, r.name+"\n"+r.turns)
	}
	slices.Sort(list)
	holdGolden(t, goldenTurns, strings.Join(list, "\n")+"\n")
}

func holdGolden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; UPDATE_GOLDEN=1 writes it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; it is now\n%s", file, got)
	}
}

// replay is one repository in which hooks of an agent are called.
type replay struct {
	t     *testing.T
	agent string
	repo  *gittest.Repo
	env   []string
}

// fired is one recorded firing of a hook.
type fired struct {
	Event string            `json:"event"`
	Env   map[string]string `json:"env"`
	Stdin json.RawMessage   `json:"stdin"`
}

func newReplay(t *testing.T, agent string) *replay {
	repo := gittest.New(t)
	repo.Write("a.txt", "one\n")
	repo.Commit("base")
	env := append(os.Environ(), clitest.Hermetic(t.TempDir())...)
	env = append(env, "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index") // of a caller that is a git hook
	return &replay{t, agent, repo, env}
}

// of is the same repository as another agent's hooks see it.
func (r *replay) of(agent string) *replay { return &replay{r.t, agent, r.repo, r.env} }

func (r *replay) read(name string) []fired {
	raw, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	raw = []byte(strings.ReplaceAll(string(raw), "/work-repo", r.repo.Root))
	var file struct{ Fired []fired }
	if err := json.Unmarshal(raw, &file); err != nil {
		r.t.Fatal(err)
	}
	return file.Fired
}

// fire does what the tool did, where it is over, and calls the hook, which says nothing.
func (r *replay) fire(f fired) {
	r.t.Helper()
	r.work(f)
	if out := r.hook(f); out != "" {
		r.t.Fatalf("%s said %q", f.Event, out)
	}
}

// hook calls the hook and returns what it printed on both streams; it always exits 0.
func (r *replay) hook(f fired) string {
	r.t.Helper()
	cmd := exec.Command(clitest.Bin(), "hook", r.agent, f.Event)
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	for k, v := range f.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Stdin = bytes.NewReader(f.Stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", f.Event, err, out)
	}
	return string(out)
}

// work does what a tool did that the payload says is over: the files that it names are
// made, the commands of the recordings are run.
func (r *replay) work(f fired) {
	r.t.Helper()
	for _, a := range adapters() {
		if a.Name() != r.agent {
			continue
		}
		e, err := a.Parse(agents.Payload{Raw: f.Stdin, Name: f.Event, Getenv: func(k string) string { return f.Env[k] }})
		if err != nil || e.Kind != agents.PostTool || e.Failed {
			return
		}
		inside, _ := agents.Place(r.repo.Root, e.Cwd, e.Writes)
		for _, p := range inside {
			r.repo.Write(string(p), "by "+e.Tool+"\n")
		}
		if e.Command == "echo two >> a.txt" {
			r.repo.Write("a.txt", r.repo.Read("a.txt")+"two\n")
		}
	}
}

// json runs a verb and reads what it reports.
func (r *replay) json(into any, args ...string) {
	r.t.Helper()
	cmd := exec.Command(clitest.Bin(), append(args, "--json")...)
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.String())
	}
	if err := json.Unmarshal(out, into); err != nil {
		r.t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// ok runs a verb that has to succeed and returns its stdout.
func (r *replay) ok(args ...string) string {
	r.t.Helper()
	cmd := exec.Command(clitest.Bin(), args...)
	cmd.Dir, cmd.Env = r.repo.Root, r.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("%q: %v\n%s%s", args, err, out, stderr.String())
	}
	return string(out)
}

// turns are the turns of the newest thread, one line each: state, status, files with
// their owners.
func (r *replay) turns() []string {
	r.t.Helper()
	return r.turnsOf("")
}

func (r *replay) turnsOf(thread string) []string {
	r.t.Helper()
	args := []string{"turns"}
	if thread != "" {
		args = append(args, "--thread", thread)
	}
	var list struct{ Turns []model.Turn }
	r.json(&list, args...)
	var lines []string
	for i := range list.Turns {
		turn := list.Turns[i]
		line := string(turn.State) + " " + string(turn.Status)
		if turn.Agent != r.agent || turn.Number != i+1 {
			r.t.Errorf("turn %d is %d of %q", i+1, turn.Number, turn.Agent)
		}
		for _, f := range turn.Files {
			line += " " + string(f.Path) + "=" + string(f.Owner)
		}
		for _, e := range turn.Effects {
			line += fmt.Sprintf(" [%s: %s]", e.Domain, e.Summary)
		}
		lines = append(lines, line)
	}
	return lines
}

// threads are the ids of the threads, oldest first.
func (r *replay) threads() []string {
	r.t.Helper()
	var list struct{ Threads []struct{ Thread string } }
	r.json(&list, "threads")
	var ids []string
	for _, th := range list.Threads {
		ids = append(ids, th.Thread)
	}
	slices.Reverse(ids)
	return ids
}

// everything is all turns of all threads, with what the agent was asked.
func (r *replay) everything() string {
	r.t.Helper()
	var b strings.Builder
	for i, id := range r.threads() {
		fmt.Fprintf(&b, "  thread %d of %s\n", i+1, r.agent)
		for _, line := range r.turnsOf(id) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	return strings.TrimSuffix(strings.ReplaceAll(b.String(), r.repo.Root, "/work-repo"), "\n")
}
