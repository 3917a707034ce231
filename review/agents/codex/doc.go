// Package codex is the adapter of Codex CLI: its hook payloads, its patch
// format, its hooks.json files, and the app-server that takes turns out of its
// conversations. Codex's own files are never written to.
//
// Invariants: a turn's key is the payload's turn_id; paths come from the patch
// text of its edit tool; an event that this version does not know is ignored,
// not an error. Codex runs no hook that its user has not trusted, and says so
// to nobody: Trust reads its configuration and tells. A turn that the model's
// server failed ends without a word; the end of the session closes it.
//
// A crash leaves a conversation with or without the turns: Codex takes them out in one
// step, and the next run sees whether it did.
package codex
