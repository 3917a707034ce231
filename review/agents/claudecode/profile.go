package claudecode

import (
	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Profile is what is known of Claude Code's hooks; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "Claude Code", Measured: "2.1.197", Events: hookfile.Names(hooks()), TurnKey: "prompt_id",
		Interrupted: "by no hook: closed by the next turn, or when the program is gone", Needs: []string{agents.Restart}}
}
