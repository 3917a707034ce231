package remotes_test

import (
	"strings"
	"testing"
)

// overtaking has the remote move the record, as another pusher would, between its
// answer and the change: times times, 0 for always.
func overtaking(t *testing.T, bare, ref string, times int) {
	limit := ""
	if times > 0 {
		limit = "echo x >>count; [ $(wc -l <count) -le " + string(rune('0'+times)) + " ] || exit 0\n"
	}
	hook(t, bare, "pre-receive", limit+`unset GIT_QUARANTINE_PATH
export GIT_COMMITTER_NAME=o GIT_COMMITTER_EMAIL=o@o GIT_AUTHOR_NAME=o GIT_AUTHOR_EMAIL=o@o
export GIT_OBJECT_DIRECTORY="$PWD/objects"; unset GIT_ALTERNATE_OBJECT_DIRECTORIES
old=$(git rev-parse `+ref+`); n=$(date +%s%N)
git update-ref `+ref+` $(git commit-tree -p $old -m "the other's $n" $old^{tree}) $old
`)
}

// TestTwoPushersAtOneMoment: a ref that another pusher holds, or moved meanwhile, is
// tried again and joined; one that is never free stays queued, and the remote's words
// are told.
func TestTwoPushersAtOneMoment(t *testing.T) {
	for _, times := range []int{1, 2, 0} {
		bare := newRemote(t)
		p := newPlace(t, bare)
		p.record(recordRef(1), map[string]string{"metadata.json": "{}"})
		p.pushed(1)
		ours := p.record(recordRef(1), map[string]string{"prompt.txt": "ours"})
		overtaking(t, bare, recordRef(1), times)
		if times > 0 {
			p.pushed(1)
			run(t, bare, "git", "merge-base", "--is-ancestor", ours, recordRef(1))
			if n := strings.Count(run(t, bare, "git", "log", "--format=%s", recordRef(1)), "the other's"); n != times {
				t.Errorf("%d of the other's %d commits are there", n, times)
			}
			continue
		}
		r, err := p.push("origin")
		p.must(err)
		if len(r.Pushed) != 0 || len(r.Queued) != 1 || !strings.Contains(r.Queued[0].Reason, "failed to update ref") {
			t.Errorf("%+v", r)
		}
		if left, err := p.queue.Pending(t.Context(), p.target("origin").Key); err != nil || len(left) != 1 {
			t.Errorf("%v wait, %v", left, err)
		}
	}
}
