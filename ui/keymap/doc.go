// Package keymap is the catalogue of what a key can mean: intent, title, keys,
// and where it holds. Keys, help, palette and manual are all made from it, so they
// cannot disagree. Nothing is in it that does not work.
//
// Invariants: in one place a key means one thing; a key that is not in the
// catalogue means nothing; pasted text and runs of characters that arrive at once
// are never bindings of a dialog. A crash leaves nothing behind.
package keymap
