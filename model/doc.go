// Package model holds overturn's words: threads, turns, boundaries, change
// sets, owners, plans, results and errors, as CONTRACT defines them. Every floor
// speaks them; none owns them.
//
// Invariants: nothing here does I/O, reads a clock or draws randomness on its
// own (a Clock and an entropy reader are handed in), and the package imports the
// standard library and the ULID library only. Paths are raw bytes and never
// change on their way through JSON. A crash leaves nothing behind: there is
// nothing here to leave.
package model
