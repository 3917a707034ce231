package housetest_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"overturn/ui/cli/clitest"
)

// step is one call of overturn. before is work of the agent or the user.
type step struct {
	name   string
	before string
	args   []string
	stdin  string
}

// steps takes every verb of the product, from looking to undo. FINGERPRINT stands
// for that of the plan of all, ROLLBACK for the rollback of it, HOUSE for the place.
func steps() []step {
	looks := [][]string{
		{"status"}, {"--json", "status"}, {"review"}, {"threads"}, {"--json", "threads"}, {"turns"}, {"--json", "turns"}, {"show", "1"}, {"--json", "show", "2"},
		{"diff", "working"}, {"diff", "working", "--exact", "--patch"}, {"--json", "diff", "working"}, {"diff", "branch", "--stat"}, {"diff", "branch=main"}, {"diff", "latest"},
		{"diff", "1", "--name-status"}, {"--json", "diff", "0..2"}, {"diff", "thread", "--exact"}, {"diff", "working", "--", "a.txt", "sub"},
		{"plan"}, {"checkpoint", "list"}, {"--json", "checkpoint", "list"}, {"checkpoint", "migrate", "--dry-run"}, {"sync", "status"}, {"--json", "sync", "status"}, {"sync", "push", "--dry-run"}, {"history"}, {"--json", "trace"}, {"agents"}, {"--json", "agents"},
		{"revert", "--to", "1", "--plan"}, {"--json", "revert", "--to", "0", "--plan"}, {"--json", "turns", "--reverted"}, {"doctor"}, {"--json", "doctor"}, {"config"}, {"--json", "config", "list"}, {"config", "get", "keys.plan"}, {"config", "keys"}, {"themes"}, {"pager"}, {"review", "--plain"}, {"version"}, {"man"}, {"completion", "bash"}, {"help", "rollback"}, {"recover"}, {"demo", "--no-tui", "--dir", "HOUSE/demo"},
	}
	var list []step
	for _, args := range looks {
		list = append(list, step{name: strings.Join(args, " "), args: args})
	}
	hook := func(event, more string) step {
		return step{name: "hook " + event, args: []string{"hook", "generic"}, stdin: fmt.Sprintf(`{"event":%q,"thread":"H","turn_id":"h1"%s}`, event, more)}
	}
	acts := []step{
		{name: "stage hunk", args: []string{"stage", "1", "--hunk", "1", "--", "a.txt"}},
		{name: "stage folder", args: []string{"--json", "stage", "2", "--", "dir", "bin"}},
		{name: "unstage", args: []string{"unstage"}},
		{name: "stage", args: []string{"stage", "thread"}},
		{name: "plan of all", args: []string{"--json", "plan"}},
		{name: "plan patch", args: []string{"plan", "--patch"}},
		{name: "rollback", args: []string{"rollback", "--expect", "FINGERPRINT"}},
		{name: "history after", args: []string{"--json", "history"}},
		{name: "undo", args: []string{"--json", "undo"}},
		{name: "redo", args: []string{"redo"}},
		{name: "history patch", args: []string{"history", "ROLLBACK", "--patch"}},
		{name: "prune, dry", args: []string{"--json", "checkpoint", "prune", "--keep", "1", "--dry-run"}},
		{name: "turn start", args: []string{"turn", "start", "--thread", "U", "--turn-id", "u1"}},
		{name: "turn touch", before: "printf 'u\n' > u.txt; printf 'attr\n' > dir/e.txt", args: []string{"turn", "touch", "--thread", "U", "u.txt"}},
		{name: "turn effect", args: []string{"turn", "effect", "--thread", "U", "--domain", "network", "--summary", "asked"}},
		{name: "turn end", args: []string{"--json", "turn", "end", "--thread", "U"}},
		{name: "backfill", args: []string{"checkpoint", "backfill", "--thread", "U"}},
		{name: "migrate", args: []string{"--json", "checkpoint", "migrate"}},
		{name: "comment", args: []string{"comments", "add", "u.txt:1", "say why"}},
		{name: "comment on a file", args: []string{"--json", "comments", "add", "dir/e.txt", "split it"}},
		{name: "comments", args: []string{"comments"}},
		{name: "prompt", args: []string{"comments", "--prompt"}},
		{name: "hand over", args: []string{"comments", "--hand-over"}},
		{name: "withdraw", args: []string{"--json", "comments", "--withdraw"}},
		{name: "delete comments", args: []string{"comments", "delete", "--all"}},
		hook("session-start", ""), hook("turn-start", `,"prompt":"p","reports_tools":true`), hook("pre-tool", `,"tool":"edit","call_id":"c","paths":["h.txt"]`),
		{name: "hook post-tool", before: "printf 'h\n' > h.txt", args: []string{"hook", "generic"}, stdin: `{"event":"post-tool","thread":"H","turn_id":"h1","tool":"edit","call_id":"c","paths":["h.txt"]}`},
		hook("turn-end", ""), hook("session-end", ""),
		{name: "plan of a revert", args: []string{"--json", "revert", "--to", "0", "--thread", "U", "--plan"}},
		{name: "revert", args: []string{"--json", "revert", "--to", "0", "--thread", "U", "--expect", "BACK"}},
		{name: "undo of the revert", args: []string{"undo"}},
		{name: "config set", args: []string{"config", "set", "--where", "local", "retention.keep", "7"}},
		{name: "config set of keys", args: []string{"config", "set", "keys.plan", "ctrl+p"}},
		{name: "config unset", args: []string{"config", "unset", "keys.plan"}},
		{name: "config unset of the checkout", args: []string{"config", "unset", "retention.keep"}},
		{name: "turns of the hooks", args: []string{"turns", "--thread", "H"}},
		{name: "run", args: []string{"run", "--thread", "R", "--", "/bin/echo", "ran"}},
		{name: "enable", args: []string{"enable", "claude-code", "--where", "local"}},
		{name: "disable", args: []string{"disable", "claude-code"}},
		{name: "status at the end", args: []string{"--json", "status"}},
	}
	return append(list, acts...)
}

