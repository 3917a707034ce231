package codex_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
	"overturn/review/agents/codex"
)

// fake is an app-server for what the real one does not do on demand. Its answers and
// the words of its refusals are those of Codex 0.171.0 and 0.148.0.
type fake struct {
	turns   []string // oldest first
	mode    string
	missing []string          // methods that this version does not have
	refuse  map[string]string // method → its words
	dead    string            // method that ends the program
	keeps   bool              // revert says ok and does nothing
	started agents.Program
	asked   []string
}

func (f *fake) Start(ctx context.Context, p agents.Program) (agents.Running, error) {
	f.started = p
	in, ours := io.Pipe()
	theirs, out := io.Pipe()
	go f.serve(in, out)
	return &fakeRun{Writer: ours, Reader: theirs, end: func() { ours.Close(); theirs.Close() }}, nil
}

type fakeRun struct {
	io.Writer
	io.Reader
	end func()
}

func (r *fakeRun) Said() string { return "first words\nlast words\n" }
func (r *fakeRun) Close() error { r.end(); return nil }

func (f *fake) serve(in *io.PipeReader, out *io.PipeWriter) {
	defer in.Close()
	defer out.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var call struct {
			ID     int            `json:"id"`
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		if json.Unmarshal(lines.Bytes(), &call) != nil || call.ID == 0 {
			continue
		}
		if call.Method == f.dead {
			return
		}
		f.asked = append(f.asked, call.Method)
		answer := map[string]any{"id": call.ID}
		if result, err := f.answer(call.Method, call.Params); err != "" {
			answer["error"] = map[string]any{"code": -32600, "message": err}
		} else {
			answer["result"] = result
		}
		b, _ := json.Marshal(answer)
		// what a client has to pass over: chatter, notifications, the server's own questions
		fmt.Fprintf(out, "not JSON\n{\"method\":\"thread/status/changed\",\"params\":{}}\n{\"id\":%d,\"method\":\"ask\",\"params\":{}}\n%s\n", call.ID, b)
	}
}

func (f *fake) answer(method string, params map[string]any) (any, string) {
	if slices.Contains(f.missing, method) {
		return nil, "Invalid request: unknown variant `" + method + "`, expected one of `initialize`"
	}
	if words := f.refuse[method]; words != "" {
		return nil, words
	}
	switch method {
	case "initialize":
		return map[string]any{"userAgent": "overturn/0.171.0 (Debian 12.0.0; x86_64) xterm (overturn; 0)"}, ""
	case "config/read":
		return map[string]any{"config": map[string]any{"mcp_servers": map[string]any{"docs": map[string]any{}, "a.b": map[string]any{}}}}, ""
	case "thread/resume":
		off, _ := json.Marshal(params["config"])
		if string(off) != `{"mcp_servers.docs.enabled":false}` {
			return nil, "an MCP server was started: " + string(off)
		}
		return map[string]any{"thread": map[string]any{"id": params["threadId"], "historyMode": f.mode, "path": "/sessions/rollout-1.jsonl"}}, ""
	case "thread/turns/list":
		return f.page(params)
	case "thread/revert":
		if f.mode != "paginated" {
			return nil, "thread/revert only supports paginated threads"
		}
		at := slices.Index(f.turns, params["beforeTurnId"].(string))
		if at < 0 {
			return nil, "turn not found: " + params["beforeTurnId"].(string)
		}
		if !f.keeps {
			f.turns = f.turns[:at]
		}
		return map[string]any{}, ""
	case "thread/rollback":
		n := int(params["numTurns"].(float64))
		if n < 1 {
			return nil, "numTurns must be >= 1"
		}
		f.turns = f.turns[:len(f.turns)-n]
		return map[string]any{}, ""
	}
	return nil, "unexpected " + method
}

