package claudecode

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"overturn/review/agents"
)

func FuzzTranscript(f *testing.F) {
	src, err := os.ReadFile("testdata/transcript.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src, "008b94e1-94cd-4269-8a2b-e2784cbec22d")
	f.Add([]byte(`{"type":"user","uuid":"a","promptId":"p","sessionId":"\u0073","sessionId":3}`+"\n"+`{"type":"user","parentUuid":"a","promptId":"q"}`+"\n"), "q")
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		talk, err := read(data)
		if err != nil {
			return
		}
		talk.prompts(0)
		at := talk.begins(agents.TalkTurn{TurnID: id})
		if at < 0 {
			return
		}
		out, err := talk.copy(talk.end(at), "new-id")
		if err != nil {
			t.Fatalf("a line that was read cannot be copied: %v", err)
		}
		for line := range bytes.Lines(out) {
			var any map[string]json.RawMessage
			if err := json.Unmarshal(line, &any); err != nil {
				t.Fatalf("a line of the copy: %q: %v", line, err)
			}
		}
	})
}