// take goes through all steps; it returns what each said, made comparable.
func (h *house) take() map[string]string {
	h.t.Helper()
	said := map[string]string{}
	words := []string{"HOUSE", h.place()}
	for _, s := range steps() {
		if s.before != "" {
			h.sh(s.before)
		}
		args := make([]string, len(s.args))
		for i, arg := range s.args {
			args[i] = strings.NewReplacer(words...).Replace(arg)
		}
		code, stdout, stderr := h.call(s.stdin, args...)
		switch s.name {
		case "plan of all":
			words = append(words, "FINGERPRINT", found(h.t, `"fingerprint":"([0-9a-f]{64})"`, stdout+stderr))
		case "plan of a revert":
			words = append(words, "BACK", found(h.t, `"fingerprint":"([0-9a-f]{64})"`, stdout+stderr))
		case "history after":
			words = append(words, "ROLLBACK", found(h.t, `"id":"([0-9a-z]{26})"`, stdout+stderr))
		}
		said[s.name] = fmt.Sprintf("exit %d\n%s--\n%s", code, comparable(stdout), comparable(stderr))
	}
	return said
}

// found is what a pattern's brackets match in a text.
func found(t *testing.T, pattern, text string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("no %s in %s", pattern, text)
	}
	return match[1]
}

// comparable takes out what belongs to one run: ids that are drawn, times, and the
// commits of snapshots (they hold the time). Trees, blobs and fingerprints stay.
func comparable(text string) string {
	for _, mask := range []struct{ pattern, by string }{
		{`("(before|after|base|commit)":")[0-9a-f]{40}"`, `${1}COMMIT"`}, {`\b[0-9a-hjkmnp-tv-z]{26}\b`, "ULID"}, {`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?`, "TIME"},
		{`\b(now|\d+[smhd])\b( ago)? *`, "AGE"},
		{`"bytes":\d+`, `"bytes":SIZE`}, {`\b\d+(\.\d+)? (ms|µs|s|[KMGT]?i?B)\b`, "SIZE"}, {`[^\s"]*/overturn-cli-house[^\s"]*`, "BIN"},
	} {
		text = regexp.MustCompile(mask.pattern).ReplaceAllString(text, mask.by)
	}
	return text
}

// TestEveryVerbIsTaken: what the product's help lists is among the steps.
func TestEveryVerbIsTaken(t *testing.T) {
	help, err := exec.Command(clitest.Bin(), "--help").Output()
	_, list, ok := strings.Cut(string(help), "Available Commands:\n")
	if err != nil || !ok {
		t.Fatalf("no list of verbs: %v, %s", err, help)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	taken := map[string]bool{}
	for _, s := range steps() {
		for _, arg := range s.args {
			if !strings.HasPrefix(arg, "-") {
				taken[arg] = true
				break
			}
		}
	}
	for _, line := range strings.Split(list, "\n") {
		if verb := strings.Fields(line)[0]; !taken[verb] {
			t.Errorf("no step takes the verb %s", verb)
		}
	}
}

// entered holds that the house changed nothing: not what is said, not what is done,
// and that no trap ran.
func (h *house) entered(want map[string]string) {
	h.t.Helper()
	got := h.take()
	for _, ran := range h.ran() {
		h.t.Errorf("a trap ran: %s", ran)
	}
	for _, s := range steps() {
		name := s.name
		if got[name] != want[name] {
			h.t.Errorf("%s says\n%s\nin the clean house it says\n%s", name, apart(got[name], want[name]), apart(want[name], got[name]))
		}
	}
}

// apart are the lines of a text that another has not, each from a little before
// where they differ.
func apart(text, other string) string {
	others := strings.Split(other, "\n")
	var lines []string
	for i, line := range strings.Split(text, "\n") {
		if slices.Contains(others, line) {
			continue
		}
		from := 0
		if i < len(others) {
			for from < len(line) && from < len(others[i]) && line[from] == others[i][from] {
				from++
			}
		}
		lines = append(lines, line[max(0, from-150):min(len(line), from+300)])
	}
	return strings.Join(lines, "\n")
}

// leftBehind is what stands in the work tree and in the index when all is done.
func (h *house) leftBehind() string {
	h.t.Helper()
	return h.git("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "ls-files", "--stage") + strings.Join(changed(nil, files(everything(h.t, h.repo()), h.repo())), "\n")
}

// files are names, modes and bytes of the work tree, without times.
func files(all map[string]string, root string) map[string]string {
	kept := map[string]string{}
	for name, what := range all {
		rel, err := filepath.Rel(root, name)
		if err != nil || rel == ".git" || strings.HasPrefix(rel, ".git/") || strings.Contains(rel, "/.git/") {
			continue
		}
		mode, rest, _ := strings.Cut(what, " ")
		_, data, _ := strings.Cut(rest, " ")
		kept[fmt.Sprintf("%s %s %q", rel, mode, data)] = ""
	}
	return kept
}
