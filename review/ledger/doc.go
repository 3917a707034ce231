// Package ledger records threads and turns: it takes the events of hooks and of
// `turn start|end|touch|effect`, captures the work tree at the boundaries, and
// lists what it recorded.
//
// # What is where
//
//	refs (CONTRACT, section 4)     snapshots of boundaries: the truth about content
//	checkpoint records             the truth about turns that ended
//	StateDir/ledger/<thread>/      thread.json, <n>.json a turn (long lists in a second line),
//	                               <n>.evidence.jsonl, and <n>.lists.json for very long lists
//	StateDir/ledger/<thread>/session.json  the program that opened the conversation last (session.go)
//	StateDir/ledger/<thread>/pruning.json  the refs that a prune is about to let go (pruning.go)
//	StateDir/ledger/.open, .waiting  marks of turns that are open, whose record waits
//	StateDir/ledger/.state.json    the newest turn; its stamp is the generation
//	StateDir/ledger/.capture.json  captures in a row that failed, until one succeeds (backoff.go)
//	StateDir/inbox/                events that came while the lock was not to be had, or that a
//	                               hook had no time for
//	StateDir/ledger.lock           one recording at a time in a work tree
//
// # Invariants
//
// A thread has at most one open turn, and it is the newest one but for `missing`
// turns made while it was open. Boundary refs are created once; only the end of
// the newest turn moves, by compare-and-swap, and only until the next turn
// starts. A ref that holds another value is never overwritten and a ref that was
// lost is never made again: the turn says so in its status. A turn that an agent
// worked in is recorded whatever fails: a failure is a status with its reason.
//
// An event is worked out as one pass under the lock: what waits in the inbox and
// the event itself, in order of their own times, against one capture; then one
// flush of objects, one transaction of refs, then the local files.
//
// # What a crash leaves
//
// Start writes <n>.json first: cut short after that, the turn is open and its
// start, whose ref is not there, counts as not captured. End publishes first:
// cut short after that, <n>.json still says open, and the next event finds the
// record and takes it over. Local files are replaced by rename; one that a power
// cut emptied is read again from the ref and the record, and so is a thread whose
// folder went with its work tree (behind.go), for reading. Evidence is appended a
// line at a time; a torn last line is left out.
package ledger
