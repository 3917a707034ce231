package housetest_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// victim makes another repository of the user's, at work: things staged, unstaged
// and untracked, a stash, a linked work tree.
func (h *house) victim() string {
	h.t.Helper()
	h.sh(`git init -q -b main ../victim; cd ../victim; printf 'v\n' > v.txt; printf 'w\n' > w.txt; printf '*.log\n' > .gitignore; git add .; git commit -qm v
		printf 'stashed\n' >> v.txt; git stash -q; printf 'staged\n' >> w.txt; git add w.txt; printf 'unstaged\n' >> w.txt; printf 'mine\n' > mine.txt; printf 'l\n' > x.log
		git worktree add -q ../victim-linked -b linked; mkdir spare`)
	return filepath.Join(h.place(), "victim")
}

// kin are the variables of git that say which repository, index and objects are
// meant, all leading to the victim.
func kin(victim string) []string {
	gitDir := filepath.Join(victim, ".git")
	return []string{
		"GIT_DIR=" + gitDir, "GIT_WORK_TREE=" + victim, "GIT_INDEX_FILE=" + gitDir + "/index", "GIT_COMMON_DIR=" + gitDir, "GIT_OBJECT_DIRECTORY=" + gitDir + "/objects",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + gitDir + "/objects", "GIT_NAMESPACE=victim", "GIT_PREFIX=spare/", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(victim) + "/repo:" + filepath.Dir(victim),
		"GIT_DISCOVERY_ACROSS_FILESYSTEM=1", "GIT_SHALLOW_FILE=" + gitDir + "/shallow", "GIT_GRAFT_FILE=" + gitDir + "/grafts", "GIT_QUARANTINE_PATH=" + gitDir + "/objects",
		"GIT_INTERNAL_SUPER_PREFIX=x/", "GIT_IMPLICIT_WORK_TREE=0", "GIT_CONFIG=" + gitDir + "/config", "GIT_NO_REPLACE_OBJECTS=0", "GIT_ATTR_SOURCE=HEAD", "GIT_REF_PARANOIA=0",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0=" + victim, "GIT_CONFIG_KEY_1=core.bare", "GIT_CONFIG_VALUE_1=false",
		"GIT_CONFIG_PARAMETERS='core.worktree'='" + victim + "' 'core.excludesfile'='" + victim + "/.gitignore'",
	}
}

// TestVictim: overturn is called by a hook of another repository, with its variables:
// it sees the folder that it stands in, and the other one is the same to the byte
// and to the time.
func TestVictim(t *testing.T) {
	y := newYard(t)
	want := y.build("clean").take()
	var victim string
	h := y.build("victim", func(h *house) {
		victim = h.victim()
		h.env = append(h.env, kin(victim)...)
	})
	linked := victim + "-linked"
	before, beside := everything(t, victim), everything(t, linked)
	h.entered(want)
	if names := changed(before, everything(t, victim)); len(names) > 0 {
		t.Errorf("the victim changed: %q", names)
	}
	if names := changed(beside, everything(t, linked)); len(names) > 0 {
		t.Errorf("its linked work tree changed: %q", names)
	}

	// The variables lead into the victim indeed: the user's own git obeys them.
	cmd := exec.Command("git", "status", "--porcelain")
	cmd.Dir, cmd.Env = h.repo(), append(h.user(), "GIT_DIR="+victim+"/.git", "GIT_WORK_TREE="+victim)
	if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), "w.txt") {
		t.Errorf("git is not led astray: %q, %v", out, err)
	}
}

// TestOnlyVariables: in a folder that is no repository, with the variables set, there
// is none; the victim is not found by another way.
func TestOnlyVariables(t *testing.T) {
	y := newYard(t)
	var victim string
	h := y.build("no repository", func(h *house) {
		victim = h.victim()
		h.env = append(h.env, kin(victim)...)
		h.at = h.home()
	})
	before := everything(t, victim)
	for _, args := range [][]string{{"status"}, {"review"}, {"threads"}, {"turns"}, {"show", "1"}, {"diff", "working"}, {"stage", "working"}, {"plan"}, {"rollback"}, {"undo"},
		{"turn", "start", "--thread", "T"}, {"turn", "end", "--thread", "T"}, {"run", "--", "/bin/true"}, {"checkpoint", "list"}, {"history"}, {"recover"}, {"trace"}} {
		if code, stdout, stderr := h.call("", args...); code != 10 || stdout != "" || stderr == "" {
			t.Errorf("overturn %q: exit %d, %q, %q", args, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := h.call(`{"event":"turn-start","thread":"T","turn_id":"1"}`, "hook", "generic"); code != 0 || stdout != "" || stderr != "" {
		t.Errorf("hook: exit %d, %q, %q", code, stdout, stderr)
	}
	if names := changed(before, everything(t, victim)); len(names) > 0 {
		t.Errorf("the victim changed: %q", names)
	}
}
