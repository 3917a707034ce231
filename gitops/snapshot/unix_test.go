//go:build unix

package snapshot_test

import (
	"syscall"
	"testing"
)

func fifo(t testing.TB, path string) {
	t.Helper()
	must(t, syscall.Mkfifo(path, 0o644))
}
