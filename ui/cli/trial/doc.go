// Package trial proves on the user's own machine and file system that a rollback
// loses nothing. It makes disposable repositories (yards), plays the user and the
// agent in them with git, a shell and the real program, and counts what came of it
// in the seven measures of a recovery experiment: protected-state survival,
// owned-state recovery, stale-review rejection, target overreach, time to recover,
// residual effects reported, trace completeness. `overturn doctor --trial` and the
// tests run the same rounds.
//
// Invariants: a trial knows the program from outside alone (its command line, the
// files that it leaves), so that it is a witness of its own; it writes below the
// folder that it was given and nowhere else; what it does is decided by the seed,
// so that a round that failed can be run again; it needs no network, no settings of
// the user's and none of the machine's.
//
// A round that is killed leaves its yard, below a folder whose name starts with
// "trial-"; nothing of the user's is in it, and the folder may be removed.
package trial
