// Package agenthooks gives the hooks of all agents to the real program, in real
// repositories, and looks at the turns that come of it: every payload that was recorded
// of an agent, and what agents do to each other in one repository. It is tests alone.
//
// Invariants: a hook is called as the agent calls it, with its environment and on its
// stdin; what the agent's tools did is done here, at the moment at which they did it.
// A crash leaves nothing behind: the folders are the tests' own.
package agenthooks
