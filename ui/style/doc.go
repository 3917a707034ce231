// Package style turns the tokens of a theme into escape sequences for the
// terminal at hand, once, so that drawing a row is plain concatenation.
//
// Invariants: every sequence starts with a reset and is whole, so no style leaks
// into the next; the colour depth is decided once, from the environment; so is
// dark or light at first, and no answer of the terminal is waited for. A crash leaves
// nothing behind.
package style
