package claudecode_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/claudecode"
)

// recorded is a conversation of five turns that Claude Code 2.1.197 wrote.
const session = "00da19c8-69ba-4a3c-9b01-248d7a1bf8e7"

func prompts() []agents.TalkTurn {
	ids := []string{"c479a089-608e-4ae8-8747-fbbee38a2a5f", "80d457a8-9f08-48be-b35c-89b03ef7e9c9",
		"008b94e1-94cd-4269-8a2b-e2784cbec22d", "fe9cbb01-81a5-4bd5-ac06-400055fc1f45", "6c1212f6-32af-4b6e-ba5e-db809e9ee6eb"}
	var list []agents.TalkTurn
	for i, id := range ids {
		list = append(list, agents.TalkTurn{Number: i + 1, TurnID: id})
	}
	return list
}

// house is a home folder that holds the recorded conversation.
func house(t *testing.T, keep int) (agents.Talk, string) {
	t.Helper()
	src, err := os.ReadFile("testdata/transcript.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	path := filepath.Join(home, ".claude", "projects", "-work-repo", session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, ".claude", "projects", "-another"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	all := prompts()
	return agents.Talk{ID: "01hqabcdefghjkmnpqrstvwxyz", Session: session, Root: "/work-repo", Keep: all[:keep], Drop: all[keep:],
		Keepsakes: filepath.Join(home, "kept"), Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}, path
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheCopyEndsBeforeTheDroppedTurns(t *testing.T) {
	for keep := 1; keep < 5; keep++ {
		talk, path := house(t, keep)
		before := content(t, path)
		standing, err := claudecode.New().Check(context.Background(), nil, talk)
		if err != nil || standing.Done || standing.Turns != 5-keep || standing.Version != "2.1.197" || standing.Note != "" {
			t.Errorf("keep %d: check: %+v, %v", keep, standing, err)
		}
		done, err := claudecode.New().Rollback(context.Background(), nil, talk)
		if err != nil {
			t.Fatal(err)
		}
		if done.Turns != 5-keep || len(done.Files) != 1 || !strings.Contains(done.Note, "claude --resume "+done.NewID) {
			t.Errorf("keep %d: %+v", keep, done)
		}
		made := filepath.Join(filepath.Dir(path), done.NewID+".jsonl")
		looked(t, content(t, made), done.NewID, talk)
		if !bytes.Equal(content(t, path), before) {
			t.Error("the live transcript was written to")
		}
		if again, err := claudecode.New().Rollback(context.Background(), nil, talk); err != nil || again.NewID != done.NewID || again.Note != done.Note {
			t.Errorf("again: %+v, %v", again, err)
		}
		if standing, err := claudecode.New().Check(context.Background(), nil, talk); err != nil || !standing.Done {
			t.Errorf("after: %+v, %v", standing, err)
		}
		note, err := claudecode.New().Restore(context.Background(), nil, talk, done)
		if _, left := os.Stat(made); err != nil || left == nil || !strings.Contains(note, "claude --resume "+session) {
			t.Errorf("restored: %q, %v", note, err)
		}
	}
}

// looked holds a copy against what it has to be: lines that parse, all of the new id,
// the kept prompts, none of the dropped ones, and at the end the last answer.
func looked(t *testing.T, data []byte, id string, talk agents.Talk) {
	t.Helper()
	seen := map[string]bool{}
	var last map[string]any
	for line := range bytes.Lines(data) {
		last = nil
		if err := json.Unmarshal(line, &last); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if last["sessionId"] != id || last["type"] == "last-prompt" {
			t.Errorf("a line of the copy: %s", line)
		}
		if p, ok := last["promptId"].(string); ok {
			seen[p] = true
		}
	}
	for _, turn := range talk.Keep {
		if !seen[turn.TurnID] {
			t.Errorf("turn %d is not in the copy", turn.Number)
		}
	}
	if len(seen) != len(talk.Keep) || last["type"] != "assistant" {
		t.Errorf("%d prompts, and the last line is a %v", len(seen), last["type"])
	}
}

func TestACopyThatWentOnStays(t *testing.T) {
	talk, path := house(t, 2)
	done, err := claudecode.New().Rollback(context.Background(), nil, talk)
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(filepath.Dir(path), done.NewID+".jsonl")
	more := append(content(t, made), []byte(`{"type":"user","promptId":"new"}`+"\n")...)
	if err := os.WriteFile(made, more, 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := claudecode.New().Rollback(context.Background(), nil, talk); err != nil || again.NewID != done.NewID {
		t.Errorf("again: %+v, %v", again, err)
	}
	note, err := claudecode.New().Restore(context.Background(), nil, talk, done)
	if err != nil || !strings.Contains(note, "stays: "+done.NewID) || !bytes.Equal(content(t, made), more) {
		t.Errorf("restored: %q, %v", note, err)
	}
}

func TestNothingIsLeft(t *testing.T) {
	talk, path := house(t, 0)
	standing, err := claudecode.New().Check(context.Background(), nil, talk)
	if err != nil || !strings.Contains(standing.Note, "nothing is left") {
		t.Errorf("%+v, %v", standing, err)
	}
	done, err := claudecode.New().Rollback(context.Background(), nil, talk)
	if err != nil || done.Turns != 5 || done.NewID != "" || len(done.Files) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("files were made: %v", entries)
	}
	if note, err := claudecode.New().Restore(context.Background(), nil, talk, done); err != nil || !strings.Contains(note, session) {
		t.Errorf("restored: %q, %v", note, err)
	}
}

// TestOddTranscripts: what a live program writes beside the plain case.
func TestOddTranscripts(t *testing.T) {
	user := func(id, parent, prompt, text string) string {
		return `{"type":"user","uuid":"` + id + `","parentUuid":` + parent + `,"promptId":"` + prompt + `","sessionId":"s","timestamp":"2026-11-30T10:00:00Z","message":{"content":"` + text + `"}}` + "\n"
	}
	said := func(id, parent string) string {
		return `{"type":"assistant","uuid":"` + id + `","parentUuid":"` + parent + `","sessionId":"s"}` + "\n"
	}
	first := user("1", "null", "p1", "one") + said("2", "1")
	given := user("3", `"2"`, "p2", "two") + said("4", "3") // a branch that the user gave up
	at := time.Date(2026, 11, 30, 10, 0, 1, 0, time.UTC)
	turn := func(n int, id, text string) agents.TalkTurn {
		return agents.TalkTurn{Number: n, TurnID: id, Prompt: text, StartedAt: at}
	}
	for name, c := range map[string]struct {
		text       string
		keep, drop []agents.TalkTurn
		want, code string
		done       bool
		note       string
	}{
		"a branch that was given up": {text: first + given + user("5", `"2"`, "p3", "three") + said("6", "5"),
			keep: []agents.TalkTurn{turn(1, "p1", ""), turn(2, "p2", "")}, drop: []agents.TalkTurn{turn(3, "p3", "")}, want: first},
		"a last line that is being written": {text: first + given + `{"type":"assis`, keep: []agents.TalkTurn{turn(1, "p1", "")}, drop: []agents.TalkTurn{turn(2, "p2", "")}, want: first},
		"a turn without an id":              {text: first + given, keep: []agents.TalkTurn{turn(1, "p1", "")}, drop: []agents.TalkTurn{turn(2, "", "two")}, want: first},
		"prompts that were not recorded": {text: first + given + user("5", `"4"`, "px", "more"), keep: []agents.TalkTurn{turn(1, "p1", "")},
			drop: []agents.TalkTurn{turn(2, "p2", "")}, want: first, note: "1 later prompt"},
		"the first of them was refused by a hook": {text: first + given, keep: []agents.TalkTurn{turn(1, "p1", "")}, drop: []agents.TalkTurn{turn(2, "gone", ""), turn(3, "p2", "")}, want: first},
		"none of them is there":                   {text: first, drop: []agents.TalkTurn{turn(2, "p9", "")}, done: true},
		"a side chain of the same id":             {text: first + strings.Replace(given, `"type":"user"`, `"isSidechain":true,"type":"user"`, 1), drop: []agents.TalkTurn{turn(2, "p2", "")}, done: true},
		"another order":                           {text: first + given, keep: []agents.TalkTurn{turn(2, "p2", "")}, drop: []agents.TalkTurn{turn(1, "p1", "")}, code: "refused"},
		"no ids at all":                           {text: strings.ReplaceAll(first+given, "promptId", "prompt"), drop: []agents.TalkTurn{turn(2, "p2", "")}, code: "failed"},
		"a line that is not JSON":                 {text: first + "]\n" + given, drop: []agents.TalkTurn{turn(2, "p2", "")}, code: "failed"},
		"a line that is a number":                 {text: "7\n" + first + given, drop: []agents.TalkTurn{turn(2, "p2", "")}, code: "failed"},
		"an empty file":                           {text: "", drop: []agents.TalkTurn{turn(2, "p2", "")}, code: "failed"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "s.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		talk := agents.Talk{ID: "01hqabcdefghjkmnpqrstvwxyz", Session: "s", Transcript: path, Keep: c.keep, Drop: c.drop, Getenv: func(string) string { return dir }}
		standing, err := claudecode.New().Check(context.Background(), nil, talk)
		if c.code != "" {
			if string(model.CodeOf(err)) != c.code || err == nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || standing.Done != c.done || !strings.Contains(standing.Note, c.note) || c.note == "" && standing.Note != "" {
			t.Errorf("%s: %+v, %v", name, standing, err)
		}
		if (standing.More > 0) != strings.Contains(standing.Note, "later prompt") {
			t.Errorf("%s: %d more, and the note %q", name, standing.More, standing.Note)
		}
		done, err := claudecode.New().Rollback(context.Background(), nil, talk)
		if err != nil || (done.NewID == "") != (c.want == "") {
			t.Errorf("%s: %+v, %v", name, done, err)
			continue
		}
		if c.want != "" {
			if got := string(content(t, done.Files[0].Path)); got != strings.ReplaceAll(c.want, `"sessionId":"s"`, `"sessionId":"`+done.NewID+`"`) {
				t.Errorf("%s:\n%s", name, got)
			}
		}
	}
}

func TestNoSuchConversation(t *testing.T) {
	talk, _ := house(t, 1)
	for _, id := range []string{"", "../" + session, "none", ".hidden", `a\b`} {
		talk.Session = id
		if _, err := claudecode.New().Check(context.Background(), nil, talk); model.CodeOf(err) != model.CodeFailed || err == nil {
			t.Errorf("%q: %v", id, err)
		}
	}
}
