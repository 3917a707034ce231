// Package trace says what happened: the names of events, the line that each
// becomes, and the file that keeps them.
//
// Invariants: recording never fails its caller and never waits for a disk; the
// file is bounded (two files of SizeLimit). Events of several processes do not mix
// within a line. The trace is for people and tests; nothing reads it to decide.
//
// A crash may lose the newest lines or tear the last one; Read passes over what
// it cannot parse.
package trace
