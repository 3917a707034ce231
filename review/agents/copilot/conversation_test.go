package copilot

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/agenttest"
)

const session = "029a69e3-685b-4a34-aa54-ad0236218a38"

// turns of the recorded session, as the hooks of Copilot CLI 1.0.102 told of them.
func turns() []agents.TalkTurn {
	return []agents.TalkTurn{
		{Number: 1, Prompt: `first [[write /work-repo/b.txt|1\n]]`, StartedAt: time.UnixMilli(1796071924204)},
		{Number: 2, Prompt: `second [[write /work-repo/c.txt|1\n]]`, StartedAt: time.UnixMilli(1796071930433)},
		{Number: 3, Prompt: `third [[write /work-repo/d.txt|1\n]]`, StartedAt: time.UnixMilli(1796071935135)},
	}
}

func TestConversation(t *testing.T) {
	agenttest.Talked{Agent: New(), File: "testdata/events.jsonl", Place: ".copilot/session-state/" + session + "/events.jsonl", Session: session, Turns: turns(),
		More: `{"type":"user.message","data":{"content":"more"},"timestamp":"2026-11-30T22:00:00.000Z"}`}.Run(t)
}

// TestItEndsWithATurn: what is left ends as a session that was closed, or with its start.
func TestItEndsWithATurn(t *testing.T) {
	data, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list, err := prompts(data)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d prompts, %v", len(list), err)
	}
	for i, want := range []string{"session.start", "session.shutdown", "session.shutdown"} {
		out, err := without(data, list[i])
		if err != nil {
			t.Fatal(err)
		}
		left, err := events(out)
		if err != nil || left[len(left)-1].Type != want || !bytes.HasPrefix(data, out) {
			t.Errorf("before prompt %d it ends with %s, %v", i+1, left[len(left)-1].Type, err)
		}
	}
}

// TestLivenessUnknown: a session that did not end may be open.
func TestLivenessUnknown(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".copilot", "session-state", session, "events.jsonl")
	data, err := os.ReadFile("testdata/events.jsonl")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		data    []byte
		refused bool
	}{{data, false}, {data[:bytes.LastIndex(data, []byte(`{"type":"session.shutdown"`))], true}} {
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		talk := agents.Talk{Session: session, Keep: turns()[:1], Drop: turns()[1:], Getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
		if _, err := New().Check(context.Background(), nil, talk); (err != nil) != c.refused || err != nil && model.CodeOf(err) != model.CodeRefused {
			t.Errorf("%v", err)
		}
	}
}

func FuzzConversation(f *testing.F) {
	src, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := prompts(data)
		if err != nil {
			return
		}
		for i, p := range list {
			out, err := without(data, p)
			if err != nil || !bytes.HasPrefix(data, out) {
				t.Fatalf("cut before prompt %d: %v", i, err)
			}
			if left, err := prompts(out); err != nil || len(left) > i {
				t.Fatalf("%d prompts are left before prompt %d: %v", len(left), i, err)
			}
		}
	})
}
