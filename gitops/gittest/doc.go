// Package gittest makes throw-away repositories with the real git, for tests of
// every room, and holds what may not change against what is there.
//
// A repository lives in a temporary folder with an environment of its own: no
// configuration of the machine or of the user, identity and dates through
// variables alone. When the test ends, its objects and refs are checked (git fsck)
// and no lock may be left, unless the test damaged it on purpose (Unchecked).
package gittest
