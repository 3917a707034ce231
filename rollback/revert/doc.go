// Package revert is what a revert of a thread does beside its files: it looks
// whether the thread can go back to a boundary, takes the agent's conversation back by
// exactly the later turns, parks the refs of these turns, and takes the turns out of the
// thread; and it puts all of that back. Which of it comes when, and the files, are
// package rollback's, which journals each step.
//
// Invariants. Looking writes nothing. What is asked of an agent is asked before any file
// is touched. No step deletes: refs are moved below refs/overturn/reverted/, turns into a
// folder of the ledger, both named by the entry that took them out, and whatever an
// adapter replaces of a conversation lies in a folder of this entry before. A conversation
// is never said to be taken back when it was not.
//
// A crash leaves each step done, not done, or half done; every step may be run again, in
// either direction, and goes by what it finds.
package revert
