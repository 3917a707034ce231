// Package claudecode is the adapter of Claude Code: its hook payloads, the
// "hooks" block of its settings files, and its transcripts.
//
// Invariants: a turn's key is the payload's prompt_id; sub-agents act inside the
// turn of their parent; an event that this version does not know is ignored, not
// an error. Claude Code tells nobody when a turn is interrupted: the next turn's
// start, or the end of the session, closes it. A transcript is never written to: a
// conversation is taken back in a copy under an id of its own.
//
// A crash leaves nothing behind, or a copy of a transcript that is whole; the next
// run makes the same one.
package claudecode
