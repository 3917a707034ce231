package generic

import "overturn/review/agents"

// Profile is that of events of one's own; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "an agent or a script of your own",
		Events:  []string{"session-start", "turn-start", "pre-tool", "post-tool", "turn-end", "session-end"},
		TurnKey: "turn_id", Interrupted: "as it says itself", Needs: []string{"call `overturn hook generic` yourself, or `overturn turn` and `overturn run`"}}
}
