// Package agenttest is the contract that every adapter of an agent passes:
// recorded payloads of the real program, payloads that are broken in every way,
// and settings files of every shape. It is for tests alone.
package agenttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"overturn/model"
	"overturn/review/agents"
)

// Fired is one recorded firing of a hook.
type Fired struct {
	Event string            `json:"event"`
	Env   map[string]string `json:"env"`
	Stdin json.RawMessage   `json:"stdin"`
}

// Payload is the firing as a parser gets it.
func (f Fired) Payload() agents.Payload {
	return agents.Payload{Raw: f.Stdin, Name: f.Event, Getenv: func(k string) string { return f.Env[k] }}
}

// Recorded reads testdata/*.json of the adapter under test, by scenario.
func Recorded(t testing.TB) map[string][]Fired {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded payloads: %v", err)
	}
	all := map[string][]Fired{}
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Fired []Fired }
		if err := json.Unmarshal(raw, &file); err != nil || len(file.Fired) == 0 {
			t.Fatalf("%s: %d payloads, error %v", name, len(file.Fired), err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = file.Fired
	}
	return all
}

// Line says in one line what a parser made of a firing, for golden tables.
func Line(e agents.Event) string {
	parts := []string{e.Name, string(e.Kind)}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	add("state", string(e.State))
	add("source", e.Source)
	add("tool", e.Tool)
	add("writes", strings.Join(e.Writes, ","))
	add("command", e.Command)
	if e.Failed {
		parts = append(parts, "failed")
	}
	return strings.Join(parts, " ")
}

// Parser runs the contract of parsing over the recorded payloads. keyed: the
// agent's payloads name their turn.
func Parser(t *testing.T, a agents.Agent, keyed bool) {
	t.Run("recorded", func(t *testing.T) { recorded(t, a, keyed) })
	t.Run("events", func(t *testing.T) { events(t, a) })
	t.Run("dressed", func(t *testing.T) { dressed(t, a) })
	t.Run("unknown event", func(t *testing.T) { unknownEvent(t, a) })
	t.Run("cut short", func(t *testing.T) { cutShort(t, a) })
	t.Run("wrong types", func(t *testing.T) { wrongTypes(t, a) })
	t.Run("no payload at all", func(t *testing.T) { garbage(t, a) })
}

func recorded(t *testing.T, a agents.Agent, keyed bool) {
	for scenario, list := range Recorded(t) {
		turn := map[string]bool{}
		for i, f := range list {
			e, err := a.Parse(f.Payload())
			where := fmt.Sprintf("%s %d %s", scenario, i, f.Event)
			switch {
			case err != nil:
				t.Errorf("%s: %v", where, err)
			case e.Agent != a.Name() || e.Session == "" || e.Name != f.Event || e.Kind == "":
				t.Errorf("%s: agent %q, session %q, name %q, kind %q", where, e.Agent, e.Session, e.Name, e.Kind)
			case e.Kind == agents.TurnStart && ((e.TurnID != "") != keyed || e.Prompt == "" || e.Home() == ""):
				t.Errorf("%s: a turn starts with id %q, prompt %q, folder %q", where, e.TurnID, e.Prompt, e.Home())
			case e.Kind == agents.TurnEnd && !turn[e.TurnID]:
				t.Errorf("%s: the end of turn %q, which did not start", where, e.TurnID)
			}
			if e.Kind == agents.TurnStart {
				turn[e.TurnID] = true
			}
		}
	}
}

// cutShort gives a payload of every event, up to every byte of its first part and every seventh after that: an error, never a panic, and
// the session is known as soon as its member stands whole.
func cutShort(t *testing.T, a agents.Agent) {
	seen := map[string]bool{}
	for scenario, list := range Recorded(t) {
		for _, f := range list {
			if seen[f.Event] {
				continue // one of each is enough
			}
			seen[f.Event] = true
			whole, err := a.Parse(f.Payload())
			if err != nil {
				t.Fatalf("%s: %v", scenario, err)
			}
			raw := bytes.TrimSpace(f.Stdin)
			if whole.Kind == agents.Ignored {
				continue
			}
			known := bytes.Index(raw, []byte(whole.Session)) + len(whole.Session) + 1
			for n := 0; n < len(raw); n += 1 + n/400*6 {
				p := f.Payload()
				p.Raw = raw[:n]
				e, err := a.Parse(p)
				if err == nil {
					t.Fatalf("%s %s: cut at %d of %d passes for whole", scenario, f.Event, n, len(raw))
				}
				if n > known && e.Session != whole.Session {
					t.Fatalf("%s %s: cut at %d the session is %q", scenario, f.Event, n, e.Session)
				}
			}
			p := f.Payload()
			p.Truncated = true
			if e, err := a.Parse(p); err == nil || e.Session != whole.Session || e.Kind != whole.Kind {
				t.Errorf("%s %s: too long gives %q %q, error %v", scenario, f.Event, e.Session, e.Kind, err)
			}
		}
	}
}

// wrongTypes replaces each member of a payload of every event by every other type.
func wrongTypes(t *testing.T, a agents.Agent) {
	seen := map[string]bool{}
	for _, list := range Recorded(t) {
		for _, f := range list {
			if seen[f.Event] {
				continue
			}
			seen[f.Event] = true
			var members map[string]json.RawMessage
			if err := json.Unmarshal(f.Stdin, &members); err != nil {
				t.Fatal(err)
			}
			keys := make([]string, 0, len(members))
			for k := range members {
				keys = append(keys, k)
			}
			sort.Strings(keys)
			for _, k := range keys {
				old := members[k]
				for _, v := range []string{"null", "7", "true", `"x"`, "[]", "[[1]]", "{}", `{"a":[{}]}`} {
					members[k] = json.RawMessage(v)
					raw, err := json.Marshal(members)
					if err != nil {
						t.Fatal(err)
					}
					p := f.Payload()
					p.Raw = raw
					if e, err := a.Parse(p); err == nil && e.Session == "" && e.Kind != agents.Ignored {
						t.Errorf("%s with %s = %s: no session and no error", f.Event, k, v)
					}
				}
				members[k] = old
			}
		}
	}
}

func garbage(t *testing.T, a agents.Agent) {
	quoted := append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), 50<<20)...)
	for name, raw := range map[string][]byte{
		"nothing": nil, "blanks": []byte(" \n"), "null": []byte("null"), "list": []byte("[]"), "text": []byte(`"x"`), "words": []byte("hello there"),
		"two": []byte("{} {}"), "deep": bytes.Repeat([]byte(`{"a":`), 20000), "binary": {0, 0xff, 0xfe, '{', '}'}, "50 MB text": quoted,
	} {
		e, err := a.Parse(agents.Payload{Raw: raw})
		if err == nil || e.Kind == "" || e.Agent != a.Name() {
			t.Errorf("%s: kind %q, agent %q, error %v", name, e.Kind, e.Agent, err)
		}
		if model.CodeOf(err) != model.CodeFailed {
			t.Errorf("%s: code %s", name, model.CodeOf(err))
		}
	}
}
