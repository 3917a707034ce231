package gemini

import (
	"overturn/review/agents"
	"overturn/review/agents/hookfile"
)

// Profile is what is known of Gemini CLI's hooks; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "Gemini CLI", Measured: "0.61.0", Events: hookfile.Names(hooks()),
		Interrupted: "AfterAgent, which looks completed; cut inside a tool: by no hook", Ends: "that the model's server failed", Needs: []string{agents.Restart}}
}
