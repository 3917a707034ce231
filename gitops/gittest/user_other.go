//go:build !linux

package gittest

import (
	"os"
	"testing"
)

// Unprivileged fails where the tests run as root: for root nothing is unreadable.
func Unprivileged(t testing.TB) {
	t.Helper()
	if os.Geteuid() == 0 {
		t.Fatal("this test is not for root")
	}
}
