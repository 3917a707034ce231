package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/talkfile"
)

// entry is what matters of one line of a transcript: the lines form a tree, and a
// prompt and all that answers it have the promptId that hooks call prompt_id.
type entry struct {
	Type      string          `json:"type"`
	UUID      string          `json:"uuid"`
	Parent    string          `json:"parentUuid"`
	Prompt    string          `json:"promptId"`
	Sidechain bool            `json:"isSidechain"`
	Meta      bool            `json:"isMeta"`
	Cwd       string          `json:"cwd"`
	Version   string          `json:"version"`
	At        time.Time       `json:"timestamp"`
	Message   json.RawMessage `json:"message"`
}

// transcript is a conversation's file, line by line.
type transcript struct {
	lines   [][]byte
	entries []entry
}

// read takes a transcript apart. Every whole line must be a JSON object; a last line
// without its end is still being written, and is left out.
func read(data []byte) (*transcript, error) {
	t := &transcript{lines: talkfile.Lines(data)}
	if n := len(t.lines); n > 0 && !bytes.HasSuffix(t.lines[n-1], []byte("\n")) {
		t.lines = t.lines[:n-1]
	}
	t.entries = make([]entry, len(t.lines))
	for i, line := range t.lines {
		if err := json.Unmarshal(line, &t.entries[i]); err != nil {
			return nil, &model.Error{Code: model.CodeFailed, Message: fmt.Sprintf("line %d of the transcript is not as expected", i+1), Err: err}
		}
	}
	return t, nil
}

// begins is the first line of a turn; -1 when the conversation has none.
func (t *transcript) begins(turn agents.TalkTurn) int {
	return slices.IndexFunc(t.entries, func(e entry) bool {
		switch {
		case e.Type != "user" || e.Sidechain:
			return false
		case turn.TurnID != "":
			return e.Prompt == turn.TurnID
		}
		return turn.Prompt != "" && e.text() == turn.Prompt && e.At.After(turn.StartedAt.Add(-clockSlack))
	})
}

// clockSlack is how much earlier than its hook a line may say it was written.
const clockSlack = 5 * time.Second

// text is what a user's line says, "" for the result of a tool.
func (e entry) text() string {
	var m struct {
		Content json.RawMessage `json:"content"`
	}
	var whole string
	if json.Unmarshal(e.Message, &m) != nil {
		return ""
	}
	if json.Unmarshal(m.Content, &whole) == nil {
		return whole
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		if p.Type == "text" {
			return p.Text
		}
	}
	return ""
}

// prompts counts the prompts of a person from line at on: each id once, commands of
// the program itself left out.
func (t *transcript) prompts(at int) int {
	seen := map[string]bool{}
	for _, e := range t.entries[at:] {
		text := e.text()
		if e.Type == "user" && e.Prompt != "" && !e.Meta && !e.Sidechain && text != "" && !strings.HasPrefix(text, "<") {
			seen[e.Prompt] = true
		}
	}
	return len(seen)
}

// hasPrompts tells whether this transcript names the prompts of its lines at all.
func (t *transcript) hasPrompts() bool {
	return slices.ContainsFunc(t.entries, func(e entry) bool { return e.Type == "user" && e.Prompt != "" })
}

// end is how many lines stand before a turn that begins at line at: up to the message
// that its prompt answers, since what stands between may be a branch that was given
// up. 0 when the prompt answers none.
func (t *transcript) end(at int) int {
	parent := t.entries[at].Parent
	if parent == "" {
		return 0
	}
	if i := slices.IndexFunc(t.entries[:at], func(e entry) bool { return e.UUID == parent }); i >= 0 {
		return i + 1
	}
	for i := at; i > 0; i-- {
		if t.entries[i-1].UUID != "" {
			return i
		}
	}
	return 0
}

// copy is the first end lines as a conversation of their own. Lines that say where the
// old one ended are left out.
func (t *transcript) copy(end int, id string) ([]byte, error) {
	var out bytes.Buffer
	for i, line := range t.lines[:end] {
		if t.entries[i].Type == "last-prompt" {
			continue
		}
		line, err := withSession(line, id)
		if err != nil {
			return nil, err
		}
		out.Write(line)
	}
	return out.Bytes(), nil
}

// withSession replaces the value of the object's own member sessionId, and no other
// byte; a line without one stays as it is.
func withSession(line []byte, id string) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(err, errors.New("a line of the transcript is not an object"))
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		before := dec.InputOffset()
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		if key != "sessionId" {
			continue
		}
		after := dec.InputOffset()
		start := before + int64(bytes.LastIndex(line[before:after], value))
		text, err := json.Marshal(id)
		return slices.Concat(line[:start], text, line[start+int64(len(value)):]), err
	}
	if _, err := dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return line, nil
}
