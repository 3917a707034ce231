package gittest

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// CheckArgv reads the lines that git children left in the file that
// OVERTURN_ARGV_LOG named, and fails t on every one that could harm the user's
// work: what writes the work tree, commits or branches, gc, work trees made or
// removed, and read-tree that writes the work tree. It fails when nothing was recorded, and returns the number
// of children seen.
func CheckArgv(t testing.TB, logFile string) int {
	t.Helper()
	f, err := os.Open(logFile)
	if err != nil {
		t.Fatalf("no git child was recorded: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	seen := 0
	for lines.Scan() {
		var args []string
		if err := json.Unmarshal(lines.Bytes(), &args); err != nil {
			t.Errorf("line %d of %s is not a list of arguments: %v", seen+1, logFile, err)
		}
		seen++
		if why := Harmful(args); why != "" {
			t.Errorf("git %s: %s", strings.Join(args, " "), why)
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	if seen == 0 {
		t.Errorf("no git child was recorded in %s", logFile)
	}
	return seen
}

// Harmful says why a git command may not be run by overturn, or "".
func Harmful(args []string) string {
	i := 0
	for i < len(args) && strings.HasPrefix(args[i], "-") {
		switch args[i] {
		case "-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env":
			i++
		}
		i++
	}
	if i >= len(args) {
		return ""
	}
	switch verb := args[i]; verb {
	case "reset", "clean", "stash", "checkout", "switch", "restore", "rm", "mv", "gc",
		"merge", "rebase", "cherry-pick", "revert", "am", "commit", "pull":
		return verb + " is never run"
	case "apply":
		if i+1 >= len(args) || args[i+1] != "--cached" {
			return "patches are applied to the index alone"
		}
	case "worktree": // its removal takes ignored files along
		if i+1 >= len(args) || args[i+1] != "list" {
			return "work trees are listed, never made or removed"
		}
	case "read-tree":
		for _, arg := range args[i+1:] {
			if arg == "--reset" || strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "u") {
				return "read-tree must not write the work tree"
			}
		}
	}
	return ""
}
