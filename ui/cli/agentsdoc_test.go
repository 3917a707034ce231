package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"overturn/review/agents"
)

// docBegin and docEnd are around what is made from the registry.
const (
	docFile  = "../../docs/agents.md"
	docBegin = "<!-- made from the registry: begin -->\n"
	docEnd   = "<!-- made from the registry: end -->\n"
)

// TestTheTableIsTheRegistry: the tables of docs/agents.md are what the adapters say.
// UPDATE_GOLDEN=1 writes them anew.
func TestTheTableIsTheRegistry(t *testing.T) {
	text, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), docBegin)
	old, after, ok2 := strings.Cut(rest, docEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the tables", docFile)
	}
	made := tables()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(docFile, []byte(before+docBegin+made+docEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != made {
		t.Errorf("%s is not what the registry says; UPDATE_GOLDEN=1 writes it. It would be\n%s", docFile, made)
	}
	for _, a := range agentSet().All() {
		if p := agents.ProfileOf(a); p.Program == a.Name() || len(p.Events) == 0 || p.Interrupted == "" || len(p.Needs) == 0 {
			t.Errorf("%s: its profile says nothing: %+v", a.Name(), p)
		}
		if c := agents.CapabilityOf(a); c.Supported != (c.Why == "") || c.Supported != (c.How != "") {
			t.Errorf("%s: %+v", a.Name(), c)
		}
	}
}

func tables() string {
	var b strings.Builder
	b.WriteString("| agent | hook files (the first is the default) | a turn's key | an interrupted turn is told | nobody tells |\n|---|---|---|---|---|\n")
	for _, a := range agentSet().All() {
		p := agents.ProfileOf(a)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", a.Name(), files(a), or(p.TurnKey, "none"), p.Interrupted, or(p.Ends, "–"))
	}
	b.WriteString("\n| agent | told something with a prompt | conversation taken back | once the hooks are in place | tried with |\n|---|---|---|---|---|\n")
	for _, a := range agentSet().All() {
		p := agents.ProfileOf(a)
		told, why := "yes", ""
		if ok, w := agents.CanTell(a); !ok {
			told, why = "no: ", w
		}
		tried := "–"
		if hasHooks(a.Name()) {
			tried = triedWith(p.Program, p.Measured)
		}
		fmt.Fprintf(&b, "| `%s` | %s%s | %s | %s | %s |\n", a.Name(), told, why, agents.CapabilityOf(a).Words(), strings.Join(p.Needs, "; "), tried)
	}
	return b.String()
}

// files are the places of an agent's hooks, as a person writes them.
func files(a agents.Agent) string {
	in, ok := a.(agents.Installer)
	if !ok {
		return "none"
	}
	host := agents.Host{Root: "/repo", Getenv: func(k string) string { return map[string]string{"HOME": "/home"}[k] }}
	var list []string
	for _, s := range in.Files(host) {
		path := "`" + strings.NewReplacer("/repo/", "", "/home/", "~/").Replace(s.Path) + "`"
		if s.Where == in.Default() {
			list = slices.Insert(list, 0, path)
			continue
		}
		list = append(list, path)
	}
	return strings.Join(list, ", ")
}

func or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}
