package copilot

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"

	"overturn/model"
	"overturn/review/agents"
)

// Found tells whether Copilot CLI is here: its folder or its program.
func (*Agent) Found(h agents.Host) bool {
	if dir := configDir(h); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			return true
		}
	}
	_, err := h.LookPath("copilot")
	return err == nil
}

// Default is the user's folder: Copilot has none of a checkout that is not committed.
func (*Agent) Default() agents.Where { return agents.User }

// Files lists the files of ours that Copilot reads, nearest first.
func (*Agent) Files(h agents.Host) []agents.Settings {
	const name = "overturn.json"
	var list []agents.Settings
	if h.Root != "" {
		list = append(list, agents.Settings{Where: agents.Project, Path: filepath.Join(h.Root, ".github", "hooks", name)})
	}
	if dir := configDir(h); dir != "" {
		list = append(list, agents.Settings{Where: agents.User, Path: filepath.Join(dir, "hooks", name)})
	}
	return list
}

func configDir(h agents.Host) string {
	if dir := h.Getenv("COPILOT_HOME"); dir != "" {
		return dir
	}
	if home := h.Getenv("HOME"); home != "" {
		return filepath.Join(home, ".copilot")
	}
	return ""
}

// hook is one handler of the file; seconds is its limit.
type hook struct {
	Type    string `json:"type"`
	Bash    string `json:"bash"`
	Timeout int    `json:"timeoutSec"`
}

type file struct {
	Version int               `json:"version"`
	Hooks   map[string][]hook `json:"hooks"`
}

func seconds() map[string]int {
	return map[string]int{"sessionStart": 10, "userPromptSubmitted": 30, "preToolUse": 15, "postToolUse": 15,
		"postToolUseFailure": 15, "agentStop": 30, "errorOccurred": 15, "sessionEnd": 3}
}

// Put returns the file as it is to be. A file of that name that holds other
// hooks is refused.
func (a *Agent) Put(src []byte, command string) ([]byte, error) {
	if src != nil {
		if _, err := a.Has(src); err != nil {
			return nil, err
		}
	}
	f := file{1, map[string][]hook{}}
	for event, limit := range seconds() {
		f.Hooks[event] = []hook{{"command", agents.WithEvent(command, event), limit}}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(f); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Take returns no bytes: the file is ours as a whole.
func (a *Agent) Take(src []byte) (out []byte, empty bool, err error) {
	if _, err := a.Has(src); err != nil {
		return nil, false, err
	}
	return nil, true, nil
}

// Has lists the events that call us; an error when the file holds anything else.
func (a *Agent) Has(src []byte) ([]string, error) {
	if !json.Valid(src) {
		return nil, model.Errorf(model.CodeFailed, "it is not valid JSON")
	}
	var f file
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.DisallowUnknownFields() // what somebody added would go with the file
	if err := dec.Decode(&f); err != nil {
		return nil, &model.Error{Code: model.CodeFailed, Message: "it holds what is not overturn's", Err: err}
	}
	var events []string
	for event, list := range f.Hooks {
		for _, h := range list {
			if !agents.IsHookCommand(h.Bash, a.Name()) {
				return nil, model.Errorf(model.CodeFailed, "it holds hooks that are not overturn's")
			}
		}
		events = append(events, event)
	}
	if len(events) == 0 {
		return nil, model.Errorf(model.CodeFailed, "it is not overturn's")
	}
	sort.Strings(events)
	return events, nil
}

// Trust is not something that others can see.
func (*Agent) Trust(agents.Host, agents.Settings) (trusted, note string) { return "unknown", "" }
