// Package talktest takes whole threads back with the real program, conversations of
// agents included: recorded ones in the files that the agents keep them in, and one of
// Codex behind a stand-in for its app-server. It is tests alone.
//
// Invariants: hooks are called by a process that plays the agent's program, open or
// gone when the thread is taken back.
// A crash leaves nothing behind: the folders are the tests' own.
package talktest
