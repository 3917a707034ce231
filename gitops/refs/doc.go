// Package refs reads and moves overturn's hidden refs, and no others: what is
// outside refs/overturn/ and refs/heads/overturn/ is refused.
//
// Where refs are files, they are read and moved in process, by git's own protocol:
// NAME.lock is made exclusively, the old value is looked up under it (the loose
// file first, packed-refs behind it), the new value is written and synced, the lock
// renamed over the ref and the folders synced. Several updates take all locks
// before the first rename: all or none. Deletions, which rewrite packed-refs, and
// other backends go through `git update-ref --stdin`; only Drop removes a loose ref
// itself, where it does no harm when the ref comes back. No reflog is written.
//
// Invariants: every update carries the value that it expects, "" for none; nothing
// is overwritten blindly. A lock of someone else is waited for; it is removed only
// when its maker is dead: nobody holds it, and it bears our mark or is old.
//
// A crash between two renames leaves some of several refs moved (git's own files
// backend gives no more); a crash before leaves NAME.lock files, which git and this
// room report by name, and which the next change here removes.
package refs
