// Package queue remembers which refs of records wait to be pushed, and to which
// remotes.
//
//	overturn-push-queue.jsonl   {"ref":…,"to":[…],"sent":{REMOTE:VALUE},"failed":{REMOTE:…}} a line
//	overturn-push-queue.lock    held while one of these files is written
//	overturn/sync.json          the remotes that the user let records go to
//	overturn/fetched.jsonl      {"ref":…,"value":…} a line: what came from a remote and is not ours to send on
//
// all in the common git directory, so that every work tree adds to one queue. A
// remote is known by the key of its address (Target.Key), not by its name: records
// do not follow a name that was pointed elsewhere.
//
// A line without "to" waits for every remote in use. What was sent is the ref's
// value, so a ref that moved while it was pushed still waits. Lines for the same ref
// are one entry, in the place of the last failure, else of the first line: what
// fails goes to the back and does not starve the rest. While no remote is in use
// nothing is queued; the first push to a remote queues all that is here.
//
// Invariants: an entry leaves only when its ref is gone, or when every remote in use
// has the value that the ref holds. A line that cannot be read is never just
// dropped: the queue is then made whole from the refs themselves.
//
// A crash in Enqueue leaves the ref unqueued, or a torn line that the next one heals;
// `sync push` asks the remote and queues what it lacks (Refill). A crash in a rewrite
// leaves the old file or the new one.
package queue
