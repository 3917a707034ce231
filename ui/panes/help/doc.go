// Package help shows the catalogue of keys, and finds in it: by title, by key, by the
// name of an intent.
//
// Invariant: it shows the catalogue and nothing else, so it cannot be wrong. A
// crash leaves nothing behind.
package help
