package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"overturn/gitops/gittest"
	"overturn/ui/cli/clitest"
)

// TestMain builds the real binary once and runs the tests against it.
func TestMain(m *testing.M) { os.Exit(clitest.Main(m)) }

// TestScripts drives the real binary through its verbs, see testdata/script, and
// then holds every git command line that it ran against the verbs that are never
// used.
func TestScripts(t *testing.T) {
	t.Run("script", func(t *testing.T) { runScripts(t) })
	gittest.CheckArgv(t, clitest.ArgvLog())
}

func runScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: false,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			for _, kv := range clitest.Hermetic(home) {
				name, value, _ := strings.Cut(kv, "=")
				env.Setenv(name, value)
			}
			env.Setenv("PATH", filepath.Dir(clitest.Bin())+string(os.PathListSeparator)+os.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"overturn": func(ts *testscript.TestScript, neg bool, args []string) { runOverturn(ts, neg, clitest.Bin(), args) },
			"exit":     checkExit,
		},
	})
}

// runOverturn runs the binary as "overturn ARGS…" and remembers its exit code
// for "exit N"; a failure must be announced by "!".
func runOverturn(ts *testscript.TestScript, neg bool, bin string, args []string) {
	err := ts.Exec(bin, args...)
	code := 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("overturn %s: %v", strings.Join(args, " "), err)
	}
	ts.Setenv("exit", fmt.Sprint(code))
	if (code != 0) != neg {
		ts.Fatalf("overturn %s: exit code %d", strings.Join(args, " "), code)
	}
}

// checkExit holds the exit code of the last overturn against its argument.
func checkExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: exit CODE")
	}
	if got := ts.Getenv("exit"); got != args[0] {
		ts.Fatalf("exit code is %s, want %s", got, args[0])
	}
}
