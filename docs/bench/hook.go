package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hookRow measures the hook of a turn's end in a repository of 300 files, with
// payloads that Claude Code sent: the start of each turn is told first.
func (b *bench) hookRow() error {
	r, err := newRepo(filepath.Join(b.dir, "hook"), 300, 500)
	if err != nil {
		return err
	}
	hello, err := b.hello()
	if err != nil {
		return err
	}
	old := func() *exec.Cmd { return b.command(r.dir, "git", "--no-optional-locks", "status", "--porcelain") }
	list := []contender{
		{name: "git status", run: old},
		{name: "hello", run: func() *exec.Cmd { return b.command(r.dir, hello) }},
	}
	turn := 0
	for _, fresh := range []int{0, 2} {
		list = append(list, contender{name: fmt.Sprintf("hook, %d edited, %d new", 10-fresh, fresh),
			before: func(int) error {
				turn++
				if err := b.hook(r, "UserPromptSubmit", turn).Run(); err != nil {
					return err
				}
				return r.edit(10, fresh)
			},
			run: func() *exec.Cmd { return b.hook(r, "Stop", turn) }})
	}
	figures, err := race(b.rounds, list)
	if err != nil {
		return err
	}
	if err := b.recorded(r, 2*b.rounds); err != nil {
		return err
	}
	for i := 2; i < len(list); i++ {
		b.print(list[i].name+" / git status", 2.5, figures[i], figures[0])
		b.print(list[i].name+" / hello", 4, figures[i], figures[1])
	}
	return nil
}

// recorded makes sure that what was measured did its work: every turn has its end.
func (b *bench) recorded(r *repo, turns int) error {
	out, err := r.ask("for-each-ref", "--format=%(refname)", "refs/overturn/checkpoints")
	if err == nil && strings.Count(out+"\n", "\n") != turns {
		err = fmt.Errorf("%d turns left these records:\n%s", turns, out)
	}
	return err
}

// hook is the call of one event, as Claude Code makes it.
func (b *bench) hook(r *repo, event string, turn int) *exec.Cmd {
	cmd := b.command(r.dir, b.overturn, "hook", "claude-code")
	cmd.Stdin = bytes.NewReader(b.payload(r, event, turn))
	return cmd
}

// payload is the one of the recorded run with the paths and the turn of this one.
func (b *bench) payload(r *repo, event string, turn int) []byte {
	for _, p := range b.payloads {
		if p.Event == event {
			text := strings.ReplaceAll(string(p.Stdin), "/work-repo", r.dir)
			return []byte(strings.ReplaceAll(text, "ece5acb9-5c04-4ed5-a187-e9a25c7360ea", fmt.Sprintf("turn-%d", turn)))
		}
	}
	return nil
}

type fired struct {
	Event string          `json:"event"`
	Stdin json.RawMessage `json:"stdin"`
}

// readPayloads takes what Claude Code sent in a real run from the adapter's tests.
func (b *bench) readPayloads() error {
	data, err := os.ReadFile(filepath.Join(b.root, "review", "agents", "claudecode", "testdata", "edit.json"))
	if err != nil {
		return err
	}
	var run struct {
		Fired []fired `json:"fired"`
	}
	err = json.Unmarshal(data, &run)
	b.payloads = run.Fired
	return err
}

// hello builds the Go program that prints a word.
func (b *bench) hello() (string, error) {
	dir := filepath.Join(b.dir, "hello")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		return "", err
	}
	return filepath.Join(dir, "hello"), b.build(filepath.Join(dir, "hello"), filepath.Join(dir, "main.go"))
}
