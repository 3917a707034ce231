// Package agents turns what coding agents tell their hooks into one kind of
// Event, and says what an adapter must be able to do: parse a hook's payload and
// put hooks in place or take them out, and, where the agent allows it, take turns out
// of its conversation (Conversation). One folder below it an agent; the command line
// hands the adapters to a Registry, and starts agents' programs for them (Runner).
//
// Invariants: a parser reads hostile bytes and answers with an error value,
// never a panic; where a payload is broken it still says what it could read
// (session, event), so that a boundary is not lost in silence. An installer
// changes its own entries and no other byte of a settings file. A conversation is looked
// at before it is taken back, kept where it is replaced, and read back afterwards; taking
// back may be cut short and run again. Nothing here touches a repository or keeps state.
//
// A crash leaves a settings file, and the file of a conversation, as it was or as it
// was to be, never between.
package agents
