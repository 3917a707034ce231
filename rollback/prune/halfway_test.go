//go:build linux || darwin

package prune_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"overturn/gitops/gittest"
	"overturn/model"
)

const longAgo = "01arz3ndektsv4rrffq69g5fav" // an id of 2016

// TestStoppedHalfWay: a prune that cannot go on says so, and the next one ends what it began.
func TestStoppedHalfWay(t *testing.T) {
	gittest.Unprivileged(t)
	for what, c := range map[string]struct {
		folder string
		perm   os.FileMode
	}{
		"events cannot be listed": {".git/overturn/inbox", 0}, "events cannot be removed": {".git/overturn/inbox", 0o500},
		"refs cannot be moved": {".git/refs/overturn/threads/VA/turn", 0o500}, "packs cannot be written": {".git/objects/pack", 0o500},
		"journals cannot be removed": {".git/overturn/journal", 0o500}, "safety snapshots cannot go": {".git/refs/overturn/safety", 0o500},
		"journals cannot be listed": {".git/overturn/journal", 0}, "what a revert took out cannot go": {".git/refs/overturn/reverted/" + longAgo + "/turn", 0o500},
		"a conversation cannot be removed": {".git/overturn/talks", 0o500}, "the full trace cannot be removed": {".git/overturn", 0o500},
	} {
		t.Run(what, func(t *testing.T) {
			o := newOld(t)
			o.roll(1)
			o.roll(2)
			inbox := filepath.Join(o.repo.StateDir(), "inbox")
			o.must(os.MkdirAll(inbox, 0o700))
			broken := filepath.Join(inbox, "x.json.broken")
			past := time.Now().AddDate(-1, 0, 0)
			o.must(os.WriteFile(broken, nil, 0o600))
			o.must(os.Chtimes(broken, past, past))
			o.Git("update-ref", "refs/overturn/reverted/"+longAgo+"/turn/7", "HEAD")
			talk := filepath.Join(o.repo.StateDir(), "talks", longAgo)
			o.must(os.MkdirAll(talk, 0o700))
			trace := filepath.Join(o.repo.StateDir(), "trace.jsonl.1")
			o.must(os.WriteFile(trace, nil, 0o600))
			o.must(os.Chtimes(trace, past, past))
			o.must(os.Chmod(o.Path(c.folder), c.perm))
			t.Cleanup(func() { _ = os.Chmod(o.Path(c.folder), 0o700) })
			if _, err := o.prune(model.PruneRule{}); err == nil || model.CodeOf(err) == "" {
				t.Errorf("it says %v", err)
			}
			o.must(os.Chmod(o.Path(c.folder), 0o700))
			_, err := o.prune(model.PruneRule{})
			o.must(err)
			files, err := os.ReadDir(inbox)
			o.must(err)
			journals, err := os.ReadDir(filepath.Join(o.repo.StateDir(), "journal"))
			o.must(err)
			if safety := strings.Fields(o.Git("for-each-ref", "--format=%(refname)", "refs/overturn/safety")); o.ends() != "4 5" || len(files) > 0 || len(journals) != 1 || len(safety) != 1 {
				t.Errorf("there are the turns %q, the events %v, the journals %v and %v", o.ends(), files, journals, safety)
			}
			if left := o.Git("for-each-ref", "refs/overturn/reverted"); left != "" {
				t.Errorf("of the revert there is %s", left)
			}
			for _, name := range []string{talk, trace} {
				if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}
