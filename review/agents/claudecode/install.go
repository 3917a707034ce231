package claudecode

import (
	"os"
	"path/filepath"

	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Found tells whether Claude Code is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if dir := configDir(h); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			return true
		}
	}
	_, err := h.LookPath("claude")
	return err == nil
}

// Default is the settings file of this checkout, which is not committed.
func (*Agent) Default() agents.Where { return agents.Local }

// Files lists the settings files that Claude Code reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	var list []agents.Settings
	if h.Root != "" {
		list = append(list,
			agents.Settings{Where: agents.Local, Path: filepath.Join(h.Root, ".claude", "settings.local.json")},
			agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".claude", "settings.json")})
	}
	if dir := configDir(h); dir != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(dir, "settings.json")})
	}
	return list
}

func configDir(h agents.Host) string {
	if dir := h.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	if home := h.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// hooks are the events that are asked for. Boundaries may take long where the
// first capture reads a large tree; the end of a session is given 1.5 s unless
// the entry names its own.
func hooks() []hookfile.Hook {
	return []hookfile.Hook{
		{Event: "SessionStart", Timeout: 10}, {Event: "UserPromptSubmit", Timeout: 30},
		{Event: "PreToolUse", Timeout: 15}, {Event: "PostToolUse", Timeout: 15}, {Event: "PostToolUseFailure", Timeout: 15},
		{Event: "Stop", Timeout: 30}, {Event: "StopFailure", Timeout: 30}, {Event: "SessionEnd", Timeout: 3},
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

// Trust says no where a settings file switches all hooks off. Claude Code asks
// its user about a folder once, and remembers the answer where others do not look.
func (a *Agent) Trust(h agents.Host, _ agents.Settings) (trusted, note string) {
	for _, s := range a.Files(h) {
		if src, err := os.ReadFile(s.Path); err == nil && hookfile.Bool(src, "disableAllHooks") {
			return "no", "disableAllHooks is set in " + s.Path
		}
	}
	return "yes", ""
}
