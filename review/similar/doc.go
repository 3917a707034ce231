// Package similar pairs files that went with files that came: a rename is what two
// contents have in common, as git sees it. It knows no repository and reads nothing by
// itself.
//
// Invariants: each file is in one pair at most; equal contents go before similar ones;
// the same lists give the same pairs. There is nothing that a crash could leave.
package similar
