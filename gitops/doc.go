// Package gitops finds the repository and is the one door to the git program.
//
// Find answers which repository a folder belongs to. On the common path it
// spawns nothing: what git once said is kept in the state folder (facts) beside
// the stamps of every file that the answer came from, and holds only while all
// of those stand and the folders belong to the caller. Everything else is asked
// of git, so a repository that git would refuse is refused in git's words.
//
// Every child runs in one environment (see environment.go): no repository
// variables of the caller, no hooks, no optional locks, no prompts, C locale,
// literal pathspecs, pinned diff options, own identity, in a process group of its
// own that is killed whole when the context ends.
//
// Invariants: HEAD, index, branches, stash and reflogs are never written here.
// The only file written is facts.json in the state folder, replaced whole; a
// crash leaves the old one, none, or a temporary file that nothing reads.
package gitops
