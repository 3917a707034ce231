// Package effects tells, from the shell command of an agent's tool, what the
// command did outside the files that snapshots cover: a push, a package
// install, a request that writes. It reads the text alone and runs nothing.
//
// The classifier is bounded and says what it is sure of: it takes a command line
// apart as a shell would (quotes, ; & | && || and line ends, assignments, sudo
// and its kin, bash -c, substitutions, here documents), looks at the program
// and its first words, and names an effect for those it knows. What it does not
// know it does not name: the absence of an effect proves nothing, and variables,
// aliases, scripts and loops are not seen through.
//
// Invariants: at most MaxEffects effects a command line, each summary at most
// MaxSummary bytes and on one line; no summary carries an assignment, the body
// of a request, a password, token or key that the mask knows. A crash leaves
// nothing behind.
package effects
