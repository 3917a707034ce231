package cursor

import (
	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Profile is what its documentation says of Cursor CLI's hooks; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "Cursor CLI", Events: hookfile.Names(hooks()), TurnKey: "generation_id",
		Interrupted: "stop says aborted", Ends: "any, in its non-interactive mode", Needs: []string{agents.Restart}}
}
