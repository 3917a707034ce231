//go:build unix

package faulttest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"overturn/ui/cli/trial"
)

// TestEveryCrash kills each call that writes, at the first pass of each of its fail
// points (OVERTURN_TRIAL_ALL=1: at every pass), and again while that is put in
// order. Together the calls pass every point that the source has.
func TestEveryCrash(t *testing.T) {
	var mu sync.Mutex
	var met []string
	ran := 0
	t.Run("scenes", func(t *testing.T) {
		for _, scene := range trial.CrashScenes() {
			t.Run(strings.ReplaceAll(scene, " ", "_"), func(t *testing.T) {
				t.Parallel() // each in a yard of its own; a call is mostly one process that waits for the disk
				killed := killed(t, scene)
				mu.Lock()
				defer mu.Unlock()
				ran++
				met = append(met, killed...)
			})
		}
	})
	if ran < len(trial.CrashScenes()) {
		return // -run names some of them
	}
	for _, point := range points(t) {
		if !slices.Contains(met, point) && elsewhere()[point] == "" {
			t.Errorf("nothing is killed at %q", point)
		}
		if why := elsewhere()[point]; slices.Contains(met, point) && why != "" && why != rare { // what is rare may be met
			t.Errorf("%q is met here, and named as met elsewhere", point)
		}
	}
}

// killed plays the passes of one scene and returns the names of their points.
func killed(t *testing.T, scene string) (met []string) {
	play(t, scene, func(c *trial.Crash) {
		chosen := c.Passes
		if os.Getenv("OVERTURN_TRIAL_ALL") == "" {
			chosen = slices.DeleteFunc(slices.Clone(chosen), func(pass string) bool { return !strings.HasSuffix(pass, ":1") })
		}
		for _, pass := range chosen {
			c.Kill(pass)
			name, _, _ := strings.Cut(pass, ":")
			met = append(met, name)
		}
		t.Logf("%d passes, %d played, %d calls killed", len(c.Passes), len(chosen), c.Killed)
		if c.Killed < len(chosen)*9/10 {
			t.Errorf("only %d calls were killed", c.Killed)
		}
	})
	return met
}

// rare is why a point need not be met: it waits for what something else left.
const rare = "cleans up what a kill, an error or another program left; met when a second call is killed"

// points are the names of all fail points in the program's source.
func points(t *testing.T) []string {
	call := regexp.MustCompile(`\bPoint\((r?\.?t\.kind \+ )?"([^"]+)"\)`)
	var names []string
	for _, room := range []string{"model", "gitops", "review", "rollback", "ui/cli"} {
		err := filepath.WalkDir(filepath.Join("../../..", room), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			source, err := os.ReadFile(name)
			for _, m := range call.FindAllSubmatch(source, -1) {
				kinds := []string{""}
				if len(m[1]) > 0 {
					kinds = []string{"rollback", "undo", "redo", "revert"}
				}
				for _, kind := range kinds {
					names = append(names, kind+string(m[2]))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) < 100 {
		t.Errorf("only %d fail points were found", len(names))
	}
	return names
}

// elsewhere are the points that no call above passes: why, or where they are met.
func elsewhere() map[string]string {
	const (
		disposable = "makes or removes a disposable repository"
		rollUp     = "gitops/objects/rollup_test.go; after an error, or across file systems"
		foreign    = "on other file systems: rollback/restore/tidy_test.go, and the errors of this room"
		unsynced   = "means to be quick, rebuilt when it is not whole"
		inbox      = "review/ledger: an event that another process keeps from being recorded"
		race       = "rollback/index_race_test.go: another program stages something at this moment"
		telling    = "review/comments/store_test.go: a process that dies while it tells; a hook of a thread that was met before"
		talk       = "review/agents/talkfile: a conversation's file is replaced"
	)
	return map[string]string{
		"comments.maketold.mkdir": telling, "comments.tellback.remove": telling, "comments.claim.rename": telling, "comments.tell.back": telling,
		"rollback.updateindex.write": race, "rollback.updateindex.written": race, "rollback.dropdeadlock.remove": "rollback/index_lock_test.go: a git was cut short with the system",
		"cli.emptyfolder.mkdir": disposable, "cli.trialoptions.remove": disposable,
		"agents.removefolders.remove": rare, "durable.sweeptemps.remove": rare, "durable.sweepstale.remove": rare, "cli.forgetbindings.remove": rare, "durable.makeplace.remove": rare, "durable.renameown.again": rare,
		"gitops.keepfacts.remove": rare, "ledger.setaside.rename": rare, "ledger.attempt.remove": rare, "prune.local.remove": rare, "prune.loose.refs": rare, "prune.reverted.remove": "rollback/prune/reverted_test.go: an old revert", "prune.safety.refs": rare, "ledger.settlename.remove": rare, "objects.finish.remove": rare, "objects.close.remove": rare,
		"objects.forgetmulti.remove": rare, "objects.sweep.remove": rare, "objects.release.remove": rare, "refs.breakstale.remove": rare,
		"refs.removeempty.remove": rare, "rollback.setaside.rename": rare, "rollback.prunekeptof.remove": rare, "snapshot.fileclock.again": rare, "trace.open.mkdir": rare,
		"filestore.add.remove": rare, "filestore.forget.remove": "a mirror keeps what is let go: gitops/checkpoint/filestore",
		"objects.install.remove": rollUp, "objects.movesynced.copy": rollUp,
		"objects.movesynced.name": rollUp, "objects.movesynced.remove": rollUp,
		"restore.placed": foreign, "restore.keepcopy.symlink": foreign, "restore.writenew.open": foreign, "restore.writenew.write": foreign, "restore.writenew.sync": foreign,
		"worktree.linkthenunlink.link": foreign, "worktree.linkthenunlink.unlink": foreign, "worktree.renametoown.rename": foreign, "worktree.chownlike.chown": foreign,
		"objects.freshen.date": unsynced, "snapshot.saveanchor.write": unsynced, "snapshot.addbygit.mkdir": unsynced, "snapshot.addbygit.remove": unsynced,
		"trace.rotate.rename": unsynced, "refs.sharefolder.chmod": "only where several users share a repository",
		"ledger.leave.mkdir": inbox, "ledger.makeroom.mkdir": "every hundredth turn of a thread: like ledger.makeplace", "ledger.tell.remove": inbox,
		"talkfile.keep.mkdir": talk, "talkfile.replace.link": talk, "talkfile.remove.remove": talk, "talkfile.putback.rename": talk,
		"durable.ownlike.chown":  "model/durable/owner_system_test.go: root replaces a file of another user's; the new one is not in its place yet",
		"rollback.forget.remove": "the review alone does it: rollback/waiting_test.go",
	}
}
