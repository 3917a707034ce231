package agenttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"overturn/review/agents"
)

// goldenEvents says of every recorded payload what the parser made of it, one line a
// payload. UPDATE_GOLDEN=1 writes it anew: read the difference before it is kept.
const goldenEvents = "testdata/events.txt"

// events holds every field of every recorded payload against the golden file.
func events(t *testing.T, a agents.Agent) {
	var b strings.Builder
	all := Recorded(t)
	for _, scenario := range sorted(all) {
		fmt.Fprintf(&b, "%s\n", scenario)
		names := map[string]string{}
		for _, f := range all[scenario] {
			e, err := a.Parse(f.Payload())
			if err != nil {
				t.Errorf("%s %s: %v", scenario, f.Event, err)
			}
			fmt.Fprintf(&b, "  %s\n", whole(e, names))
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(goldenEvents, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenEvents)
	if err != nil {
		t.Fatalf("%v; UPDATE_GOLDEN=1 writes it", err)
	}
	got, kept := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(kept)) {
		if line(got, i) != line(kept, i) {
			t.Fatalf("%s:%d\n  got  %s\n  want %s", goldenEvents, i+1, line(got, i), line(kept, i))
		}
	}
}

func line(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "(nothing)"
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// whole is an event with all its fields. Sessions, turns and calls get names in order of
// their coming, so that their ids are shown to be the same and not what they are.
func whole(e agents.Event, names map[string]string) string {
	parts := []string{e.Name, string(e.Kind)}
	text := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+strconv.Quote(value))
		}
	}
	id := func(name, value string) {
		if value == "" {
			return
		}
		key := name + "\x00" + value
		if names[key] == "" {
			names[name+"#"] += "+"
			names[key] = name + strconv.Itoa(len(names[name+"#"]))
		}
		parts = append(parts, names[key])
	}
	flag := func(name string, set bool) {
		if set {
			parts = append(parts, name)
		}
	}
	id("session", string(e.Session))
	id("turn", e.TurnID)
	id("call", e.CallID)
	id("subagent", e.Subagent)
	text("source", e.Source)
	text("state", string(e.State))
	text("tool", e.Tool)
	text("writes", strings.Join(e.Writes, " "))
	text("command", e.Command)
	text("prompt", e.Prompt)
	text("message", e.Message)
	text("message_id", e.MessageID)
	text("home", e.Home())
	text("cwd", e.Cwd)
	text("transcript", e.Transcript)
	text("foreign", e.Foreign)
	flag("failed", e.Failed)
	flag("detached", e.Detached)
	flag("background", e.Background)
	flag("reports-tools", e.ReportsTools)
	flag("takes-context", e.TakesContext)
	if !e.At.IsZero() {
		text("at", e.At.UTC().Format(time.TimeOnly))
	}
	return strings.Join(parts, " ")
}

// dressed gives each kind of payload with a mark of byte order before it, blanks around
// it, a member that nobody knows, and 20 MB of one: the event stays what it is.
func dressed(t *testing.T, a agents.Agent) {
	seen := map[string]bool{}
	for _, list := range Recorded(t) {
		for _, f := range list {
			if seen[f.Event] {
				continue
			}
			seen[f.Event] = true
			plain, err := a.Parse(f.Payload())
			if err != nil {
				t.Fatal(err)
			}
			raw := bytes.TrimSpace(f.Stdin)
			rest := append([]byte{','}, raw[1:]...)
			for name, src := range map[string][]byte{
				"mark":    append([]byte("\xEF\xBB\xBF"), raw...),
				"blanks":  append(append([]byte(" \r\n"), raw...), " \n\n"...),
				"unknown": append([]byte(`{"x_new":{"deep":[[{}]]}`), rest...),
				"huge":    append(append([]byte(`{"x_new":"`), append(bytes.Repeat([]byte("a"), 20<<20), '"')...), rest...),
			} {
				p := f.Payload()
				p.Raw = src
				if e, err := a.Parse(p); err != nil || whole(e, map[string]string{}) != whole(plain, map[string]string{}) {
					t.Errorf("%s, %s: %s, %v", f.Event, name, whole(e, map[string]string{}), err)
				}
			}
		}
	}
}

// unknownEvent renames the event of a payload: nothing is to be done with it.
func unknownEvent(t *testing.T, a agents.Agent) {
	for scenario, list := range Recorded(t) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(list[0].Stdin, &members); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"hook_event_name", "event"} {
			if members[key] != nil {
				members[key] = json.RawMessage(`"SomethingOfNextYear"`)
			}
		}
		raw, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		p := list[0].Payload()
		p.Raw, p.Name = raw, "SomethingOfNextYear"
		if e, _ := a.Parse(p); e.Kind != agents.Ignored {
			t.Errorf("%s: %s", scenario, whole(e, map[string]string{}))
		}
	}
}

// Fuzz gives the parser bytes grown from the recorded payloads: it never panics, says a
// kind always, and a session with every event that counts.
func Fuzz(f *testing.F, a agents.Agent) {
	for _, list := range Recorded(f) {
		for _, fired := range list {
			f.Add([]byte(fired.Stdin), fired.Event)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, event string) {
		e, err := a.Parse(agents.Payload{Raw: raw, Name: event, Getenv: func(string) string { return "" }})
		if e.Kind == "" || e.Agent != a.Name() || err == nil && e.Kind != agents.Ignored && e.Session == "" {
			t.Fatalf("%q %q: %+v", event, raw, e)
		}
	})
}