// page gives two turns at a time, newest first.
func (f *fake) page(params map[string]any) (any, string) {
	from := 0
	if c, ok := params["cursor"].(string); ok {
		fmt.Sscanf(c, "after %d", &from)
	}
	data, next := []any{}, any(nil)
	for i := len(f.turns) - 1 - from; i >= 0; i-- {
		if len(data) == 2 {
			next = fmt.Sprintf("after %d", from+2)
			break
		}
		data = append(data, map[string]any{"id": f.turns[i], "items": []any{}})
	}
	return map[string]any{"data": data, "nextCursor": next}, ""
}

func talkOf(keep, drop string) agents.Talk {
	turns := func(ids string) (list []agents.TalkTurn) {
		for i, id := range strings.Fields(ids) {
			list = append(list, agents.TalkTurn{Number: i + 1, TurnID: id})
		}
		return list
	}
	return agents.Talk{Session: "s", Root: "/work-repo", Keep: turns(keep), Drop: turns(drop), Getenv: func(string) string { return "" }}
}

func TestTurnsLeaveTheConversation(t *testing.T) {
	for name, c := range map[string]struct {
		f          *fake
		keep, drop string
		left, note string
		turns      int
	}{
		"by thread/revert":        {f: &fake{turns: strings.Fields("a b c d e f"), mode: "paginated"}, keep: "a b", drop: "c d e f", left: "a b", turns: 4},
		"all of them":             {f: &fake{turns: strings.Fields("a b c"), mode: "paginated"}, drop: "a b c", left: "", turns: 3},
		"one that is not there":   {f: &fake{turns: strings.Fields("a c"), mode: "paginated"}, keep: "a", drop: "b c", left: "a", turns: 1},
		"with later ones":         {f: &fake{turns: strings.Fields("a b x y"), mode: "paginated"}, keep: "a", drop: "b", left: "a", turns: 1, note: "2 later turns"},
		"of an older version":     {f: &fake{turns: strings.Fields("a b c"), mode: "legacy", missing: []string{"thread/revert"}}, keep: "a", drop: "b c", left: "a", turns: 2},
		"of a version with both":  {f: &fake{turns: strings.Fields("a b c"), mode: "legacy"}, keep: "a", drop: "b c", left: "a", turns: 2},
		"of one without settings": {f: &fake{turns: strings.Fields("a b c"), mode: "paginated"}, keep: "a b", drop: "c", left: "a b", turns: 1},
	} {
		ctx, talk := context.Background(), talkOf(c.keep, c.drop)
		before := strings.Join(c.f.turns, " ")
		standing, err := codex.New().Check(ctx, c.f, talk)
		if err != nil || standing.Done || standing.Turns != c.turns || standing.Version != "0.171.0" || !strings.Contains(standing.Note, c.note) {
			t.Errorf("%s: check: %+v, %v", name, standing, err)
		}
		if strings.Join(c.f.turns, " ") != before {
			t.Errorf("%s: check took turns out", name)
		}
		for round := range 2 { // it may be run again
			done, err := codex.New().Rollback(ctx, c.f, talk)
			if err != nil || done.Turns != len(talk.Drop) || !strings.Contains(done.Note, "codex resume s") || (done.Mark == "") != (round == 1) {
				t.Errorf("%s: %+v, %v", name, done, err)
			}
			if got := strings.Join(c.f.turns, " "); got != c.left {
				t.Errorf("%s: %q is left", name, got)
			}
			note, err := codex.New().Restore(ctx, nil, talk, done)
			if err != nil || !strings.Contains(note, "cannot put back") || strings.Contains(note, "rollout") != (round == 0) {
				t.Errorf("%s: restore: %q, %v", name, note, err)
			}
		}
		if standing, err := codex.New().Check(ctx, c.f, talk); err != nil || !standing.Done {
			t.Errorf("%s: afterwards: %+v, %v", name, standing, err)
		}
		if p := c.f.started; p.Name != "codex" || p.Dir != "/work-repo" || !slices.Contains(p.Args, "features.hooks=false") {
			t.Errorf("%s: started %+v", name, p)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		f           *fake
		keep, drop  string
		code, words string
	}{
		"open elsewhere":                         {&fake{refuse: map[string]string{"thread/resume": "thread s already has an active writer"}}, "a", "b", "refused", "has this conversation open"},
		"no such conversation":                   {&fake{refuse: map[string]string{"thread/resume": "no rollout found for thread id s"}}, "a", "b", "failed", "no such conversation"},
		"no way at all":                          {&fake{turns: []string{"a", "b"}, mode: "paginated", missing: []string{"thread/revert", "thread/rollback"}}, "a", "b", "failed", "no way to take turns back"},
		"an older conversation in a new version": {&fake{turns: []string{"a", "b"}, mode: "legacy", missing: []string{"thread/rollback"}}, "a", "b", "failed", "begun by an older Codex"},
		"other ids":                              {&fake{turns: []string{"1", "2"}, mode: "legacy"}, "a", "b", "refused", "other ids"},
		"other order":                            {&fake{turns: []string{"b", "a"}, mode: "paginated"}, "a", "b", "refused", "order"},
		"dies at once":                           {&fake{dead: "initialize"}, "a", "b", "failed", "last words"},
		"dies later":                             {&fake{turns: []string{"a", "b"}, mode: "paginated", dead: "thread/turns/list"}, "a", "b", "failed", "last words"},
		"other words":                            {&fake{refuse: map[string]string{"thread/resume": "thread source changed during resume"}}, "a", "b", "failed", "did not take the turns back"},
	} {
		_, err := codex.New().Check(context.Background(), c.f, talkOf(c.keep, c.drop))
		if err == nil || string(model.CodeOf(err)) != c.code || !strings.Contains(err.Error(), c.words) || model.HintOf(err) == "" && c.words != "order" {
			t.Errorf("%s: %v (%s)", name, err, model.HintOf(err))
		}
		if _, again := codex.New().Rollback(context.Background(), c.f, talkOf(c.keep, c.drop)); again == nil {
			t.Errorf("%s: rolled back", name)
		}
	}
}

// TestItIsReadBack: a revert that did nothing is not believed.
func TestItIsReadBack(t *testing.T) {
	f := &fake{turns: []string{"a", "b"}, mode: "paginated", keeps: true}
	if _, err := codex.New().Rollback(context.Background(), f, talkOf("a", "b")); err == nil || !strings.Contains(err.Error(), "still there") {
		t.Errorf("%v", err)
	}
}

type none struct{}

func (none) Start(context.Context, agents.Program) (agents.Running, error) {
	return nil, errors.New("the program codex is not in PATH")
}

func TestWithoutTheProgram(t *testing.T) {
	if _, err := codex.New().Check(context.Background(), none{}, talkOf("a", "b")); err == nil || !strings.Contains(err.Error(), "not in PATH") {
		t.Errorf("%v", err)
	}
}

// canned is a program that says what it is told to say.
type canned struct{ bytes.Reader }

func (c *canned) Start(context.Context, agents.Program) (agents.Running, error) {
	return &fakeRun{Writer: io.Discard, Reader: &c.Reader, end: func() {}}, nil
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"userAgent":"overturn/0.171.0 (x)"}}` + "\n" + `{"id":2,"result":{"config":{"mcp_servers":{"x":{}}}}}` + "\n" +
		`{"id":3,"result":{"thread":{"id":"s","historyMode":"paginated","path":"/p"}}}` + "\n" + `{"id":4,"result":{"data":[{"id":"b"},{"id":"a"}],"nextCursor":null}}` + "\n" +
		`{"id":5,"error":{"code":-32600,"message":"turn not found"}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &canned{*bytes.NewReader(data)}
		standing, err := codex.New().Check(context.Background(), c, talkOf("a", "b"))
		if err == nil && !standing.Done && standing.Turns == 0 {
			t.Fatalf("nothing is done and nothing is to be done: %q", data)
		}
	})
}
