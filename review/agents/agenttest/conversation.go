package agenttest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
)

// Talked is a recorded conversation of an agent that keeps it in one file, which is
// replaced when turns are taken out.
type Talked struct {
	Agent   agents.Conversation
	File    string // the recorded file
	Place   string // where it lies below the home folder
	Session string
	Turns   []agents.TalkTurn // all of them, oldest first
	More    string            // a line as the agent would add it when the conversation goes on
}

// house is a home folder that holds the conversation.
func (c Talked) house(t *testing.T, keep int) (agents.Talk, string) {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, c.Place)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	putFile(t, path, getFile(t, c.File))
	return agents.Talk{ID: "01hqabcdefghjkmnpqrstvwxyz", Session: c.Session, Root: "/work-repo", Live: agents.LiveGone, Keep: c.Turns[:keep], Drop: c.Turns[keep:],
		Keepsakes: filepath.Join(home, "kept"), Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}, path
}

func getFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func putFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Run holds the agent's rollback to what agents.Conversation says, for every number of
// turns that stay.
func (c Talked) Run(t *testing.T) {
	for keep := range c.Turns {
		c.backAndForth(t, keep)
	}
	c.interrupted(t)
	c.refused(t)
}

func (c Talked) backAndForth(t *testing.T, keep int) {
	t.Helper()
	ctx := context.Background()
	talk, path := c.house(t, keep)
	before := getFile(t, path)
	standing, err := c.Agent.Check(ctx, nil, talk)
	if err != nil || standing.Done || standing.Turns != len(talk.Drop) || !bytes.Equal(getFile(t, path), before) {
		t.Errorf("keep %d: check: %+v, %v", keep, standing, err)
	}
	done, err := c.Agent.Rollback(ctx, nil, talk)
	if err != nil || done.Turns != len(talk.Drop) || len(done.Files) != 1 || done.Note == "" {
		t.Fatalf("keep %d: %+v, %v", keep, done, err)
	}
	after := getFile(t, path)
	for _, turn := range talk.Keep {
		if !bytes.Contains(after, []byte(turn.Prompt[:5])) {
			t.Errorf("keep %d: turn %d is gone", keep, turn.Number)
		}
	}
	if !bytes.Equal(getFile(t, done.Files[0].Copy), before) {
		t.Errorf("keep %d: the copy is not what was there", keep)
	}
	again, err := c.Agent.Rollback(ctx, nil, talk)
	if err != nil || !reflect.DeepEqual(again.Files, done.Files) || !bytes.Equal(getFile(t, path), after) {
		t.Errorf("keep %d: again: %+v, %v", keep, again, err)
	}
	if standing, err := c.Agent.Check(ctx, nil, talk); err != nil || !standing.Done {
		t.Errorf("keep %d: afterwards: %+v, %v", keep, standing, err)
	}
	var read agents.TalkDone
	if b, err := json.Marshal(done); err != nil || json.Unmarshal(b, &read) != nil || !reflect.DeepEqual(read, done) {
		t.Errorf("keep %d: journalled as %s, %v", keep, b, err)
	}
	for range 2 {
		note, err := c.Agent.Restore(ctx, nil, talk, read)
		if err != nil || !strings.Contains(note, "All turns are back") || !bytes.Equal(getFile(t, path), before) {
			t.Errorf("keep %d: restored: %q, %v", keep, note, err)
		}
	}
	c.wentOn(t, talk, path)
}

// wentOn: a conversation that went on is not put back over.
func (c Talked) wentOn(t *testing.T, talk agents.Talk, path string) {
	t.Helper()
	done, err := c.Agent.Rollback(context.Background(), nil, talk)
	if err != nil {
		t.Fatal(err)
	}
	more := append(getFile(t, path), c.More+"\n"...)
	putFile(t, path, more)
	note, err := c.Agent.Restore(context.Background(), nil, talk, done)
	if err != nil || !strings.Contains(note, "went on") || !strings.Contains(note, done.Files[0].Copy) || !bytes.Equal(getFile(t, path), more) {
		t.Errorf("went on: %q, %v", note, err)
	}
	again, err := c.Agent.Rollback(context.Background(), nil, talk)
	if err != nil || !reflect.DeepEqual(again.Files, done.Files) || !bytes.Equal(getFile(t, path), more) {
		t.Errorf("went on, again: %+v, %v", again, err)
	}
}

// interrupted: a copy was kept, and then the process died.
func (c Talked) interrupted(t *testing.T) {
	t.Helper()
	talk, path := c.house(t, 1)
	before := getFile(t, path)
	done, err := c.Agent.Rollback(context.Background(), nil, talk)
	if err != nil {
		t.Fatal(err)
	}
	after := getFile(t, path)
	putFile(t, path, before)
	again, err := c.Agent.Rollback(context.Background(), nil, talk)
	if err != nil || !reflect.DeepEqual(again.Files, done.Files) || !bytes.Equal(getFile(t, path), after) {
		t.Errorf("interrupted: %+v, %v", again, err)
	}
}

// refused: what is open, not there, or not as recorded is left alone.
func (c Talked) refused(t *testing.T) {
	t.Helper()
	for name, change := range map[string]func(*agents.Talk, string){
		"refused: the program is open": func(t *agents.Talk, _ string) { t.Live = agents.LiveOpen },
		"refused: another prompt": func(t *agents.Talk, _ string) {
			t.Drop = []agents.TalkTurn{{Number: 2, Prompt: "something else", StartedAt: t.Drop[0].StartedAt}}
		},
		"failed: no such session": func(t *agents.Talk, _ string) { t.Session = "another" },
		"failed: no session":      func(t *agents.Talk, _ string) { t.Session = "" },
	} {
		talk, path := c.house(t, 1)
		change(&talk, path)
		before := getFile(t, path)
		code, _, _ := strings.Cut(name, ":")
		_, err := c.Agent.Check(context.Background(), nil, talk)
		if err == nil || string(model.CodeOf(err)) != code {
			t.Errorf("%s: check: %v", name, err)
		}
		if _, err := c.Agent.Rollback(context.Background(), nil, talk); err == nil || !bytes.Equal(getFile(t, path), before) {
			t.Errorf("%s: rolled back, %v", name, err)
		}
	}
}
