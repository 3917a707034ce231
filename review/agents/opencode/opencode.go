// Package opencode is the adapter of OpenCode, whose hooks are a plugin that runs
// inside its server: a small file of ours that hands the few events that matter
// to `overturn hook opencode`, as overturn's own event (see package generic). It also
// starts a server of its own to take turns out of conversations: that one puts no file
// back, since the parts of messages that tell it to are taken out first and kept.
//
// Invariants: the turn's key is the id of the user's message; sessions of
// sub-agents act inside their parent's turn. The plugin waits for the start of a
// turn and for tools, so that the state is captured before work begins, and for
// nothing else. The file is ours as a whole: another of its name is refused.
//
// A crash leaves a conversation with or without the turns, or with them and without
// the parts that OpenCode would put files back by; the next run ends it, and undoing it
// puts the parts back from the copy.
package opencode

import (
	"os"
	"path/filepath"
	"strings"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/generic"
)

// Agent is the adapter. Its zero value is ready.
type Agent struct{}

// New returns the adapter.
func New() *Agent { return &Agent{} }

// Name is the agent's name on the command line.
func (*Agent) Name() string { return "opencode" }

// Parse reads what the plugin sends; see agents.Parser.
func (a *Agent) Parse(p agents.Payload) (agents.Event, error) {
	e, err := generic.New().Parse(p)
	e.Agent = a.Name()
	return e, err
}

// Tell answers the plugin's turn-start; see agents.Teller. The plugin adds the text to
// the user's message as a part of its own.
func (*Agent) Tell(e agents.Event, text, notice string) ([]byte, bool) {
	return agents.PlainContext(e, text, notice)
}

// Found tells whether OpenCode is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if dir := configDir(h); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			return true
		}
	}
	_, err := h.LookPath("opencode")
	return err == nil
}

// Default is the user's folder: OpenCode has none of a checkout that is not committed.
func (*Agent) Default() agents.Where { return agents.User }

// Files lists the files of ours that OpenCode reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	const name = "overturn.js"
	var list []agents.Settings
	if h.Root != "" {
		list = append(list, agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".opencode", "plugins", name)})
	}
	if dir := configDir(h); dir != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(dir, "plugins", name)})
	}
	return list
}

func configDir(h agents.Host) string {
	if dir := h.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "opencode")
	}
	if home := h.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".config", "opencode")
	}
	return ""
}

// Put returns the plugin.
func (a *Agent) Put(src []byte, command string) ([]byte, error) {
	if src != nil {
		if _, err := a.Has(src); err != nil {
			return nil, err
		}
	}
	text, err := plugin(command)
	return []byte(text), err
}

// Take returns no bytes: the file is ours as a whole.
func (a *Agent) Take(src []byte) (out []byte, empty bool, err error) {
	if _, err := a.Has(src); err != nil {
		return nil, false, err
	}
	return nil, true, nil
}

// Has lists the events that call us; an error when the file is not our plugin.
func (a *Agent) Has(src []byte) ([]string, error) {
	if !strings.HasPrefix(string(src), firstLine) {
		return nil, model.Errorf(model.CodeFailed, "it is not overturn's plugin")
	}
	return events(), nil
}

// events are those that the plugin acts on.
func events() []string {
	return []string{"session.created", "chat.message", "tool.execute.before", "tool.execute.after", "session.error", "session.idle"}
}

// Trust is not something that OpenCode asks about.
func (*Agent) Trust(agents.Host, agents.Settings) (trusted, note string) { return "yes", "" }
