package gemini

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/agenttest"
)

const session = "e29d5b81-b28b-40e6-8fb2-de5a4bed3fd4"

// turns of the recorded session, as the hooks of Gemini CLI 0.61.0 told of them.
func turns() []agents.TalkTurn {
	at := func(s string) time.Time { v, _ := time.Parse(time.RFC3339, s); return v }
	return []agents.TalkTurn{
		{Number: 1, Prompt: `first [[write /work-repo/b.txt|1\n]]`, StartedAt: at("2026-11-30T20:51:00.201Z")},
		{Number: 2, Prompt: `second [[write /work-repo/c.txt|1\n]]`, StartedAt: at("2026-11-30T20:51:20.471Z")},
		{Number: 3, Prompt: `third [[write /work-repo/d.txt|1\n]]`, StartedAt: at("2026-11-30T20:51:35.5Z")},
	}
}

func TestConversation(t *testing.T) {
	agenttest.Talked{Agent: New(), File: "testdata/session.jsonl", Place: ".gemini/tmp/repo/chats/session-2026-11-30T20-50-e29d5b81.jsonl", Session: session, Turns: turns(),
		More: `{"id":"x","timestamp":"2026-11-30T21:30:00.000Z","type":"user","content":[{"text":"more"}]}`}.Run(t)
}

// TestTheSecondFile: a session that was resumed has a file without prompts too, which
// its hooks tell of.
func TestTheSecondFile(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".gemini", "tmp", "repo", "chats")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfterN(string(whole), "\n", 3)
	for name, text := range map[string]string{"session-2026-11-30T20-50-e29d5b81.jsonl": string(whole), "session-2026-11-30T20-51-e29d5b81.jsonl": lines[0] + lines[1], "session-2026-11-30T20-52-e29d5b81.jsonl": "{}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	talk := agents.Talk{Session: session, Transcript: filepath.Join(dir, "session-2026-11-30T20-51-e29d5b81.jsonl"), Keep: turns()[:1], Drop: turns()[1:],
		Getenv: func(name string) string { return map[string]string{"GEMINI_CLI_HOME": home}[name] }}
	standing, err := New().Check(context.Background(), nil, talk)
	if err != nil || standing.Turns != 2 || !strings.Contains(standing.Note, "close it first") {
		t.Errorf("%+v, %v", standing, err)
	}
}

// TestReplay: the list of messages is what Gemini CLI's own reader makes of the records.
func TestReplay(t *testing.T) {
	const meta = `{"sessionId":"s","projectHash":"p"}` + "\n"
	for records, want := range map[string]string{
		meta + `{"id":"a"}` + "\n" + `{"id":"b"}` + "\n" + `{"id":"a"}`:                                                         "a b",
		meta + `{"id":"a"}` + "\n" + `{"id":"b"}` + "\n" + `{"id":"c"}` + "\n" + `{"$rewindTo":"b"}`:                            "a",
		meta + `{"id":"a"}` + "\n" + `{"$rewindTo":"nobody"}`:                                                                   "",
		meta + `{"id":"a"}` + "\n" + `{"$set":{"messages":[{"id":"x"},{"id":"y"},{}]}}` + "\n" + `{"$set":{"lastUpdated":"z"}}`: "x y",
		meta + `{"id":"a"}` + "\n" + `{"$set":{"messages":[]}}` + "\nnot JSON\n\n" + `{"id":"b"}` + "\n" + `{"id":"c"`:          "b",
	} {
		list, err := replay([]byte(records))
		var ids []string
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		if err != nil || strings.Join(ids, " ") != want {
			t.Errorf("%s: %q, %v", records, ids, err)
		}
	}
	if _, err := replay([]byte(`{"id":"a"}`)); err == nil {
		t.Error("a file of no session was read")
	}
}

func TestNoSuchConversation(t *testing.T) {
	talk := agents.Talk{Session: session, Drop: turns(), Getenv: func(string) string { return t.TempDir() }}
	if _, err := New().Check(context.Background(), nil, talk); err == nil || model.CodeOf(err) != model.CodeFailed || model.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
}

func FuzzConversation(f *testing.F) {
	src, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Add([]byte(`{"sessionId":"s","projectHash":"p"}` + "\n" + `{"id":"a","type":"user","content":"x"}` + "\n" + `{"$rewindTo":"a"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := prompts(data)
		if err != nil || len(list) == 0 {
			return
		}
		for i, p := range list {
			out, err := without(data, p)
			if err != nil {
				t.Fatal(err)
			}
			if left, err := prompts(out); err != nil || len(left) != i {
				t.Fatalf("%d prompts are left before prompt %d: %v", len(left), i, err)
			}
		}
	})
}
