package ledger_test

import (
	"testing"

	"overturn/gitops/gittest"
	"overturn/model"
)

// TestOtherRepositories goes through two turns where the repository is of another
// make than most.
func TestOtherRepositories(t *testing.T) {
	for name, make := range map[string]func(t *testing.T) *gittest.Repo{
		"sha256": func(t *testing.T) *gittest.Repo {
			r := gittest.New(t, gittest.InitArgs("--object-format=sha256"))
			r.Write("a.txt", "one\n")
			r.Commit("first")
			return r
		},
		"no commit yet": func(t *testing.T) *gittest.Repo {
			r := gittest.New(t)
			r.Write("a.txt", "one\n")
			return r
		},
		"nothing at all": func(t *testing.T) *gittest.Repo { return gittest.New(t) },
		"detached, refs packed": func(t *testing.T) *gittest.Repo {
			r := gittest.New(t)
			r.Write("a.txt", "one\n")
			r.Commit("first")
			r.Git("checkout", "-q", "--detach")
			r.Git("pack-refs", "--all")
			return r
		},
		"in the middle of a merge": func(t *testing.T) *gittest.Repo {
			r := gittest.New(t)
			r.Write("a.txt", "one\n")
			r.Commit("first")
			r.Git("switch", "-q", "-c", "other")
			r.Write("a.txt", "theirs\n")
			r.Commit("theirs")
			r.Git("switch", "-q", "main")
			r.Write("a.txt", "ours\n")
			r.Commit("ours")
			if _, err := r.GitMayFail("merge", "other"); err == nil {
				t.Fatal("the merge went through")
			}
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := onRepo(t, make(t), nil)
			before := b.Protected(t)
			b.start(th, "x")
			b.Write("new name\xff.txt", "x\n")
			first := b.end(th, "x")
			if first.Status != model.StatusReady || len(first.Files) != 1 {
				t.Fatalf("turn 1 is %+v", first)
			}
			if diff := before.Diff(b.Protected(t)); diff != "" {
				t.Errorf("protected state changed: %s", diff)
			}
			b.Git("pack-refs", "--all")
			again := onRepo(t, b.Repo, nil)
			want(t, "start of 2", again.start(th, "y").Start.Commit, first.End.Commit)
			b.Remove("new name\xff.txt")
			want(t, "end of 2", again.end(th, "y").Status, model.StatusReady)
			want(t, "turns", again.states(th), "completed/ready completed/ready")
		})
	}
}
