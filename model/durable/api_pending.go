// Package durable writes files that survive a crash.
package durable

import (
	"context"
	"io/fs"
)

// ReplaceFile puts data at path: a temporary file beside it, synced, renamed over, folder synced.
func ReplaceFile(path string, data []byte, perm fs.FileMode) error { return nil }

// AppendLine adds one line and syncs.
func AppendLine(path string, line []byte) error { return nil }

// ReadLines returns the whole lines of a file, without their newlines.
func ReadLines(path string) ([][]byte, error) { return nil, nil }

// SyncDir makes the names in dir durable.
func SyncDir(dir string) error { return nil }

// Lock is a held lock.
type Lock struct{}

// Unlock gives the lock back.
func (l *Lock) Unlock() error { return nil }

// Acquire waits for the lock until ctx ends.
func Acquire(ctx context.Context, path, what string) (*Lock, error) { return nil, nil }

// TryAcquire takes the lock or says at once who holds it.
func TryAcquire(path, what string) (*Lock, error) { return nil, nil }

// Point is a fail point.
func Point(name string) {}
