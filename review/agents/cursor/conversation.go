package cursor

import "overturn/review/agents"

// Capability says that a conversation of Cursor cannot be taken back.
func (*Agent) Capability() agents.Capability {
	return agents.Unsupported("Cursor has no way to take its conversation back from outside; its own checkpoints do, in Cursor")
}
