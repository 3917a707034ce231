// Package themes holds colour tokens as data: for each theme what colour and
// weight every role on the screen has. It knows no terminal and no library.
//
// Invariants: every theme gives every role; no role speaks by colour alone (a
// letter, a word or a weight says the same), so the theme "mono" loses nothing.
package themes
