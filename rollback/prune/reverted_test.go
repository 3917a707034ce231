//go:build linux || darwin

package prune_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"overturn/model"
)

// TestWhatRevertsLeft goes by its age, once no history tells of the revert.
func TestWhatRevertsLeft(t *testing.T) {
	const id = longAgo
	for _, told := range []bool{false, true} {
		o := newOld(t)
		dir, commit := o.repo.StateDir(), o.Git("for-each-ref", "--format=%(objectname)", "--count=1", "refs/overturn/threads")
		o.Git("update-ref", "refs/overturn/reverted/"+id+"/turn/7", commit)
		list := []string{filepath.Join(dir, "ledger", "VA", "reverted", id), filepath.Join(dir, "talks", id)}
		young := filepath.Join(dir, "talks", "01zzzzzzzzzzzzzzzzzzzzzzzz")
		for _, path := range append(list, young) {
			o.must(os.MkdirAll(path, 0o700))
			o.must(os.WriteFile(filepath.Join(path, "7.json"), nil, 0o600))
		}
		if told {
			o.must(os.MkdirAll(filepath.Join(dir, "journal"), 0o700))
			o.must(os.WriteFile(filepath.Join(dir, "journal", id+".jsonl"), nil, 0o600))
		}
		done, err := o.prune(model.PruneRule{OlderThan: time.Hour})
		o.must(err)
		for _, path := range list {
			if _, err := os.Lstat(path); (err == nil) != told || slices.Contains(done.Files, path) == told {
				t.Errorf("told %v: %s: %v; %v", told, path, err, done.Files)
			}
		}
		if _, err := os.Lstat(young); err != nil {
			t.Error(err)
		}
		if _, err := o.GitMayFail("rev-parse", "--verify", "-q", "refs/overturn/reverted/"+id+"/turn/7"); (err == nil) != told {
			t.Errorf("told %v: %v", told, err)
		}
	}
}
