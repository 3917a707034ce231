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
)

// suite is where TestMain put the real binary and the log of git's arguments.
type suite struct{ bin, argvLog string }

// theSuite reads what TestMain handed down through the environment.
func theSuite() suite {
	return suite{os.Getenv("OVERTURN_TEST_BIN"), os.Getenv("OVERTURN_TEST_ARGV")}
}

// TestMain builds the real binary once and runs the tests against it.
func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "overturn-cli-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "overturn")
	build := exec.Command("go", "build", "-o", bin, "overturn")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build overturn:", err)
		return 1
	}
	argv := filepath.Join(dir, "argv.jsonl")
	os.Setenv("OVERTURN_TEST_BIN", bin)
	os.Setenv("OVERTURN_TEST_ARGV", argv)
	return m.Run()
}

// TestScripts drives the real binary through its verbs, see testdata/script, and
// then holds every git command line that it ran against the verbs that are never
// used.
func TestScripts(t *testing.T) {
	s := theSuite()
	t.Run("script", func(t *testing.T) { runScripts(t, s) })
	gittest.CheckArgv(t, s.argvLog)
}

func runScripts(t *testing.T, s suite) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: false,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(home, 0o755); err != nil {
				return err
			}
			for _, kv := range hermetic(home, s.argvLog) {
				name, value, _ := strings.Cut(kv, "=")
				env.Setenv(name, value)
			}
			env.Setenv("PATH", filepath.Dir(s.bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"overturn": func(ts *testscript.TestScript, neg bool, args []string) { runOverturn(ts, neg, s.bin, args) },
			"exit":     checkExit,
		},
	})
}

// hermetic is the environment of every script: the same on every machine.
func hermetic(home, argvLog string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1",
		"TERM=dumb", "LC_ALL=C", "TZ=UTC", "CI=", "NO_COLOR=1",
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.invalid",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.invalid",
		"OVERTURN_ARGV_LOG=" + argvLog, "OVERTURN_HOME=" + filepath.Join(home, "overturn"),
	}
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
