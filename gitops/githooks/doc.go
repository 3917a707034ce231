// Package githooks puts a call of this program into git hooks of a repository, beside
// the user's own, and takes it out again to the byte.
//
// A hook that is not there becomes a small shell script. A shell script gets a few
// lines after its first one, which run before it, read nothing of its input and never
// fail it: its exit is the hook's. Anything else (a program, another language, a link)
// is moved beside itself, to NAME.overturn-kept, and called by a small script in its
// place. The folder is the one that git uses (core.hooksPath followed); where that is not
// this repository's to change (a folder for all repositories, a committed file)
// nothing is written, and the error has the line to add by hand.
//
// Invariants: Remove leaves each file as Put found it, or as others changed it since,
// without our lines. A hook that git does not run today (no execute bit) is refused.
// A crash in Put or Remove leaves the hook with our lines or without them; between the
// two steps for another program's hook, that program under its kept name: Put and
// Remove both go on from there.
package githooks
