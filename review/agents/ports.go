package agents

import (
	"sort"

	"overturn/model"
)

// Payload is what a hook was called with.
type Payload struct {
	Raw       []byte              // stdin
	Truncated bool                // stdin was longer than the caller reads, or did not end in time
	Name      string              // EVENT of the command line, "" when not given
	Getenv    func(string) string // the environment of the hook
}

// Parser reads the payloads of one agent. With an error the event holds what
// could be read all the same; its Kind is Ignored where not even that is known.
type Parser interface {
	Parse(p Payload) (Event, error)
}

// Where is which file of an agent holds the hooks.
type Where string

// The places: of one checkout and not committed, of the repository, of the user.
const (
	Local   Where = "local"
	Project Where = "project"
	User    Where = "user"
)

// Host is the machine as an installer sees it.
type Host struct {
	Root     string // root of the work tree
	Getenv   func(string) string
	LookPath func(string) (string, error)
}

// Settings is one settings file that may hold an agent's hooks.
type Settings struct {
	Where Where
	Path  string
}

// Installer knows the settings files of one agent. It names places and edits
// bytes; reading and writing files is the caller's (Install, Uninstall, Inspect).
type Installer interface {
	// Found tells whether the agent is on this machine: its configuration folder or its program.
	Found(h Host) bool
	// Default is the place that enable uses when none is named.
	Default() Where
	// Files lists the files that may hold hooks, nearest first.
	Files(h Host) []Settings
	// Put returns src with the hooks in place, calling command; src itself when they are there already.
	// nil src is a file that does not exist. Broken content is an error.
	Put(src []byte, command string) ([]byte, error)
	// Take returns src without the hooks; empty tells that the file holds nothing else and was made by Put.
	Take(src []byte) (out []byte, empty bool, err error)
	// Has lists the events that call us in src.
	Has(src []byte) ([]string, error)
	// Trust says whether the agent runs hooks of this file: yes, no, unknown, and what the user has to do.
	Trust(h Host, s Settings) (trusted, note string)
}

// Agent is one adapter. One whose hooks can be put in place is an Installer too.
type Agent interface {
	Name() string // as on the command line: claude-code, codex …
	Parser
}

// Registry finds adapters by name.
type Registry struct{ byName map[string]Agent }

// NewRegistry makes a registry of the given adapters; a name given twice is a
// mistake of the program and the later one wins.
func NewRegistry(list ...Agent) *Registry {
	r := &Registry{byName: make(map[string]Agent, len(list))}
	for _, a := range list {
		r.byName[a.Name()] = a
	}
	return r
}

// Get returns the adapter of that name, or CodeUsage naming those there are.
func (r *Registry) Get(name string) (Agent, error) {
	if a, ok := r.byName[name]; ok {
		return a, nil
	}
	return nil, model.Usagef("%q is not an agent that overturn knows", name).WithHint("known agents: %s", r.names())
}

// All lists the adapters by name.
func (r *Registry) All() []Agent {
	list := make([]Agent, 0, len(r.byName))
	for _, a := range r.byName {
		list = append(list, a)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list
}

func (r *Registry) names() string {
	text := ""
	for _, a := range r.All() {
		if text != "" {
			text += ", "
		}
		text += a.Name()
	}
	return text
}
