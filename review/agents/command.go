package agents

import (
	"path/filepath"
	"slices"
	"strings"

	"overturn/model"
)

// IfEnabled is the flag in a user-level hook's command line: it records only in
// repositories that were enabled.
const IfEnabled = "--if-enabled"

// ours is the flag in the command line of a hook whose program has another name than
// overturn: it says whose the hook is. The hook verb passes over it.
const ours = "--overturn"

// HookCommand is the command line that a settings file calls. It never changes
// while program stays where it is, since Codex withdraws its trust from a hook
// whose command changes.
func HookCommand(program, agent string, ifEnabled bool) string {
	line := model.ShellWord(program) + " hook " + agent
	if !namedOverturn(program) {
		line += " " + ours
	}
	if ifEnabled {
		line += " " + IfEnabled
	}
	return line
}

// WithEvent names the event in a hook's command line, for agents whose payload
// does not.
func WithEvent(line, event string) string { return line + " " + event }

// IsHookCommand tells whether a command line is one that HookCommand made for
// the agent, also for a program that stood elsewhere. Others have a verb hook too: a
// program of another name is ours by the flag only.
func IsHookCommand(line, agent string) bool {
	rest, tail, ok := cutLast(strings.TrimSpace(line), " hook "+agent)
	if !ok || strings.ContainsAny(tail, ";&|<>$`()'\"\\\n") || tail != "" && tail[0] != ' ' {
		return false
	}
	return namedOverturn(strings.Trim(rest, `'"`)) || rest != "" && slices.Contains(strings.Fields(tail), ours)
}

func namedOverturn(program string) bool {
	name := filepath.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(name, ".exe") == "overturn"
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
