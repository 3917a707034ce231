// Package remotes exchanges checkpoint records with ordinary git remotes. It is the
// one room that uses the network, and git does it: the user's own transports,
// credentials and rewriting of addresses.
//
// Push sends what the queue holds for one remote: one git push for all, never forced;
// what the remote moved meanwhile is fetched, joined with ours and pushed again; what
// truly conflicts, or is refused, stays queued with its reason. What leaves is what the
// Rewriter gives for a commit, with secrets taken out, never the commit itself.
// Fetch brings one record that is not here; absent and failed are two answers. List
// asks for the names of the records that remotes have, and moves nothing.
//
// git works in a throw-away git directory (outbox.go) that has the repository's
// objects and settings and refs of its own, written as one file of packed refs: so
// 10,000 refs are one push with one wildcard, and no ref of the user's, no
// remote-tracking branch and no FETCH_HEAD is touched.
//
// Invariants: records go only to remotes that the user approved, known by their
// address. A ref leaves the queue only when the remote said that it has it. No call
// outlives its limit, none asks a person anything, none runs a hook of the user's.
//
// A crash leaves the queue as it was, so that what was sent is sent again, which the
// remote answers with "up to date"; fetched objects that no ref names, for gc; and a
// folder overturn/sync-….tmp, which a later push or fetch removes.
package remotes
