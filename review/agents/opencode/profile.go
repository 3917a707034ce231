package opencode

import "overturn/review/agents"

// Profile is what is known of OpenCode's plugins; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "OpenCode", Measured: "1.18.33", Events: events(), TurnKey: "id of the user's message",
		Interrupted: "session.error", Needs: []string{agents.Restart}}
}
