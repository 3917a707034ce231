// Package recordertest holds the real binary against repositories in which other programs
// recorded: T3 Code and the Entire CLI. It is a room of its own beside the case book, whose
// time is spent.
package recordertest
