package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"overturn/gitops"
	"overturn/model"
	"overturn/review/ledger"
)

// demoThread is the conversation whose turns the demo records.
const demoThread = model.ThreadID("demo-session")

// story plays the parts of an agent and its user in a repository, and records
// the agent's turns through the same ledger that hooks use. The first error stays
// in err and makes all that follows do nothing.
type story struct {
	app *app
	dir string
	e   *engines
	err error

	turn string // the open turn's id
	call int
}

// begin makes the repository with its first commits.
func (s *story) begin(ctx context.Context) {
	s.git(ctx, "init", "-q", "-b", "main")
	for name, text := range demoProject() {
		s.write(name, text)
	}
	s.write("assets/logo.bin", string(demoLogo(1)))
	s.git(ctx, "add", ".")
	s.git(ctx, "commit", "-q", "-m", "A small shop")
	// Work on a branch, one commit ahead, gives the branch comparison something to say.
	s.git(ctx, "checkout", "-q", "-b", "discounts")
	s.write("shop/customer.py", "class Customer:\n    def __init__(self, name, orders=0):\n        self.name = name\n        self.orders = orders\n")
	s.git(ctx, "add", "shop/customer.py")
	s.git(ctx, "commit", "-q", "-m", "Customers know their orders")
	if s.err == nil {
		s.e, s.err = s.app.open(ctx, s.dir)
	}
}

// git is the user's own git, apart from the machine's settings: the demo looks the
// same everywhere.
func (s *story) git(ctx context.Context, args ...string) {
	if s.err != nil {
		return
	}
	program, err := gitops.GitProgram(s.app.env)
	if err != nil {
		s.err = err
		return
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(withoutGit(s.app.env.Environ),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=You", "GIT_AUTHOR_EMAIL=you@example.invalid",
		"GIT_COMMITTER_NAME=You", "GIT_COMMITTER_EMAIL=you@example.invalid")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.err = model.Failf(err, "git %s: %s", strings.Join(args, " "), strings.TrimSpace(string(out)))
	}
}

// withoutGit drops the caller's GIT_ variables: they name other repositories.
func withoutGit(environ []string) []string {
	var kept []string
	for _, kv := range environ {
		if !strings.HasPrefix(kv, "GIT_") {
			kept = append(kept, kv)
		}
	}
	return kept
}

func (s *story) write(name, text string) {
	if s.err != nil {
		return
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if s.err = os.MkdirAll(filepath.Dir(file), 0o755); s.err == nil {
		s.err = os.WriteFile(file, []byte(text), 0o644)
	}
}

// edit replaces the one place where old stands by new.
func (s *story) edit(name, old, new string) {
	if s.err != nil {
		return
	}
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	data, err := os.ReadFile(file)
	if err == nil && strings.Count(string(data), old) != 1 {
		err = model.Errorf(model.CodeFailed, "%s holds %q %d times", name, old, strings.Count(string(data), old))
	}
	if s.err = err; err == nil {
		s.write(name, strings.Replace(string(data), old, new, 1))
	}
}

func (s *story) remove(name string) {
	if s.err == nil {
		s.err = os.Remove(filepath.Join(s.dir, filepath.FromSlash(name)))
	}
}

func (s *story) rename(from, to string) {
	if s.err == nil {
		s.err = os.Rename(filepath.Join(s.dir, filepath.FromSlash(from)), filepath.Join(s.dir, filepath.FromSlash(to)))
	}
}

// prompt starts a turn, as an agent's hook would.
func (s *story) prompt(ctx context.Context, id, text string) {
	if s.err != nil {
		return
	}
	s.turn = id
	_, s.err = s.e.ledger.Start(ctx, ledger.StartEvent{
		Thread: demoThread, Agent: "generic", TurnID: id, Prompt: text, ReportsTools: true,
	})
}

// tool runs one tool call of the agent: the hooks before and after it, and what it
// does between them. Paths are those that an edit tool names, none for a shell.
func (s *story) tool(ctx context.Context, name, command string, paths []string, do func()) {
	s.call++
	event := ledger.ToolEvent{Thread: demoThread, TurnID: s.turn, Phase: ledger.PhasePre, Tool: name, Command: command,
		CallID: demoCall(s.call)}
	for _, p := range paths {
		event.Paths = append(event.Paths, model.Path(p))
	}
	s.record(ctx, event)
	if s.err == nil {
		do()
	}
	event.Phase = ledger.PhasePost
	s.record(ctx, event)
}

func demoCall(n int) string { return "call-" + string(rune('a'+n%26)) }

func (s *story) record(ctx context.Context, event ledger.ToolEvent) {
	if s.err == nil {
		s.err = s.e.ledger.Tool(ctx, event)
	}
}

func (s *story) effect(ctx context.Context, effect model.Effect) {
	if s.err == nil {
		_, s.err = s.e.ledger.Effect(ctx, demoThread, effect)
	}
}

// stop ends the turn.
func (s *story) stop(ctx context.Context, state model.TurnState) {
	if s.err == nil {
		_, s.err = s.e.ledger.End(ctx, ledger.EndEvent{Thread: demoThread, TurnID: s.turn, State: state})
	}
}
