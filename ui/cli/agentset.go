package cli

import (
	"context"
	"os/exec"

	"overturn/review/agents"
	"overturn/review/agents/claudecode"
	"overturn/review/agents/codex"
	"overturn/review/agents/copilot"
	"overturn/review/agents/cursor"
	"overturn/review/agents/gemini"
	"overturn/review/agents/generic"
	"overturn/review/agents/opencode"
	"overturn/ui/view"
)

// agentSet are the agents that this program knows.
func agentSet() *agents.Registry {
	return agents.NewRegistry(claudecode.New(), codex.New(), opencode.New(), gemini.New(), copilot.New(), cursor.New(), generic.New())
}

// installers are those of them whose hooks overturn can put in place, by name.
func installers() []installer {
	var list []installer
	for _, ag := range agentSet().All() {
		if in, ok := ag.(agents.Installer); ok {
			list = append(list, installer{ag.Name(), in})
		}
	}
	return list
}

// adaptersOf are the agents of installers.
func adaptersOf(list []installer) []agents.Agent {
	out := make([]agents.Agent, 0, len(list))
	for _, in := range list {
		if ag, err := agentSet().Get(in.name); err == nil {
			out = append(out, ag)
		}
	}
	return out
}

type installer struct {
	name string
	agents.Installer
}

// host is this machine as an installer sees it; root is "" outside a repository.
func (a *app) host(root string) agents.Host {
	return agents.Host{Root: root, Getenv: a.env.Getenv, LookPath: exec.LookPath}
}

// hookRows says of every agent that is found on this machine, or has hooks that record in
// this repository, whether it has. No program is started. A settings file that cannot be read
// counts as one without hooks: "overturn agents" says what is wrong with it.
func (a *app) hookRows(_ context.Context, e *engines) ([]view.Hook, error) {
	var rows []view.Hook
	host := a.host(e.repo.Root)
	for _, in := range installers() {
		row, err := a.agentRow(e.repo, in)
		installed := err == nil && row.Installed
		if installed || in.Found(host) {
			rows = append(rows, view.Hook{Agent: in.name, Installed: installed, Untrusted: installed && row.Trusted == "no"})
		}
	}
	return rows, nil
}
