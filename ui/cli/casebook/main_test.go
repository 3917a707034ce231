package casebook_test

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once and runs the cases against it: more at a time
// than there are processors, as each waits for the disk and for screens most of the time.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(clitest.Main(m))
}
