//go:build unix

package snapshot_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/snapshot"
	"overturn/model"
)

// TestGitSaysWhatIsARepository: whatever stands as .git, a folder is left out where
// git takes it for a repository, and captured where it does not.
func TestGitSaysWhatIsARepository(t *testing.T) {
	r := small(t)
	r.Git("worktree", "add", "-q", "--detach", r.Path("pruned"))
	r.Git("worktree", "add", "-q", "--detach", r.Path("linked"))
	must(t, os.RemoveAll(r.Path(".git/worktrees/pruned")))
	head := strings.Repeat("ab", 20)
	git := func(folder, file, text string) {
		in := r.At(r.Path(folder))
		in.Git("init", "-q")
		in.Remove(".git/" + file)
		if text != "" {
			in.Write(".git/"+file, text)
		}
	}
	for folder, make := range map[string]func(){
		"plain":       func() { git("plain", "none", "") },
		"no-head":     func() { git("no-head", "HEAD", "") },
		"no-objects":  func() { git("no-objects", "objects", "") },
		"no-refs":     func() { git("no-refs", "refs", "") },
		"refs-file":   func() { git("refs-file", "refs", "x") },
		"detached":    func() { git("detached", "HEAD", head+"\n") },
		"sha256":      func() { git("sha256", "HEAD", strings.Repeat("ab", 32)+"\n") },
		"short-id":    func() { git("short-id", "HEAD", head[:39]) },
		"not-an-id":   func() { git("not-an-id", "HEAD", strings.Repeat("zz", 20)+"\n") },
		"other-ref":   func() { git("other-ref", "HEAD", "ref: elsewhere/main\n") },
		"spaces":      func() { git("spaces", "HEAD", "ref:   \trefs/heads/x") },
		"no-space":    func() { git("no-space", "HEAD", "ref:refs/heads/x") },
		"head-link":   func() { git("head-link", "HEAD", ""); r.Symlink("refs/heads/x", "head-link/.git/HEAD") },
		"head-link-2": func() { git("head-link-2", "HEAD", ""); r.Symlink("elsewhere", "head-link-2/.git/HEAD") },
		"pointer":     func() { r.Write("pointer/.git", "gitdir: ../plain/.git\n") },
		"nowhere":     func() { r.Write("nowhere/.git", "gitdir: /nowhere\n") },
		"no-pointer":  func() { r.Write("no-pointer/.git", "x\n") },
		"empty":       func() { r.Write("empty/.git", "") },
		"git-link":    func() { r.Symlink("../plain/.git", "git-link/.git") },
		"link-dead":   func() { r.Symlink("../nowhere", "link-dead/.git") },
	} {
		must(t, os.MkdirAll(r.Path(folder), 0o755))
		make()
		r.Write(folder+"/f", "f\n")
	}
	status := r.Git("status", "--porcelain", "-uall")
	b := newBench(t, r, snapshot.Options{})
	held := strings.Fields(b.files(b.agree("kinds of .git").Tree))
	for _, line := range strings.Split(status, "\n") {
		path, untracked := strings.CutPrefix(line, "?? ")
		if file := strings.TrimSuffix(path, "/") + "/f"; strings.HasSuffix(path, "/") && slices.Contains(held, file) {
			t.Errorf("%s is a repository to git; it was captured", path)
		} else if untracked && !strings.HasSuffix(path, "/") && !slices.Contains(held, path) {
			t.Errorf("%s is a file to git; it was not captured", path)
		}
	}
	if !slices.Contains(held, "pruned/two") || slices.Contains(held, "linked/two") || slices.Contains(held, "plain/f") || !slices.Contains(held, "no-objects/f") {
		t.Errorf("captured: %q\ngit says %s", held, status)
	}
}

func TestCame(t *testing.T) {
	const nested, fresh, special = "nested repository", "new nested repository", "special file"
	list := func(words ...string) (l []model.Noted) {
		for i := 0; i < len(words); i += 2 {
			l = append(l, model.Noted{Path: model.Path(words[i]), Reason: words[i+1]})
		}
		return l
	}
	for what, c := range map[string]struct{ earlier, later, want []model.Noted }{
		"none":          {nil, nil, nil},
		"all new":       {nil, list("a", nested, "b", special), list("a", fresh, "b", special)},
		"there before":  {list("a", nested), list("a", nested, "b", nested), list("b", fresh)},
		"gone":          {list("a", nested), nil, nil},
		"another kind":  {list("a", special), list("a", nested), nil},
		"an end moved":  {list("a", fresh, "b", nested), list("a", nested, "b", nested), list("a", fresh)},
		"not a list":    {make([]model.Noted, snapshot.LeftOutLimit), list("a", nested), nil},
		"below another": {list("a", nested), list("a/b", nested), list("a/b", fresh)},
	} {
		if got := snapshot.Came(c.earlier, c.later); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}
