// Package patch compares two texts line by line and works with the result: hunks
// as git groups and numbers them, hunks or lines taken back, three-way merges,
// git patches written and read, and the normalised patch whose SHA-256 is a plan's
// fingerprint.
//
// It is pure: bytes in, bytes out; no file, no git program, no clock, no
// configuration, no locale. The same input gives the same output on every machine,
// which is what makes a fingerprint worth something.
//
// Invariants: lines keep their own ending bytes (CR LF, LF, none) through every
// operation, and bytes outside of what was chosen never change. A Diff holds line
// offsets and edit ranges only: its size grows with the number of lines (4 bytes
// each) and edits, never with the text, which is shared with the caller. A crash
// leaves nothing behind: nothing is kept outside memory.
package patch
