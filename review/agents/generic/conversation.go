package generic

import "overturn/review/agents"

// Capability says that overturn does not know whose conversation it is.
func (*Agent) Capability() agents.Capability {
	return agents.Unsupported("a thread that was recorded by events of your own, or by hand, has no conversation that overturn knows of")
}
