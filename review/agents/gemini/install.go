package gemini

import (
	"cmp"
	"os"
	"path/filepath"

	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Found tells whether Gemini CLI is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if home := homeOf(h.Getenv); home != "" {
		if _, err := os.Stat(filepath.Join(home, ".gemini")); err == nil {
			return true
		}
	}
	_, err := h.LookPath("gemini")
	return err == nil
}

// Default is the user's file: Gemini has none of a checkout that is not committed.
func (*Agent) Default() agents.Where { return agents.User }

// Files lists the settings files that Gemini reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	var list []agents.Settings
	if h.Root != "" {
		list = append(list, agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".gemini", "settings.json")})
	}
	if home := homeOf(h.Getenv); home != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(home, ".gemini", "settings.json")})
	}
	return list
}

// homeOf is the folder that holds the .gemini of settings and conversations.
func homeOf(getenv func(string) string) string {
	return cmp.Or(getenv("GEMINI_CLI_HOME"), getenv("HOME"))
}

// hooks are the events that are asked for; Gemini counts in milliseconds.
func hooks() []hookfile.Hook {
	return []hookfile.Hook{
		{Event: "SessionStart", Timeout: 10_000}, {Event: "BeforeAgent", Timeout: 30_000},
		{Event: "BeforeTool", Timeout: 15_000}, {Event: "AfterTool", Timeout: 15_000},
		{Event: "AfterAgent", Timeout: 30_000}, {Event: "SessionEnd", Timeout: 3_000},
	}
}

func (a *Agent) ours(command string) bool { return agents.IsHookCommand(command, a.Name()) }

// Put returns src with the hooks in place; see agents.Installer.
func (a *Agent) Put(src []byte, command string) ([]byte, error) {
	return hookfile.Put(src, hookfile.Spec{Hooks: hooks(), Command: command, Ours: a.ours})
}

// Take returns src without the hooks; see agents.Installer.
func (a *Agent) Take(src []byte) ([]byte, bool, error) { return hookfile.Take(src, a.ours) }

// Has lists the events that call us.
func (a *Agent) Has(src []byte) ([]string, error) { return hookfile.Events(src, a.ours) }

// Trust is not something that others can see.
func (*Agent) Trust(agents.Host, agents.Settings) (trusted, note string) { return "unknown", "" }
