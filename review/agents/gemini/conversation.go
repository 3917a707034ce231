package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/talkfile"
)

// Capability says how a conversation of Gemini CLI is taken back; see agents.Conversation.
func (*Agent) Capability() agents.Capability {
	return agents.Capability{Supported: true, Closed: true, How: "a $rewindTo record in its session file, as its own /rewind writes it"}
}

func inPlace() talkfile.InPlace {
	return talkfile.InPlace{Agent: "Gemini CLI", Resume: "gemini --resume", Find: find, Prompts: prompts, Without: without}
}

// Check looks whether the record can be written; see agents.Conversation.
func (*Agent) Check(_ context.Context, _ agents.Runner, t agents.Talk) (agents.Standing, error) {
	return inPlace().Check(t)
}

// Rollback writes it; see agents.Conversation.
func (*Agent) Rollback(_ context.Context, _ agents.Runner, t agents.Talk) (agents.TalkDone, error) {
	return inPlace().Rollback(t)
}

// Restore takes it away, unless the conversation went on; see agents.Conversation.
func (*Agent) Restore(_ context.Context, _ agents.Runner, t agents.Talk, d agents.TalkDone) (string, error) {
	return inPlace().Restore(t, d)
}

// find is the file of a session: of those whose first line names it the one with most
// prompts. A session that was resumed has a second file, with none, which hooks tell of
// from then on.
func find(t agents.Talk) (string, error) {
	dir := filepath.Join(homeOf(t.Getenv), ".gemini", "tmp")
	candidates := []string{t.Transcript}
	projects, _ := os.ReadDir(dir) // none: nothing is found
	for _, p := range projects {
		chats, _ := os.ReadDir(filepath.Join(dir, p.Name(), "chats"))
		for _, c := range chats {
			if strings.HasSuffix(c.Name(), "-"+t.Session[:min(8, len(t.Session))]+".jsonl") {
				candidates = append(candidates, filepath.Join(dir, p.Name(), "chats", c.Name()))
			}
		}
	}
	best, most := "", -1
	for _, path := range candidates {
		if n := promptsOf(path, t.Session); n > most {
			best, most = path, n
		}
	}
	if best == "" {
		return "", model.Errorf(model.CodeFailed, "there is no conversation %s in %s", t.Session, dir).
			WithHint("Gemini CLI deletes old ones, and older versions kept them otherwise")
	}
	return best, nil
}

// promptsOf is how many prompts a file holds; -1 for one that is not of the session.
func promptsOf(path, session string) int {
	if path == "" || session == "" || filepath.Ext(path) != ".jsonl" {
		return -1
	}
	f, err := talkfile.Read(path)
	if err != nil {
		return -1
	}
	first, _, _ := bytes.Cut(f.Data, []byte("\n"))
	var meta record
	if json.Unmarshal(first, &meta) != nil || meta.Session != session {
		return -1
	}
	list, err := prompts(f.Data)
	if err != nil {
		return -1
	}
	return len(list)
}

// record is one line: what the session is, a message (an earlier one of the same id
// included), a change of the whole list, or a step back.
type record struct {
	Session string          `json:"sessionId"`
	Project string          `json:"projectHash"`
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	At      time.Time       `json:"timestamp"`
	Content json.RawMessage `json:"content"`
	Set     *struct {
		Messages []record `json:"messages"`
	} `json:"$set"`
	RewindTo string `json:"$rewindTo"`
}

// replay is the messages that the records leave, as Gemini CLI 0.61 reads them
// (loadConversationRecord in chatRecordingService).
func replay(data []byte) ([]record, error) {
	var list []record
	known := false
	for _, line := range talkfile.Lines(data) {
		var r record
		if len(bytes.TrimSpace(line)) == 0 || json.Unmarshal(line, &r) != nil {
			continue // what it cannot read it passes over too
		}
		known = known || r.Session != "" && r.Project != ""
		switch {
		case r.RewindTo != "":
			list = before(list, r.RewindTo)
		case r.ID != "":
			list = put(list, r)
		case r.Set != nil && r.Set.Messages != nil:
			list = nil
			for _, m := range r.Set.Messages {
				if m.ID != "" {
					list = put(list, m)
				}
			}
		}
	}
	if !known {
		return nil, errors.New("it does not say which session it is of")
	}
	return list, nil
}

// before is the list up to a message; nothing where that is not in it.
func before(list []record, id string) []record {
	for i, r := range list {
		if r.ID == id {
			return list[:i:i]
		}
	}
	return nil
}

func put(list []record, r record) []record {
	for i := range list {
		if list[i].ID == r.ID {
			list[i] = r
			return list
		}
	}
	return append(list, r)
}

// prompts are the messages of a person: results of tools and the context that the
// program sends first are not.
func prompts(data []byte) ([]agents.Prompt, error) {
	list, err := replay(data)
	if err != nil {
		return nil, err
	}
	var out []agents.Prompt
	for i, r := range list {
		if text := r.text(); r.Type == "user" && text != "" && !strings.HasPrefix(text, "<session_context>") {
			out = append(out, agents.Prompt{Text: text, At: r.At, Line: i})
		}
	}
	return out, nil
}

// text joins the parts of a message that are text.
func (r record) text() string {
	var whole string
	if json.Unmarshal(r.Content, &whole) == nil {
		return whole
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(r.Content, &parts) != nil {
		return ""
	}
	var texts []string
	for _, p := range parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// without appends the step back to a prompt.
func without(data []byte, p agents.Prompt) ([]byte, error) {
	list, err := replay(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(map[string]string{"$rewindTo": list[p.Line].ID})
	if err != nil {
		return nil, err
	}
	out := bytes.Clone(data)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return append(append(out, line...), '\n'), nil
}
