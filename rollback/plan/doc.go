// Package plan works one path out: what the scope did to it, what was chosen of
// that, what stands there now, and so what will stand there and whether that is
// safe.
//
// It is pure: versions in, an outcome out. Invariants: an outcome is carried out
// only where every edit that the scope did not make is still in it, unless its
// loss was asked for (restore with discard); a file is deleted only where it is
// what the scope left; nothing but files and links is ever a target. A crash leaves
// nothing behind.
package plan
