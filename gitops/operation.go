package gitops

import (
	"context"
	"path/filepath"
)

// Operation is what the user's git is in the middle of: merge, rebase,
// cherry-pick, revert, bisect, am, or "". It looks in git status's order.
func (r *Repo) Operation() string {
	marks := []struct{ file, name string }{
		{"MERGE_HEAD", "merge"}, {"rebase-apply/applying", "am"}, {"rebase-apply", "rebase"}, {"rebase-merge", "rebase"},
		{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"}, {"BISECT_LOG", "bisect"},
	}
	for _, mark := range marks {
		if exists(filepath.Join(r.GitDir, filepath.FromSlash(mark.file))) || r.markInStore(mark.file) {
			return mark.name
		}
	}
	return ""
}

// markInStore looks for the marks that are refs, where refs are not files.
func (r *Repo) markInStore(name string) bool {
	if r.RefStorage == "files" || name != "CHERRY_PICK_HEAD" && name != "REVERT_HEAD" {
		return false
	}
	_, err := r.Git(context.Background(), "rev-parse", "-q", "--verify", name)
	return err == nil
}
