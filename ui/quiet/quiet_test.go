package quiet_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"

	"overturn/ui/quiet"
)

// TestMain is also the child: started on a mute terminal, it says what a verb
// would say, after the init of every library has run.
func TestMain(m *testing.M) {
	if os.Getenv("OVERTURN_TEST_MUTE") != "" {
		quiet.Restore()
		ci, set := os.LookupEnv("CI")
		fmt.Printf("CI=%q %v", ci, set)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestNothingIsAskedOnAMuteTerminal(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, `CI="" false`},
		{[]string{"CI="}, `CI="" true`},
		{[]string{"CI=true"}, `CI="true" true`},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append([]string{"OVERTURN_TEST_MUTE=1", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, c.env...)
		tty, err := pty.Start(cmd)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(tty)
		_ = cmd.Wait()
		if got := string(out); got != c.want {
			t.Errorf("%v: the terminal was sent %q, want %q", c.env, got, c.want)
		}
		if strings.Contains(string(out), "\x1b") {
			t.Errorf("the terminal was asked: %q", out)
		}
	}
}
