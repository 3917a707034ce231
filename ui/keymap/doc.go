// Package keymap is the catalogue of what a key can mean: intent, title, keys,
// and where it holds. Keys, help, palette and manual are all made from it, so they
// cannot disagree. Nothing is in it that does not work. The user's keys lie over those
// of the catalogue (Remap).
//
// Invariants: in one place a key means one thing; a key that is in neither means
// nothing, but for a Cyrillic or Greek letter, which means what its key has in Latin
// letters; Esc leads back, Ctrl+C quits, and no key that answers a dialog opens one,
// whatever the user binds; pasted text and runs of characters that arrive at once
// are never bindings of a dialog. A crash leaves nothing behind.
package keymap
