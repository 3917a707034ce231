// Package clitest is what the tests of the real binary share, wherever they stand: it is
// built once for each test program, and runs in an environment of its own.
//
// Invariants: the binary is the one that is shipped, built without cgo; the environment
// is the same on every machine, and names a log of every command line that git is
// called with. A test program that is killed leaves a folder overturn-test-… in the
// system's place for temporary files.
package clitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What Main tells the tests of its program, and their children.
const (
	binVar  = "OVERTURN_TEST_BIN"
	argvVar = "OVERTURN_TEST_ARGV"
)

// Main builds the binary, runs the tests of m against it, and returns the exit code.
func Main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "overturn-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // tests that drop root run the binary too
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	bin := filepath.Join(dir, "overturn")
	build := exec.Command("go", "build", "-o", bin, "overturn")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build overturn:", err)
		return 1
	}
	os.Setenv(binVar, bin)
	os.Setenv(argvVar, filepath.Join(dir, "argv.jsonl"))
	return m.Run()
}

// Bin is the binary.
func Bin() string { return os.Getenv(binVar) }

// ArgvLog is the file to which every git that the binary starts adds its arguments, as
// a line of JSON.
func ArgvLog() string { return os.Getenv(argvVar) }

// Hermetic is the environment of the binary and of git, beside what the system needs: a
// home of its own, no settings but those in it, no terminal.
func Hermetic(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM=1",
		"TERM=dumb", "LC_ALL=C", "TZ=UTC", "CI=", "NO_COLOR=1",
		"GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.invalid",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.invalid",
		"OVERTURN_ARGV_LOG=" + ArgvLog(), "OVERTURN_HOME=" + filepath.Join(home, "overturn"),
	}
}
