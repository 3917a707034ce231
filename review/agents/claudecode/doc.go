// Package claudecode is the adapter of Claude Code: its hook payloads, and the
// "hooks" block of its settings files.
//
// Invariants: a turn's key is the payload's prompt_id; sub-agents act inside the
// turn of their parent; an event that this version does not know is ignored, not
// an error. Claude Code tells nobody when a turn is interrupted: the next turn's
// start, or the end of the session, closes it.
//
// A crash leaves nothing behind: the room computes bytes and writes none.
package claudecode
