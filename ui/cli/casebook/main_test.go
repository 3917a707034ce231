package casebook_test

import (
	"os"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once and runs the cases against it.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }
