package checkpoint

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"overturn/gitops/objects"
	"overturn/gitops/refs"
	"overturn/model"
)

// PolicyRef holds the policy of the repository: a commit with one file,
// policy.json.
const PolicyRef = "refs/overturn/policies/checkpoint"

const policyFile = "policy.json"

// Policy says which formats records may be written in; "" where it does not.
type Policy struct {
	Version    string `json:"checkpoint_version,omitempty"`     // none newer than this
	MinVersion string `json:"checkpoint_min_version,omitempty"` // none older than this
}

// families are the families of formats in their order: every refs-v is newer than
// every branch-v.
func families() []string { return []string{"branch", "refs"} }

// written are the formats that this program reads and writes.
func written() []string { return []string{FormatBranch, FormatRefs} }

// ParseFormat takes a format apart: the rank of its family and its major version.
func ParseFormat(s string) (family, major int, ok bool) {
	name, number, found := strings.Cut(s, "-v")
	major, err := strconv.Atoi(number)
	if !found || err != nil || major < 1 || strconv.Itoa(major) != number {
		return 0, 0, false
	}
	for i, f := range families() {
		if f == name {
			return i, major, true
		}
	}
	return 0, 0, false
}

// compare orders two formats; both are known.
func compare(a, b string) int {
	fa, ma, _ := ParseFormat(a)
	fb, mb, _ := ParseFormat(b)
	if fa != fb {
		return fa - fb
	}
	return ma - mb
}

// ReadPolicy reads the policy; the zero Policy where the repository has none. One
// that is there and cannot be read is an error.
func ReadPolicy(ctx context.Context, c Context) (Policy, error) {
	var p Policy
	tip, err := c.Refs.Read(ctx, PolicyRef)
	if err != nil || tip == "" {
		return p, wrapPolicy(err)
	}
	commit, err := c.Objects.Commit(ctx, tip)
	if err != nil {
		return p, wrapPolicy(err)
	}
	entry, there, err := c.Objects.Lookup(ctx, commit.Tree, policyFile)
	if err == nil && !there {
		err = model.Errorf(model.CodeFailed, "it has no %s", policyFile)
	}
	if err != nil {
		return p, wrapPolicy(err)
	}
	data, err := c.Objects.Blob(ctx, entry.OID)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	return p, wrapPolicy(err)
}

func wrapPolicy(err error) error {
	if err == nil {
		return nil
	}
	return model.Failf(err, "the checkpoint policy of this repository (%s) cannot be read, so no record is written", PolicyRef).
		WithHint("fetch it again (git fetch REMOTE +%s:%s), or upgrade overturn if it is of a later version", PolicyRef, PolicyRef)
}

// Allows says why format must not be written, nil when it may be. A policy that names
// what this program does not know is of a later one: it fails closed.
func (p Policy) Allows(format string) error {
	for _, named := range []string{p.Version, p.MinVersion} {
		if named != "" && !known(named) {
			return model.Errorf(model.CodeFailed, "this repository asks for checkpoint format %q, which this version of overturn does not know", named).
				WithHint("upgrade overturn; until then turns are captured and their records wait")
		}
	}
	if p.MinVersion != "" && compare(format, p.MinVersion) < 0 {
		return model.Errorf(model.CodeFailed, "this repository takes no checkpoint records in format %s: its policy asks for %s at least", format, p.MinVersion).
			WithHint("choose a backend that writes it (`overturn config set checkpoints.primary git-refs`)")
	}
	if p.Version != "" && compare(format, p.Version) > 0 {
		return model.Errorf(model.CodeFailed, "this repository takes no checkpoint records in format %s: its policy asks for %s", format, p.Version).
			WithHint("choose the backend that writes it (`overturn config set checkpoints.primary git-branch`), or have the policy raised")
	}
	return nil
}

func known(format string) bool {
	for _, f := range written() {
		if f == format {
			return true
		}
	}
	return false
}

// allowed holds the format of a store against the policy.
func (t *Topology) allowed(ctx context.Context, s Store) error {
	p, err := ReadPolicy(ctx, t.c)
	if err != nil {
		return err
	}
	return p.Allows(FormatOf(s.Type()))
}

// Writable says why the primary may not write, nil when it may.
func (t *Topology) Writable(ctx context.Context) error { return t.allowed(ctx, t.primary) }

// WritePolicy makes p the policy of the repository, on top of the one there is.
func WritePolicy(ctx context.Context, c Context, p Policy) error {
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	return Persist(ctx, "the checkpoint policy", func() error {
		old, err := c.Refs.Read(ctx, PolicyRef)
		if err != nil {
			return err
		}
		parent := old
		if _, err := c.Objects.Commit(ctx, old); err != nil {
			parent = "" // damage, or no commit at all: a history cannot go on from it
		}
		w := c.Objects.NewWriter()
		commit, err := policyCommit(w, c, append(data, '\n'), parent)
		if err != nil {
			w.Discard()
			return err
		}
		return Publish(ctx, w, c.Refs, Pending{Updates: []refs.Update{{Name: PolicyRef, Old: old, New: commit}}})
	})
}

func policyCommit(w *objects.Writer, c Context, data []byte, parent string) (string, error) {
	blob, err := w.Write(objects.TypeBlob, data)
	if err != nil {
		return "", err
	}
	tree, err := w.WriteTree([]objects.TreeEntry{{Mode: objects.ModeFile, Name: policyFile, OID: blob}})
	if err != nil {
		return "", err
	}
	self := objects.Signature{Name: "overturn", Email: "overturn@localhost", When: c.Clock().UTC()}
	commit := objects.Commit{Tree: tree, Author: self, Committer: self, Message: "Checkpoint policy\n"}
	if parent != "" {
		commit.Parents = []string{parent}
	}
	return w.WriteCommit(commit)
}
