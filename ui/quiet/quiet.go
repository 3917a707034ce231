// Package quiet keeps the terminal from being asked anything before main runs.
//
// The init of bubbletea v1 asks the terminal for its background: five seconds on
// one that does not answer, and bytes on stdout of verbs that print. termenv asks
// nothing when CI is set, so this package sets it while packages are initialised,
// and main puts it back with Restore. It is the one exception to the rule against
// init and package variables.
//
// Invariant: it must be initialised before bubbletea, lipgloss and termenv. Of the
// packages that are ready, Go initialises the one whose import path sorts first,
// so this one imports syscall alone: it is ready together with package time, which
// those three wait for, and "overturn/…" sorts before "time". A test holds this. A
// crash leaves nothing behind.
package quiet

import "syscall"

const name = "CI"

var before, was = syscall.Getenv(name)

func init() {
	if before == "" {
		_ = syscall.Setenv(name, "1")
	}
}

// Restore gives CI the value that the process was started with. Call it first
// thing in main.
func Restore() {
	switch {
	case was:
		_ = syscall.Setenv(name, before)
	default:
		_ = syscall.Unsetenv(name)
	}
}
