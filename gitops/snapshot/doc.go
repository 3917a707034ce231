// Package snapshot captures the work tree into git objects and reads such
// snapshots back.
package snapshot
