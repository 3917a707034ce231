//go:build linux || darwin

package screentest_test

import (
	"os"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }
