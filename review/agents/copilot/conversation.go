package copilot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/talkfile"
)

// Capability says how a conversation of Copilot CLI is taken back; see agents.Conversation.
func (*Agent) Capability() agents.Capability {
	return agents.Capability{Supported: true, Closed: true, How: "its events.jsonl cut back, a copy kept"}
}

func inPlace() talkfile.InPlace {
	return talkfile.InPlace{Agent: "Copilot CLI", Resume: "copilot --resume", Find: find, Prompts: prompts, Without: without, Ended: ended}
}

// Check looks whether the events can be cut; see agents.Conversation.
func (*Agent) Check(_ context.Context, _ agents.Runner, t agents.Talk) (agents.Standing, error) {
	return inPlace().Check(t)
}

// Rollback cuts them; see agents.Conversation.
func (*Agent) Rollback(_ context.Context, _ agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	return inPlace().Rollback(t)
}

// Restore puts them back, unless the conversation went on; see agents.Conversation.
func (*Agent) Restore(_ context.Context, _ agents.Runner, t agents.Talk, d agents.TalkDone) (string, error) {
	return inPlace().Restore(t, d)
}

// find is the file of a session's events.
func find(t agents.Talk) (string, error) {
	if t.Session == "" || strings.ContainsAny(t.Session, `/\`) || strings.HasPrefix(t.Session, ".") {
		return "", model.Errorf(model.CodeFailed, "%q is not a conversation of Copilot CLI", t.Session)
	}
	dir := t.Getenv("COPILOT_HOME")
	if dir == "" {
		dir = filepath.Join(t.Getenv("HOME"), ".copilot")
	}
	for _, path := range []string{t.Transcript, filepath.Join(dir, "session-state", t.Session, "events.jsonl")} {
		if filepath.Base(path) != "events.jsonl" || filepath.Base(filepath.Dir(path)) != t.Session {
			continue
		}
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", model.Errorf(model.CodeFailed, "there is no conversation %s in %s", t.Session, dir).
		WithHint("where Copilot CLI keeps them elsewhere, set COPILOT_HOME as it has it")
}

// event is one line.
type event struct {
	Type string    `json:"type"`
	At   time.Time `json:"timestamp"`
	Data struct {
		Content string `json:"content"`
		Source  string `json:"source"`
	} `json:"data"`
}

// events reads all lines; the first must begin a session.
func events(data []byte) ([]event, error) {
	lines := talkfile.Lines(data)
	list := make([]event, len(lines))
	for i, line := range lines {
		if err := json.Unmarshal(line, &list[i]); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if len(list) == 0 || list[0].Type != "session.start" {
		return nil, errors.New("it does not begin with the start of a session")
	}
	return list, nil
}

// prompts are the user's messages; those that the program itself sent as the user have
// a source.
func prompts(data []byte) ([]agents.Prompt, error) {
	list, err := events(data)
	if err != nil {
		return nil, err
	}
	var out []agents.Prompt
	for i, e := range list {
		if e.Type == "user.message" && (e.Data.Source == "" || e.Data.Source == "user") {
			out = append(out, agents.Prompt{Text: e.Data.Content, At: e.At, Line: i})
		}
	}
	return out, nil
}

// without ends the events where the turn before p ended, so that what a resumed session
// wrote before its first prompt goes too; before the first turn, at the session's start.
func without(data []byte, p agents.Prompt) ([]byte, error) {
	list, err := events(data)
	if err != nil {
		return nil, err
	}
	end := p.Line
	for end > 1 && !endsTurn(list[end-1].Type) {
		end--
	}
	return bytes.Join(talkfile.Lines(data)[:end], nil), nil
}

func endsTurn(kind string) bool {
	switch kind {
	case "assistant.turn_end", "session.shutdown", "abort", "session.error":
		return true
	}
	return false
}

// ended tells whether the last session said that it is over.
func ended(data []byte) bool {
	list, err := events(data)
	return err == nil && list[len(list)-1].Type == "session.shutdown"
}
