// Package agents turns what coding agents tell their hooks into one kind of
// Event, and says what an adapter must be able to do: parse a hook's payload and
// put hooks in place or take them out. One folder below it an agent; the
// command line hands the adapters to a Registry.
//
// Invariants: a parser reads hostile bytes and answers with an error value,
// never a panic; where a payload is broken it still says what it could read
// (session, event), so that a boundary is not lost in silence. An installer
// changes its own entries and no other byte of a settings file. Nothing here
// touches a repository or keeps state.
//
// A crash leaves a settings file as it was or as it was to be, never between.
package agents
