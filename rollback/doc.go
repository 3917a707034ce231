// Package rollback is the writing half: choose parts of what turns did (Stage),
// work them out against the present work tree (Plan), carry them out (Execute),
// take that back (Undo, Redo) and settle what a crash cut short (Recover).
//
// Invariants: staging and planning write nothing outside overturn's own state
// folder, object database and refs. A plan is computed from bytes, never from stat
// data, and its fingerprint is the SHA-256 of the patch that was shown; Execute
// works it out again and writes nothing when it differs. Only paths that the scope
// changed are targets; no folder, gitlink or left-out path ever is.
//
// After a crash: the staged set is either the old or the new one, and contents that
// no staged entry needs any more may stay pinned until the next Stage or Unstage;
// a plan that waited for the end of a turn is either still waiting or let go and
// not carried out, and what was staged stays staged; a rollback leaves a journal that
// Recover finishes or unwinds.
package rollback
