package foreigntest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"overturn/gitops/gittest"
)

// T3 is T3 Code at work in one folder of a repository.
type T3 struct {
	*gittest.Repo
	t   testing.TB
	now int64 // its clock, in seconds
}

// NewT3 is T3 Code in the work tree of r, or in a folder of it.
func NewT3(t testing.TB, r *gittest.Repo, folder string) *T3 {
	t.Helper()
	at := r
	if folder != "" {
		at = r.At(r.Path(folder))
	}
	return &T3{Repo: at, t: t, now: 1_790_000_000}
}

// First is the ref of boundary n of a thread of the first generation.
func First(thread string, n int) string {
	return fmt.Sprintf("refs/t3/checkpoints/%s/turn/%d", base64.RawURLEncoding.EncodeToString([]byte(thread)), n)
}

// Second is the ref of boundary n of the root scope of a thread of the second generation.
func Second(thread string, n int) string {
	return fmt.Sprintf("refs/t3/orchestration-v2/checkpoints/%s/ordinal/%d", Key(ScopeID(thread)), n)
}

// ScopeID is the id of the root scope of a thread.
func ScopeID(thread string) string {
	return "checkpoint-scope:thread:" + url.PathEscape(thread) + ":name:root"
}

// Key is what stands for a scope in refs of the second generation.
func Key(scope string) string {
	sum := sha256.Sum256([]byte(scope))
	return base64.RawURLEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])[:32]))
}

// Capture records the work tree under a ref and returns the commit.
func (c *T3) Capture(ref string) string {
	c.t.Helper()
	c.now += 60
	date := fmt.Sprintf("%d +0000", c.now)
	index := filepath.Join(c.t.TempDir(), "t3-checkpoint-index")
	g := c.WithEnv("GIT_INDEX_FILE="+index, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date,
		"GIT_AUTHOR_NAME=T3 Code", "GIT_AUTHOR_EMAIL=t3code@users.noreply.github.com",
		"GIT_COMMITTER_NAME=T3 Code", "GIT_COMMITTER_EMAIL=t3code@users.noreply.github.com")
	if _, err := g.GitMayFail("rev-parse", "-q", "--verify", "HEAD"); err == nil {
		g.Git("read-tree", "HEAD")
	}
	g.Git("add", "-A", "--", ".")
	tree := g.Git("write-tree")
	commit := g.Git("commit-tree", tree, "-m", "t3 checkpoint ref="+ref)
	g.Git("update-ref", ref, commit)
	return commit
}
