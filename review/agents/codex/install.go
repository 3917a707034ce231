package codex

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Found tells whether Codex is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if dir := configDir(h); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			return true
		}
	}
	_, err := h.LookPath("codex")
	return err == nil
}

// Default is the user's file: Codex has none of a checkout that is not committed.
func (*Agent) Default() agents.Where { return agents.User }

// Files lists the hooks files that Codex reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	var list []agents.Settings
	if h.Root != "" {
		list = append(list, agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".codex", "hooks.json")})
	}
	if dir := configDir(h); dir != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(dir, "hooks.json")})
	}
	return list
}

func configDir(h agents.Host) string {
	if dir := h.Getenv("CODEX_HOME"); dir != "" {
		return dir
	}
	if home := h.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".codex")
	}
	return ""
}

// hooks are the events that are asked for. Interrupt and SessionEnd are cut to
// 3 s by Codex, with a warning where more is asked.
func hooks() []hookfile.Hook {
	return []hookfile.Hook{
		{Event: "SessionStart", Timeout: 10}, {Event: "UserPromptSubmit", Timeout: 30},
		{Event: "PreToolUse", Timeout: 15}, {Event: "PostToolUse", Timeout: 15},
		{Event: "Stop", Timeout: 30}, {Event: "Interrupt", Timeout: 3}, {Event: "SessionEnd", Timeout: 3},
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

const howToTrust = "Codex runs a hook only once you have trusted it: run /hooks in Codex"

// Trust reads the [hooks.state] entries of config.toml, one a hook, named
// FILE:EVENT:GROUP:HANDLER. It sees that a hook was trusted, not whether it was
// changed since: the hash is Codex's own affair.
func (a *Agent) Trust(h agents.Host, s agents.Settings) (trusted, note string) {
	src, err := os.ReadFile(s.Path)
	if err != nil {
		return "unknown", howToTrust
	}
	places, err := hookfile.Places(src, a.ours)
	if err != nil || len(places) == 0 {
		return "unknown", howToTrust
	}
	config, err := os.ReadFile(filepath.Join(configDir(h), "config.toml"))
	if err != nil {
		return "no", howToTrust
	}
	state := hooksState(string(config))
	missing := 0
	for _, p := range places {
		if !named(state, s.Path, p) {
			missing++
		}
	}
	switch {
	case missing == 0:
		return "yes", ""
	case missing < len(places):
		return "no", strconv.Itoa(missing) + " of " + strconv.Itoa(len(places)) + " hooks are not trusted. " + howToTrust
	}
	return "no", howToTrust
}

// named tells whether the state trusts a hook, by the file's path as we spell it or as it
// really is. An entry that holds no hash, or switches the hook off, does not.
func named(state, path string, p hookfile.Place) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	for _, file := range []string{path, real} {
		key := file + ":" + snake(p.Event) + ":" + strconv.Itoa(p.Group) + ":" + strconv.Itoa(p.Handler)
		for _, quoted := range []string{strconv.Quote(key), "'" + key + "'"} {
			if _, after, ok := strings.Cut(state, quoted); ok && trusts(after) {
				return true
			}
		}
	}
	return false
}

// trusts reads an entry from behind its key: to the end of an inline table, or to the next
// header.
func trusts(after string) bool {
	line, rest, _ := strings.Cut(after, "\n")
	if strings.HasPrefix(strings.TrimSpace(line), "]") {
		line, _, _ = strings.Cut("\n"+rest, "\n[")
	} else {
		line, _, _ = strings.Cut(line, "}")
	}
	off := strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(line, "=", " = ")), " "), "enabled = false")
	return strings.Contains(line, "trusted_hash") && !off
}

// hooksState keeps the lines of config.toml that name hooks.state, and those of
// the tables below it.
func hooksState(config string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(config) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			inside = strings.HasPrefix(trimmed, "[hooks.state")
		}
		if inside || strings.HasPrefix(trimmed, "hooks.state") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// snake spells an event as Codex's keys do: UserPromptSubmit, user_prompt_submit.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
