// Package synctest plays the exchange of records between real repositories with the
// real binary: the case book's group Q, and the user's own pushes and commits through
// the git hooks. It is for tests alone, and leaves nothing behind.
package synctest
