// Package terminal owns the terminal while the review is open: raw mode, the
// alternate screen, size, mouse, focus, bracketed paste, suspend, and the way back
// from each of them. Bubble Tea is the loop alone; frames are painted here, the
// newest at once, changed parts only, inside synchronised output.
//
// Invariants: on every way out (quit, error, panic, SIGTERM, SIGHUP, suspend, an
// editor) the terminal is as it was, also when the loop hangs; a slow terminal never holds up the loop:
// frames that it had no time for are skipped; at rest nothing is written and
// nothing wakes. After SIGKILL the terminal stays as it was left; the next review takes
// it as it is and gives it back as it should be, `reset` does the same.
package terminal
