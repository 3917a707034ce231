package agents

import "strings"

// Profile is what is known of an agent's hooks beyond what an Installer can do: for the
// map of what each agent supports.
type Profile struct {
	Program     string   // as its makers call it
	Measured    string   // version that it was run with for this adapter; "" where only its documentation was read
	Events      []string // of the agent that the hooks ask for, as it spells them
	TurnKey     string   // by what its payloads name a turn, "" where they do not
	Interrupted string   // how an interrupted turn is told
	Ends        string   // which ends of a turn nobody tells, "" for none
	Needs       []string // what its user has to do once the hooks are in place
}

// Profiled is an agent that tells its profile.
type Profiled interface{ Profile() Profile }

// ProfileOf is the profile of a; one that tells none has its name alone.
func ProfileOf(a Agent) Profile {
	if p, ok := a.(Profiled); ok {
		return p.Profile()
	}
	return Profile{Program: a.Name()}
}

// Words says in a line what the capability comes to.
func (c Capability) Words() string {
	if !c.Supported {
		return "no: " + c.Why
	}
	words := []string{"yes: " + c.How}
	if c.Closed {
		words = append(words, "the program must be closed")
	}
	if c.NewID {
		words = append(words, "what is left goes on under an id of its own")
	}
	return strings.Join(words, "; ")
}

// Restart is what programs need that read their hooks when they start.
const Restart = "start it anew: it reads its hooks when it starts"
