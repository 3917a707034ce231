package foreigntest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"overturn/gitops/gittest"
)

// Entire is the Entire CLI at work in a repository.
type Entire struct {
	*gittest.Repo
	t testing.TB
}

// NewEntire is the Entire CLI in the repository of r.
func NewEntire(t testing.TB, r *gittest.Repo) *Entire { return &Entire{r, t} }

// The branch of records, and the ref of one.
const EntireBranch = "refs/heads/entire/checkpoints/v1"

// EntireRef is the ref of a record, in its shard.
func EntireRef(id string) string {
	return "refs/entire/checkpoints/" + id[len(id)-2:] + "/" + id
}

// EntireSession is what a record says of one session.
type EntireSession struct{ ID, Agent, At, Prompts, Files string }

// EntireFiles are the files of a record, by their paths in it.
func EntireFiles(id string, sessions ...EntireSession) map[string]string {
	files := map[string]string{"metadata.json": fmt.Sprintf(`{"cli_version":"0.7.1","checkpoint_id":%q,"strategy":"manual-commit","branch":"main","checkpoints_count":1,"sessions":[]}`, id)}
	for i, s := range sessions {
		at := fmt.Sprintf("%d/", i)
		files[at+"metadata.json"] = fmt.Sprintf(`{"checkpoint_id":%q,"session_id":%s,"created_at":%q,"agent":%q,"files_touched":[%s],"unknown":{"deep":[1]}}`, id, jsonText(s.ID), s.At, s.Agent, s.Files)
		files[at+"prompt.txt"] = s.Prompts
		files[at+"full.jsonl"] = `{"type":"user"}` + "\n"
		files[at+"content_hash.txt"] = "sha256:" + strings.Repeat("0", 64) // of half of the real ones, it does not match
	}
	return files
}

// jsonText is a text as JSON has it.
func jsonText(s string) []byte {
	text, _ := json.Marshal(s)
	return text
}

// Record writes a record under its own ref.
func (e *Entire) Record(id string, files map[string]string) {
	e.t.Helper()
	e.store(EntireRef(id), "", files, "Checkpoint: "+id)
}

// OnBranch writes a record into its folder of the branch.
func (e *Entire) OnBranch(id string, files map[string]string) {
	e.t.Helper()
	e.store(EntireBranch, id[:2]+"/"+id[2:]+"/", files, "Checkpoint: "+id)
}

// Step captures the work tree on the shadow branch of HEAD and of a work tree by its
// internal name, for a session that has been asked prompts.
func (e *Entire) Step(session, workTree, prompts, date string) {
	e.t.Helper()
	sum := sha256.Sum256([]byte(workTree))
	ref := "refs/heads/entire/" + e.Git("rev-parse", "HEAD")[:7] + "-" + hex.EncodeToString(sum[:])[:6]
	meta := ".entire/metadata/" + session
	g := e.WithEnv("GIT_INDEX_FILE="+filepath.Join(e.t.TempDir(), "index"), "GIT_AUTHOR_NAME=Entire", "GIT_AUTHOR_DATE="+date)
	g.Git("read-tree", "HEAD")
	g.Git("add", "-A", "--", ".")
	g.Git("update-index", "--add", "--cacheinfo", "100644,"+g.GitInput(prompts, "hash-object", "-w", "--stdin")+","+meta+"/prompt.txt")
	args := []string{"commit-tree", "-m", "step\n\nEntire-Metadata: " + meta + "\nEntire-Session: " + session + "\nEntire-Strategy: manual-commit"}
	if old, err := g.GitMayFail("rev-parse", "-q", "--verify", ref); err == nil {
		args = append(args, "-p", old)
	}
	g.Git("update-ref", ref, g.Git(append(args, g.Git("write-tree"))...))
}

func (e *Entire) store(ref, folder string, files map[string]string, subject string) {
	e.t.Helper()
	g := e.WithEnv("GIT_INDEX_FILE="+filepath.Join(e.t.TempDir(), "index"), "GIT_AUTHOR_NAME=Entire", "GIT_COMMITTER_NAME=Entire")
	args := []string{"commit-tree", "-m", subject}
	if old, err := g.GitMayFail("rev-parse", "-q", "--verify", ref); err == nil {
		g.Git("read-tree", old)
		args = append(args, "-p", old)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		blob := g.GitInput(files[name], "hash-object", "-w", "--stdin")
		g.Git("update-index", "--add", "--cacheinfo", "100644,"+blob+","+folder+name)
	}
	g.Git("update-ref", ref, g.Git(append(args, g.Git("write-tree"))...))
}
