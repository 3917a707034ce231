package codex

import (
	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Profile is what is known of Codex's hooks; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "Codex CLI", Measured: "0.171.0", Events: hookfile.Names(hooks()), TurnKey: "turn_id",
		Interrupted: "Interrupt (from 0.150)", Ends: "that the model's server failed", Needs: []string{"trust the hooks: /hooks in Codex", agents.Restart}}
}
