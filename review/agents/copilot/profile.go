package copilot

import (
	"maps"
	"slices"

	"overturn/review/agents"
)

// Profile is what is known of Copilot CLI's hooks; see agents.Profiled.
func (*Agent) Profile() agents.Profile {
	return agents.Profile{Program: "GitHub Copilot CLI", Measured: "1.0.102", Events: slices.Sorted(maps.Keys(seconds())),
		Interrupted: "by no hook: closed by the next turn, or when the program is gone",
		Needs:       []string{"trust the folder when it asks, for hooks of the repository", agents.Restart}}
}
