// Package remarks says what a reader should know of a file before reading it: that
// nobody writes it by hand, what kind of binary it is, that a merge was left in it, that
// its line ends changed, that it holds characters which are not seen.
//
// Invariants: pure functions over names and bytes, which never change them; each is
// linear in what it looks at, and looks at no more than its comment says; a remark is a
// hint: nothing is left out of a plan because of one. A crash leaves nothing behind.
package remarks
